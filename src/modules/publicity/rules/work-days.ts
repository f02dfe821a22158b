import type { IsDayOff } from '#engine'
import { WorkdayKind } from '#schemas/dictionaries/publicity'
import { wireDay } from '../../../platform/http/server/wire.ts'

/** On which days people work, as far as that is known. */
export interface WorkCalendar {
  isOff: IsDayOff
  /** Whether the holidays of a year are known. */
  knows: (year: string) => boolean
}

/** What stands in the table of holidays. */
interface Arranged {
  day: string
  workdayKind: number
}

const DAY = 86_400_000
/** When the work of a day ends: what ends by work days ends then. */
const closing = '17:00:00'
/** Days after which a calendar is taken to have no work days at all. */
const most = 1000

const after = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
const yearOf = (day: string): string => day.slice(0, 4)
const isWeekend = (day: string): boolean => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())

/**
 * The calendar of a tenant.
 * @param rows holidays and shifted work days; a year that one of them is in is known
 * @param otherwise says it of days in other years
 */
export function calendarOf(rows: readonly Arranged[], otherwise: IsDayOff): WorkCalendar {
  const kinds = new Map(rows.map(({ day, workdayKind }) => [day, workdayKind]))
  const years = new Set(rows.map(({ day }) => yearOf(day)))
  const knows = (year: string): boolean => years.has(year)
  return {
    knows,
    isOff: day => {
      if (!knows(yearOf(day))) return otherwise(day)
      const kind = kinds.get(day)
      return kind === undefined ? isWeekend(day) : kind === WorkdayKind.holiday
    },
  }
}

/** When a number of work days after an instant are over. The day of the instant does not count. */
export function workdaysAfter(start: Date, days: number, { isOff }: WorkCalendar): Date {
  let day = wireDay(start)
  for (let left = days, tried = 0; left > 0 && tried < most; tried++) {
    day = after(day)
    if (!isOff(day)) left--
  }
  return new Date(`${day}T${closing}+08:00`)
}

/** The same time of day so many work days earlier. */
export function workdaysBefore(end: Date, days: number, { isOff }: WorkCalendar): Date {
  const at = new Date(end)
  for (let left = days, tried = 0; left > 0 && tried < most; tried++) {
    at.setTime(at.getTime() - DAY)
    if (!isOff(wireDay(at))) left--
  }
  return at
}

/** How many whole work days lie between two instants. The day of the first does not count; the last does when its work is over. */
export function workdaysBetween(start: Date, end: Date, { isOff }: WorkCalendar): number {
  const last = end < new Date(`${wireDay(end)}T${closing}+08:00`) ? after(wireDay(end), -1) : wireDay(end)
  let [count, day] = [0, after(wireDay(start))]
  for (let tried = 0; day <= last && tried < most; tried++, day = after(day)) if (!isOff(day)) count++
  return count
}

/** The years between two instants whose holidays are not known. */
export function unknownYears(start: Date, end: Date, { knows }: WorkCalendar): string[] {
  const [first, last] = [start, end].map(at => Number(yearOf(wireDay(at)))) as [number, number]
  const years = Array.from({ length: Math.max(0, last - first) + 1 }, (_, i) => String(first + i))
  return years.filter(year => !knows(year))
}
