import type { Keep } from '#engine'
import { wireDay } from '../../../platform/http/server/wire.ts'

/** What ends the time for which something is needed. */
export interface Ends {
  readonly archive: Date | null
  readonly day: Date | null
  readonly end: Date | null
}

/** The day until which something is kept; an empty text while what it is counted from has not happened. */
export function keptUntil({ from, months }: Pick<Keep, 'from' | 'months'>, ends: Ends): string {
  const start = ends[from]
  if (!start) return ''
  const day = new Date(`${wireDay(start)}T00:00:00Z`)
  const date = day.getUTCDate()
  day.setUTCMonth(day.getUTCMonth() + months, 1)
  // The last day of a month that is shorter.
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  day.setUTCDate(Math.min(date, last))
  return day.toISOString().slice(0, 10)
}
