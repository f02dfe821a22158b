import { serverNow, wireTime } from '../platform/http/browser/clock.ts'
import { isDayWord, withDays } from '../platform/http/rules/day-words.ts'

const DAY = 86_400_000
const day = /^(\d{4}-\d{2}-\d{2})(.*)$/s

const dayOf = (time: number): string => wireTime(time).slice(0, 10)

/** Values by their name on the wire. */
type Filters = Readonly<Record<string, unknown>>

const each = (filters: Filters, change: (text: string) => string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(filters).map(([key, one]) => [key, typeof one === 'string' ? change(one) : one]))

/** Whether filters hold a day. */
export const holdsDay = (filters: Filters): boolean =>
  Object.values(filters).some(one => typeof one === 'string' && day.test(one))

/** Days counted from today, `$today-7`, so that they move on with it; the time of day stays. */
export const relative = (filters: Filters, now = serverNow()): Record<string, unknown> =>
  each(filters, text => {
    const [, date, rest] = day.exec(text) ?? []
    if (!date) return text
    const away = Math.round((Date.parse(date) - Date.parse(dayOf(now))) / DAY)
    return `$today${away > 0 ? `+${away}` : away || ''}${rest}`
  })

/** The days that {@link relative} ones are today. */
export const absolute = (filters: Filters, now = serverNow()): Record<string, unknown> =>
  withDays(filters, away => dayOf(now + away * DAY))

/**
 * Days in the form that they have in what was kept before: those that moved on with today do so still, others stand. What was not
 * filtered by is kept like the others, and moves on where there are none.
 */
export function keptLike(before: Filters, filters: Filters, now = serverNow()): Record<string, unknown> {
  const usual = Object.values(before).some(isDayWord) || !holdsDay(before)
  const moved = relative(filters, now)
  const stays = (key: string): boolean => (key in before ? !isDayWord(before[key]) : !usual)
  return Object.fromEntries(Object.entries(filters).map(([key, one]) => [key, stays(key) ? one : moved[key]]))
}
