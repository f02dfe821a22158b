import { shuffled } from '../../../platform/vault/random.ts'

/** Who needs a seat. */
export interface SeatPerson {
  /** The sign-up. */
  id: string
  unit: string
  code: string
  type?: string | null
  subject?: string | null
  /** Needs a special room (wheelchair, isolation). */
  special?: boolean
}

/** 1 random, 2 those of one position together, 3 those of one unit and position apart. */
export type Strategy = 1 | 2 | 3

/** Two people of one position should not sit beside each other under strategy 3. */
export const positionKey = (person: SeatPerson): string => `${person.unit}\u0000${person.code}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Splits by a key, in the order of the keys, so that the order people come in does not matter. */
export function grouped<T>(list: readonly T[], key: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of list) {
    const name = key(one)
    const group = groups.get(name)
    if (group) group.push(one)
    else groups.set(name, [one])
  }
  return [...groups].sort(([a], [b]) => compare(a, b)).map(([, group]) => group)
}

/**
 * Spreads every position evenly over the whole row: its i-th of n people is due about (i + chance) / n of the way.
 * No position bunches up, and the order within it stays random.
 */
function spread(people: readonly SeatPerson[], random: () => number): SeatPerson[] {
  const due = grouped(people, positionKey).flatMap(group =>
    shuffled(group, random).map((person, i) => ({ person, at: (i + random()) / group.length })),
  )
  return due.sort((a, b) => a.at - b.at || compare(a.person.id, b.person.id)).map(one => one.person)
}

/** The order in which people take the seats. */
export function seatOrder(people: readonly SeatPerson[], strategy: Strategy, random: () => number): SeatPerson[] {
  const sorted = [...people].sort((a, b) => compare(a.id, b.id))
  if (strategy === 1) return shuffled(sorted, random)
  if (strategy === 2) return grouped(sorted, positionKey).flatMap(group => shuffled(group, random))
  return spread(sorted, random)
}
