import { weekday } from './short-time.ts'

/** Length of a day on the wire. */
const DAY = 10

/** A time or day of the wire with its day of the week, `2027-02-20 周六 09:00`, for plans in which that counts. */
export function weekdayTime(text: string): string {
  const day = text.slice(0, DAY)
  return [day, weekday(Date.parse(`${day}T00:00:00Z`)), text.slice(DAY + 1, DAY + 6)].filter(Boolean).join(' ')
}
