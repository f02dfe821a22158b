import type { PlaceAnswer } from './answer.ts'

const DAY = 86_400_000
/** Days at most: the latest. */
const MOST = 30

type Days = NonNullable<Exclude<PlaceAnswer['trend'], ''>>['days']

/** The numbers of all days from the first to the last, those without any among them. */
export function dayByDay(days: Days): { day: string; count: number }[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const counts = new Map(days.map(one => [one.day, one.count]))
  const length = (Date.parse(last.day) - Date.parse(first.day)) / DAY + 1
  const all = Array.from({ length }, (_, at) => new Date(Date.parse(first.day) + at * DAY).toISOString().slice(0, 10))
  return all.slice(-MOST).map(day => ({ day, count: counts.get(day) ?? 0 }))
}
