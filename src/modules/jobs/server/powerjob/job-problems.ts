import { JobTimeType } from '#schemas/dictionaries'
import { readTime } from '../../../../platform/http/server/wire.ts'
import type { SharedValues } from './mapping.ts'

/** Most milliseconds between two runs at a fixed rate or delay. */
const longestStep = 120_000

const units: readonly string[] = ['NANOSECONDS', 'MICROSECONDS', 'MILLISECONDS', 'SECONDS', 'MINUTES', 'HOURS', 'DAYS']

const dayTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** What is wrong with a daily interval, in words; null when nothing is. */
function intervalProblem(expression: string): string | null {
  let read: unknown
  try {
    read = JSON.parse(expression)
  } catch {
    read = null
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    return '每日固定间隔应为JSON，例如 {"interval":30,"intervalUnit":"SECONDS","startTimeOfDay":"09:00:00","endTimeOfDay":"18:00:00"}'
  const {
    interval,
    intervalUnit = 'SECONDS',
    startTimeOfDay,
    endTimeOfDay,
    daysOfWeek,
  } = read as Record<string, unknown>
  if (!Number.isInteger(interval) || Number(interval) < 1) return '每日固定间隔的interval应为正整数'
  if (!units.includes(String(intervalUnit))) return '每日固定间隔的intervalUnit不正确'
  if (![startTimeOfDay, endTimeOfDay].every(one => typeof one === 'string' && dayTime.test(one)))
    return '每日固定间隔的startTimeOfDay和endTimeOfDay应为HH:mm:ss'
  if (String(startTimeOfDay) >= String(endTimeOfDay)) return '每日固定间隔的结束时间应晚于开始时间'
  const days = daysOfWeek === undefined || daysOfWeek === null ? [1] : daysOfWeek
  const isDays =
    Array.isArray(days) && days.length > 0 && days.every(day => Number.isInteger(day) && day >= 1 && day <= 7)
  return isDays ? null : '每日固定间隔的daysOfWeek应为1到7，1为周一'
}

/**
 * What a PowerJob server would refuse of a job, said before it is asked: the field and the words; null when nothing is wrong. CRON
 * expressions are checked like those of other servers.
 */
export function jobProblem(values: SharedValues, now: Date): { field: keyof SharedValues; msg: string } | null {
  const { timeExpressionType: type, timeExpression, lifecycle } = values
  const isStep = type === JobTimeType.fixedRate || type === JobTimeType.fixedDelay
  if (
    isStep &&
    !(/^\d{1,9}$/.test(timeExpression ?? '') && Number(timeExpression) >= 1 && Number(timeExpression) <= longestStep)
  )
    return { field: 'timeExpression', msg: `PowerJob的固定频率和固定延迟应为1到${longestStep}的整数毫秒` }
  const wrong = type === JobTimeType.dailyInterval ? intervalProblem(timeExpression ?? '') : null
  if (wrong) return { field: 'timeExpression', msg: wrong }
  const end = Array.isArray(lifecycle) ? readTime(String(lifecycle[1])) : null
  return end && end <= now ? { field: 'lifecycle', msg: '生命周期的结束时间已过' } : null
}
