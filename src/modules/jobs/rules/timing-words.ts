import { JobTimeType } from '#schemas/dictionaries/platform'
import type { DailyInterval, IntervalUnit } from './daily-interval.ts'

const dayNames = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']
const dayCodes = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const isAny = (field: string | undefined): boolean => field === '*' || field === '?' || field === undefined
const isNumber = (field = ''): boolean => /^\d{1,2}$/.test(field)
const two = (value: string | number): string => String(value).padStart(2, '0')

/** The step of a field that begins at its first value, as `5` of `0/5` and a step from any value. */
const stepOf = (field = ''): number | undefined => {
  const [, step] = /^(?:\*|0)\/(\d{1,2})$/.exec(field) ?? []
  return step === undefined ? undefined : Number(step)
}

/** Numbers that a field lists; undefined where it says anything else. */
const listOf = (field = ''): number[] | undefined =>
  /^\d{1,2}(,\d{1,2})*$/.test(field) ? field.split(',').map(Number) : undefined

const every = (step: number, unit: '秒' | '分钟' | '小时'): string =>
  step === 1 && unit !== '秒' ? `每${unit}` : `每 ${step} ${unit}`

/** Days of the week from 0 for Sunday: as a list, as a range, or by their English letters. */
function weekdaysOf(field: string): number[] | undefined {
  const days = field.split(',').map(part => {
    const [from, to = from, ...more] = part.split('-').map(one => {
      const at = dayCodes.indexOf(one.toUpperCase())
      return at >= 0 ? at : /^[1-7]$/.test(one) ? Number(one) - 1 : Number.NaN
    })
    if (more.length > 0 || from === undefined || to === undefined || Number.isNaN(from + to)) return undefined
    const last = to < from ? to + 7 : to
    return Array.from({ length: last - from + 1 }, (_, i) => (from + i) % 7)
  })
  return days.includes(undefined) ? undefined : [...new Set(days.flat() as number[])]
}

/** `周一至周五`, or the days one by one, Monday first. */
function weekdayText(days: readonly number[]): string {
  const sorted = days.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7))
  return sorted.join() === '1,2,3,4,5' ? '周一至周五' : sorted.map(day => dayNames[day]).join('、')
}

/** Times of a day that hours, minutes and seconds name, at most a few of them. */
function timesOf(seconds: string, minutes: string, hours: string): string | undefined {
  const all = listOf(hours)
  if (!all || all.length > 4 || !isNumber(minutes) || !isNumber(seconds)) return undefined
  const end = Number(seconds) === 0 ? '' : `:${two(seconds)}`
  return all.map(hour => `${two(hour)}:${two(minutes)}${end}`).join('/')
}

/** How often within each day, where every day is alike. */
function withinDay(seconds: string, minutes: string, hours: string): string | undefined {
  const [second, minute, hour] = [seconds, minutes, hours].map(stepOf)
  if (second && minutes === '*' && hours === '*') return every(second, '秒')
  if (!isNumber(seconds)) return undefined
  if (hours === '*' && (minutes === '*' || minute)) return every(minute ?? 1, '分钟')
  const span = /^(\d{1,2})-(\d{1,2})$/.exec(hours)
  if (span && minute) return `每天 ${two(span[1] ?? 0)}:00–${two(span[2] ?? 0)}:59 ${every(minute, '分钟')}`
  if (!isNumber(minutes) || !(hours === '*' || hour)) return undefined
  const often = every(hour ?? 1, '小时')
  return Number(minutes) === 0 ? often : `${often}第 ${Number(minutes)} 分`
}

/** On which days, with the times of the day. */
function onDays(times: string, day: string, month: string, week: string | undefined): string | undefined {
  if (isAny(day) && isAny(month) && isAny(week)) return `每天 ${times}`
  if (isAny(day) && isAny(month)) {
    const days = weekdaysOf(week ?? '')
    return days && `每逢${weekdayText(days)} ${times}`
  }
  if (!isAny(week)) return undefined
  if (day === 'L' && isAny(month)) return `每月最后一天 ${times}`
  const days = listOf(day)
  if (days && isAny(month)) return `每月 ${days.join('/')} 日 ${times}`
  return isNumber(day) && isNumber(month) ? `每年 ${Number(month)} 月 ${Number(day)} 日 ${times}` : undefined
}

function cronText(expression: string): string | undefined {
  const [seconds = '', minutes = '', hours = '', day = '', month = '', week, year] = expression.trim().split(/\s+/)
  if (!isAny(year)) return undefined
  const often = isAny(day) && isAny(month) && isAny(week) ? withinDay(seconds, minutes, hours) : undefined
  const times = timesOf(seconds, minutes, hours)
  return often ?? (times && onDays(times, day, month, week))
}

/** Milliseconds in the largest unit that they are whole in. */
function stepText(expression: string): readonly [n: number, unit: '秒' | '分钟' | '小时'] {
  const seconds = Number(expression) / 1000
  if (seconds % 3600 === 0) return [seconds / 3600, '小时']
  return seconds % 60 === 0 ? [seconds / 60, '分钟'] : [seconds, '秒']
}

const units: Readonly<Record<IntervalUnit, '秒' | '分钟' | '小时'>> = { SECONDS: '秒', MINUTES: '分钟', HOURS: '小时' }

function dailyText(expression: string): string {
  const given = JSON.parse(expression) as DailyInterval
  const { interval, intervalUnit = 'SECONDS', startTimeOfDay, endTimeOfDay, daysOfWeek } = given
  const clock = (time: string): string => (time.endsWith(':00') ? time.slice(0, 5) : time)
  const span = `${clock(startTimeOfDay)}–${clock(endTimeOfDay)} ${every(interval, units[intervalUnit as IntervalUnit])}`
  return daysOfWeek && daysOfWeek.length < 7
    ? `每逢${weekdayText(daysOfWeek.map(day => day % 7))} ${span}`
    : `每天 ${span}`
}

/**
 * When a job runs, in words: `每天 02:00`. An expression that is too involved for them stays as it is; `""` where nothing is timed.
 * @param expression one that has been checked
 */
export function timingWords(type: number, expression: string | null): string {
  if (!expression) return ''
  if (type === JobTimeType.cron) return cronText(expression) ?? expression
  if (type === JobTimeType.dailyInterval) return dailyText(expression)
  const [n, unit] = stepText(expression)
  return type === JobTimeType.fixedDelay ? `上次结束后 ${n} ${unit}` : every(n, unit)
}
