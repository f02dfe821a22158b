import { JobEnable, JobExecuteType, JobProcessor, JobTimeType } from '#schemas/dictionaries/platform'
import { readTime } from '../../../platform/http/server/wire.ts'
import { nextCron } from './cron-next.ts'

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

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** The next time by the expression alone: for a fixed rate on from the last one, for a fixed delay from now. */
function nextIn(type: number, expression: string, last: Date | null, from: Date): Date | null {
  if (type === JobTimeType.cron) return nextCron(expression, from)
  const step = Number(expression)
  if (type === JobTimeType.fixedDelay) return new Date(from.getTime() + step)
  if (type !== JobTimeType.fixedRate) return null
  // Times that nobody was there for are not made up for.
  const begin = last?.getTime() ?? from.getTime()
  const missed = Math.max(0, Math.floor((from.getTime() - begin) / step))
  return new Date(begin + (missed + 1) * step)
}

/**
 * Whether a job is one that this server can have done: by one program, and by what is built into it. Machines that share
 * the work, and programs that are loaded for it, are those of a cluster of workers, which is not there.
 */
export const isRunnable = ({ executeType, processorType }: Pick<Timed, 'executeType' | 'processorType'>): boolean =>
  executeType === JobExecuteType.standalone && processorType === JobProcessor.builtIn

/**
 * When a job runs next by the clock; null for never.
 * @param last the time it was planned for last
 */
export function nextTimeOf(job: Timed, last: Date | null, now: Date): Date | null {
  if (job.enable !== JobEnable.enabled || !isRunnable(job) || !job.timeExpression) return null
  const [begin, end] = (isList(job.lifecycle) ? job.lifecycle : []).map(text => readTime(String(text)))
  const { timeExpressionType: type, timeExpression } = job
  const isEarly = begin !== null && begin !== undefined && begin > now
  const isSteps = type === JobTimeType.fixedRate || type === JobTimeType.fixedDelay
  const from = isEarly ? new Date(begin.getTime() - 1) : now
  const next = isEarly && isSteps ? begin : nextIn(type, timeExpression, last, from)
  return next && end && next > end ? null : next
}
