/** Times of a day at equal distances: from one time of the day to another, on some days of the week. As job servers write it. */
export interface DailyInterval {
  /** Steps of a unit between two times. */
  interval: number
  /** `SECONDS` where nothing is said. */
  intervalUnit?: string
  /** First time of a day, `HH:mm:ss`. */
  startTimeOfDay: string
  /** No time of a day is later. */
  endTimeOfDay: string
  /** 1 Monday to 7 Sunday; every day where nothing is said. */
  daysOfWeek?: readonly number[]
}

/** Units of an interval that are offered, in seconds. */
export const intervalUnits = { SECONDS: 1, MINUTES: 60, HOURS: 3600 } as const
/** Name of a unit of an interval. */
export type IntervalUnit = keyof typeof intervalUnits

const shanghai = 8 * 3600_000
const day = 86_400_000
const names = ['interval', 'intervalUnit', 'startTimeOfDay', 'endTimeOfDay', 'daysOfWeek']

/** Milliseconds from the begin of a day; NaN for what is no time of a day. */
function timeOf(text: unknown): number {
  const [, hours, minutes, seconds] = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(String(text)) ?? []
  return hours ? ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 : Number.NaN
}

function parsed(expression: string): Partial<Record<keyof DailyInterval, unknown>> | null {
  try {
    const value: unknown = JSON.parse(expression)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject && Object.keys(value).every(name => names.includes(name)) ? value : null
  } catch {
    return null
  }
}

const isWeekday = (one: unknown): boolean => Number.isInteger(one) && Number(one) >= 1 && Number(one) <= 7

/** What is wrong with a daily interval, in words; null when nothing is. */
export function dailyIntervalProblem(expression: string): string | null {
  const given = parsed(expression)
  if (!given) return '每日固定间隔应有间隔、单位、开始时间、结束时间和星期'
  const { interval, intervalUnit = 'SECONDS', daysOfWeek } = given
  if (!Number.isInteger(interval) || Number(interval) < 1) return '每日固定间隔的间隔应为正整数'
  if (!Object.hasOwn(intervalUnits, String(intervalUnit))) return '每日固定间隔的单位应为秒、分钟或小时'
  if (Number(interval) * intervalUnits[intervalUnit as IntervalUnit] * 1000 >= day) return '每日固定间隔应小于24小时'
  const [from, to] = [timeOf(given.startTimeOfDay), timeOf(given.endTimeOfDay)]
  if (Number.isNaN(from) || Number.isNaN(to)) return '每日固定间隔的开始和结束时间应为时:分:秒'
  if (from >= to) return '每日固定间隔的结束时间应晚于开始时间'
  if (daysOfWeek === undefined || daysOfWeek === null) return null
  const isRight = Array.isArray(daysOfWeek) && daysOfWeek.length > 0 && daysOfWeek.every(isWeekday)
  return isRight ? null : '每日固定间隔的星期应从1（周一）到7（周日）中选择'
}

/**
 * The first time of a daily interval after another, in Shanghai.
 * @param expression one that {@link dailyIntervalProblem} finds nothing wrong with
 * @returns null for an expression that was written before it was checked, and has no time
 */
export function nextDailyInterval(expression: string, after: Date): Date | null {
  if (dailyIntervalProblem(expression)) return null
  const { interval, intervalUnit, startTimeOfDay, endTimeOfDay, daysOfWeek } = JSON.parse(expression) as DailyInterval
  const step = interval * intervalUnits[(intervalUnit ?? 'SECONDS') as IntervalUnit] * 1000
  const [from, to] = [timeOf(startTimeOfDay), timeOf(endTimeOfDay)]
  const local = after.getTime() + shanghai
  const today = Math.floor(local / day) * day
  // A week later every day of the week has come.
  for (let begin = today; begin <= today + 7 * day; begin += day) {
    const weekday = new Date(begin).getUTCDay() || 7
    if (daysOfWeek && !daysOfWeek.includes(weekday)) continue
    const passed = Math.floor((local - begin - from) / step) + 1
    const time = from + Math.max(0, passed) * step
    if (time <= to) return new Date(begin + time - shanghai)
  }
  return null
}
