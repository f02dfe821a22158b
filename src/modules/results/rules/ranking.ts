/** Ten-thousandths, the finest part of a decimal column; sums of scores stay far below 2^53. */
const scale = 10_000

/** A decimal of the database as a whole number of ten-thousandths; null for none. */
function units(text: string | number | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  return Math.round(Number(text) * scale)
}

/** One stage's share of a total. */
export interface Weighed {
  score: string | null
  addScore: string | null
  /** Four places at most, `0.6`. */
  weight: string
}

/**
 * Total score: every score times its weight, plus the additions, rounded once at the end to two places, half up.
 * @returns null when a score is missing: there is no total of a part
 */
export function totalOf(parts: readonly Weighed[]): string | null {
  if (parts.length === 0 || parts.some(part => units(part.score) === null)) return null
  // In units of scale × scale, so that nothing is rounded before the end.
  const sum = parts.reduce(
    (all, part) => all + (units(part.score) ?? 0) * (units(part.weight) ?? 0) + (units(part.addScore) ?? 0) * scale,
    0,
  )
  const cent = (scale * scale) / 100
  const cents = Math.floor((sum + cent / 2) / cent)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

/** How many places lead to the next stage: plan times ratio, a part of a place counts as a whole one. */
export const placesOf = (plan: number, ratio: string | number): number =>
  Math.ceil((plan * (units(ratio) ?? 0)) / scale)

/** Somebody in a ranking; the higher keys come first, one after the other. */
export interface Ranked {
  id: string
  /** Ranked within it. */
  code: string
  keys: readonly (string | null)[]
}

const compare = (a: Ranked, b: Ranked): number => {
  for (const [i, key] of a.keys.entries()) {
    const difference = (units(b.keys[i]) ?? -1) - (units(key) ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

function byCode<T extends Ranked>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(row.code)
    if (group) group.push(row)
    else groups.set(row.code, [row])
  }
  for (const group of groups.values()) group.sort(compare)
  return groups
}

/** Ranks within each position, from 1; equals share a rank and the next one follows without a gap. */
export function denseRanks(rows: readonly Ranked[]): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const group of byCode(rows).values()) {
    let rank = 0
    for (const [i, row] of group.entries()) {
      const before = group[i - 1]
      if (!before || compare(before, row) !== 0) rank++
      ranks.set(row.id, rank)
    }
  }
  return ranks
}

/**
 * Who goes on: in each position as many as there are places, and everybody who equals the last of them.
 * @param places by position code; a code that is missing has none
 */
export function entrantsOf(rows: readonly Ranked[], places: ReadonlyMap<string, number>): Set<string> {
  const entrants = new Set<string>()
  for (const [code, group] of byCode(rows)) {
    const n = Math.min(places.get(code) ?? 0, group.length)
    const last = group[n - 1]
    if (!last) continue
    for (const row of group) if (compare(row, last) <= 0) entrants.add(row.id)
  }
  return entrants
}
