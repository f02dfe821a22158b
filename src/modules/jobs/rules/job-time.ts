import { JobEnable, JobProcessor, JobTimeType } from '#schemas/dictionaries/platform'
import { readTime } from '../../../platform/http/server/wire.ts'
import { cronProblem } from './cron.ts'
import { nextCron } from './cron-next.ts'
import { dailyIntervalProblem, nextDailyInterval } from './daily-interval.ts'

/** What says when a job runs. */
export interface Timed {
  enable: number
  executeType: number
  processorType: number
  timeExpressionType: number
  timeExpression: string | null
  /** From when until when it is in force, on the wire; none for always. */
  lifecycle: unknown
}

/** Kinds of timing that need an expression: those that go by the clock. */
export const clockTypes = [
  JobTimeType.cron,
  JobTimeType.fixedRate,
  JobTimeType.fixedDelay,
  JobTimeType.dailyInterval,
] as const

/** Whether a job of this kind of timing goes by the clock. */
export const isByClock = (type: number): boolean => (clockTypes as readonly number[]).includes(type)

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const isStep = (expression: string): boolean => /^[1-9]\d{3,9}$/.test(expression) && Number(expression) <= 2 ** 31

/** What is wrong with an expression of a kind of timing, in words; null when nothing is. */
export function timingProblem(type: number, expression: string): string | null {
  if (!isByClock(type)) return '这种定时信息没有时间表达式'
  if (type === JobTimeType.cron) return cronProblem(expression)
  if (type === JobTimeType.dailyInterval) return dailyIntervalProblem(expression)
  return isStep(expression) ? null : '固定频率和固定延迟应为毫秒数，至少1000'
}

/** The next time by the expression alone: for a fixed rate on from the last one, for a fixed delay from now. */
function nextIn(type: number, expression: string, last: Date | null, from: Date): Date | null {
  if (type === JobTimeType.cron) return nextCron(expression, from)
  if (type === JobTimeType.dailyInterval) return nextDailyInterval(expression, from)
  const step = Number(expression)
  if (type === JobTimeType.fixedDelay) return new Date(from.getTime() + step)
  if (type !== JobTimeType.fixedRate) return null
  // Times that nobody was there for are not made up for.
  const begin = last?.getTime() ?? from.getTime()
  const missed = Math.max(0, Math.floor((from.getTime() - begin) / step))
  return new Date(begin + (missed + 1) * step)
}

/**
 * The times that come next by an expression.
 * @param expression one that {@link timingProblem} finds nothing wrong with
 * @param count how many, at most
 * @returns fewer when it ends before, none when it never comes again
 */
export function nextTimes(type: number, expression: string, from: Date, count: number): Date[] {
  const times: Date[] = []
  for (let after = from; times.length < count; ) {
    const next = nextIn(type, expression, after, after)
    if (!next) break
    times.push(next)
    after = next
  }
  return times
}

/** Whether a job is one that this server can have done: by what is built into it, and not by programs that are loaded for it. */
export const isRunnable = ({ processorType }: Pick<Timed, 'processorType'>): boolean =>
  processorType === JobProcessor.builtIn

/** When an expression comes next while a job is in force; null for never. */
function nextInForce(job: Timed, last: Date | null, now: Date): Date | null {
  if (!job.timeExpression) return null
  const [begin, end] = (isList(job.lifecycle) ? job.lifecycle : []).map(text => readTime(String(text)))
  const { timeExpressionType: type, timeExpression } = job
  const isEarly = begin !== null && begin !== undefined && begin > now
  const isSteps = type === JobTimeType.fixedRate || type === JobTimeType.fixedDelay
  const from = isEarly ? new Date(begin.getTime() - 1) : now
  const next = isEarly && isSteps ? begin : nextIn(type, timeExpression, last, from)
  return next && end && next > end ? null : next
}

/** Whether a job that goes by the clock will never run again, switched on or not. */
export const isNeverAgain = (job: Timed, now: Date): boolean =>
  isByClock(job.timeExpressionType) && nextInForce(job, null, now) === null

/**
 * When a job runs next by the clock; null for never.
 * @param last the time it was planned for last
 */
export const nextTimeOf = (job: Timed, last: Date | null, now: Date): Date | null =>
  job.enable === JobEnable.enabled && isRunnable(job) ? nextInForce(job, last, now) : null
