/** What is wrong with the end of a leave, in Chinese; nothing while one of the times is missing. */
export function endProblem(startTime: string, endTime: string): string | undefined {
  return startTime && endTime && endTime <= startTime ? '结束时间应晚于开始时间' : undefined
}
