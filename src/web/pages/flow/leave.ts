import type { History } from './steps.ts'

/** Where leaves are. */
export const leavePath = '/blade-desk/process/leave'

/** What somebody who asks for a leave fills in; times as they travel. */
export interface LeaveInput {
  startTime: string
  endTime: string
  reason: string
  taskUser: string
}

/** A leave with who asked, who decides, and the way it has taken. */
export interface Leave extends LeaveInput {
  readonly id: string
  readonly createUserName: string
  readonly taskUserName: string
  readonly applyTime: string
  readonly processInstanceId: string
  readonly flow: readonly History[] | ''
}

/** What is wrong with the end of a leave, in Chinese; nothing while one of the times is missing. */
export function endProblem(startTime: string, endTime: string): string | undefined {
  return startTime && endTime && endTime <= startTime ? '结束时间应晚于开始时间' : undefined
}
