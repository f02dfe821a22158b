import { JobTimeType } from '#schemas/dictionaries/platform'
import { nextTimes } from './job-time.ts'

/** Times that are looked at: more than a week of hours. */
const looked = 200

/**
 * Whether the times of an expression lie as far apart as they may.
 * @param bounds the least and the most seconds between two times
 */
export function isWithinBounds(
  type: number,
  expression: string,
  now: Date,
  [least, most]: readonly [number, number],
): boolean {
  if (type === JobTimeType.fixedRate || type === JobTimeType.fixedDelay)
    return Number(expression) >= least * 1000 && Number(expression) <= most * 1000
  // Where it ends at all, the last pause is one for ever.
  const [, , , , , , years = '*'] = type === JobTimeType.cron ? expression.trim().split(/\s+/) : []
  if (years !== '*') return false
  const times = nextTimes(type, expression, now, looked)
  if (times.length < looked) return false
  return times.slice(1).every((time, at) => {
    const seconds = (time.getTime() - (times[at] as Date).getTime()) / 1000
    return seconds >= least && seconds <= most
  })
}
