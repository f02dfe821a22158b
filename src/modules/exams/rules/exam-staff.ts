import { commaList } from '#engine'

/** A position of an exam, as far as it says who has to be there for it. */
export interface Place {
  unit: string
  code: string
}

/** The time an appointment holds; null is open on that side. */
export interface Span {
  startTime: Date | null
  endTime: Date | null
}

/** An appointment in one role. Without units it is for all of them, without codes for every position of its units. */
export interface Appointment extends Span {
  /** Null until it is stored. */
  id: string | null
  userId: string
  units: string | null
  codes: string | null
}

/** How much of a unit somebody has: all of its positions, some of them. */
type Cover = 'full' | 'part'

/** Whether a comma list names something; an empty list names everything. */
const names = (list: string | null, one: string): boolean => !list || commaList(list).includes(one)

/** Whether an appointment stands for a position. */
export const stands = (of: Pick<Appointment, 'units' | 'codes'>, place: Place): boolean =>
  names(of.units, place.unit) && names(of.codes, place.code)

/** The units of positions, each once. */
export const unitsOf = (places: readonly Place[]): string[] => [...new Set(places.map(place => place.unit))]

/** Whether an appointment still holds or will: it has not ended. */
export const isLive = ({ endTime }: Span, now: Date): boolean => endTime === null || endTime > now

/** How much of a unit one person's appointments give; undefined for nothing. */
export function coverOf(own: readonly Appointment[], unit: string, places: readonly Place[]): Cover | undefined {
  const positions = places.filter(place => place.unit === unit)
  const held = positions.filter(place => own.some(one => stands(one, place))).length
  if (held === 0) return undefined
  return held === positions.length ? 'full' : 'part'
}

/**
 * An appointment without some units. What is for all units then names the others one by one: an empty list would mean all
 * of them again.
 * @returns null when nothing is left of it
 */
export function without(one: Appointment, gone: ReadonlySet<string>, places: readonly Place[]): Appointment | null {
  const held = one.units ? commaList(one.units) : unitsOf(places)
  const left = held.filter(unit => !gone.has(unit))
  if (left.length === held.length) return one
  if (left.length === 0) return null
  if (!one.codes) return { ...one, units: left.join(',') }
  const lost = new Set(places.filter(place => gone.has(place.unit)).map(place => place.code))
  const codes = commaList(one.codes).filter(code => !lost.has(code))
  if (codes.length === 0) return null
  return { ...one, units: one.units && left.join(','), codes: codes.join(',') }
}

const sameTime = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime()

const sameSpan = (one: Span, other: Span): boolean =>
  sameTime(one.startTime, other.startTime) && sameTime(one.endTime, other.endTime)

/**
 * The appointments of one person and role once units are given, in full and for a time: appointments to the same units for
 * another time, or for some of their positions, are replaced.
 * @param units null for all of them
 */
export function granted(
  own: readonly Appointment[],
  userId: string,
  units: readonly string[] | null,
  span: Span,
  places: readonly Place[],
): Appointment[] {
  const main = own.find(one => !one.codes && sameSpan(one, span))
  const gone = new Set(units ?? unitsOf(places))
  const others = own.filter(one => one !== main).flatMap(one => (units ? (without(one, gone, places) ?? []) : []))
  if (main && !main.units) return [...others, main]
  const all = units && [...new Set([...commaList(main?.units), ...units])].join(',')
  const held = commaList(main?.units).join(',')
  if (main && all === held) return [...others, main]
  return [...others, { id: null, userId, codes: null, ...main, ...span, units: all }]
}

/** What has to be written to make appointments of one list those of another. */
export interface Change {
  added: Appointment[]
  changed: Appointment[]
  removed: string[]
}

/** The difference between appointments as they are stored and as they shall be. */
export function changeOf(before: readonly Appointment[], after: readonly Appointment[]): Change {
  const kept = new Map(after.flatMap(one => (one.id ? [[one.id, one] as const] : [])))
  return {
    added: after.filter(one => one.id === null),
    changed: before.flatMap(old => {
      const one = kept.get(old.id ?? '')
      return one && (one.units !== old.units || one.codes !== old.codes) ? [one] : []
    }),
    removed: before.flatMap(old => (old.id && !kept.has(old.id) ? [old.id] : [])),
  }
}
