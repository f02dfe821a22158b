import { JobTimeType } from '#schemas/dictionaries'
import { readTime } from '../../../../platform/http/server/wire.ts'
import { cronProblem } from '../../rules/cron.ts'
import { dailyIntervalProblem } from '../../rules/daily-interval.ts'
import type { SharedValues } from './mapping.ts'

/** Most milliseconds between two runs at a fixed rate or delay. */
const longestStep = 120_000

const isStep = (expression: string): boolean => /^[1-9]\d{0,8}$/.test(expression) && Number(expression) <= longestStep

/** What is wrong with an expression, in words; null when nothing is. */
function timingProblem(type: number, expression: string): string | null {
  if (type === JobTimeType.cron) return cronProblem(expression)
  if (type === JobTimeType.dailyInterval) return dailyIntervalProblem(expression)
  if (type !== JobTimeType.fixedRate && type !== JobTimeType.fixedDelay) return null
  return isStep(expression) ? null : `PowerJob的固定频率和固定延迟应为1到${longestStep}的整数毫秒`
}

/**
 * What a PowerJob server would refuse of the timing of a job, said before it is asked: the field and the words; null when nothing
 * is wrong.
 */
export function jobProblem(
  { timeExpressionType, timeExpression, lifecycle }: SharedValues,
  now: Date,
): { field: keyof SharedValues; msg: string } | null {
  const wrong = timingProblem(timeExpressionType, timeExpression ?? '')
  if (wrong) return { field: 'timeExpression', msg: wrong }
  const end = Array.isArray(lifecycle) ? readTime(String(lifecycle[1])) : null
  return end && end <= now ? { field: 'lifecycle', msg: '生命周期的结束时间应晚于现在' } : null
}
