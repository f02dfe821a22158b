import { positionKey, type SeatPerson } from './seat-order.ts'
import type { Placement } from './seat-room.ts'

const spot = (roomId: string, row: number, col: number) => `${roomId}/${row}/${col}`

/** Before, behind, left and right. */
const sides = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const

/** Seats by where they stand, and what is needed to ask who sits beside whom. */
class Neighbourhood {
  readonly #at: Map<string, Placement>
  readonly #position: Map<string, string>

  constructor(placements: readonly Placement[], people: readonly SeatPerson[]) {
    this.#at = new Map(placements.map(one => [spot(one.roomId, one.row, one.col), one]))
    this.#position = new Map(people.map(person => [person.id, positionKey(person)]))
  }

  /** Neighbours of a seat who are of the same position as `id`. */
  clashes(seat: Placement, id = seat.id): Placement[] {
    const own = this.#position.get(id)
    return sides.flatMap(([down, right]) => {
      const other = this.#at.get(spot(seat.roomId, seat.row + down, seat.col + right))
      return other && other.id !== id && this.#position.get(other.id) === own ? [other] : []
    })
  }
}

/** Pairs of neighbours of one unit and position, each once. */
export function touching(placements: readonly Placement[], people: readonly SeatPerson[]): [string, string][] {
  const around = new Neighbourhood(placements, people)
  return placements.flatMap(seat =>
    around
      .clashes(seat)
      .filter(other => seat.id < other.id)
      .map((other): [string, string] => [seat.id, other.id]),
  )
}

/** Tries for one clash: more finds little, and the draw must stay quick for thousands. */
const tries = 40

/**
 * Swaps people who sit beside someone of their own position with others drawn from the same kind of seat, wherever
 * that leaves fewer clashes. Seats given by hand stay. Changes the placements in place.
 */
export function separate(
  placements: readonly Placement[],
  people: readonly SeatPerson[],
  fixed: ReadonlySet<string>,
  random: () => number,
  kindOf: (person: SeatPerson) => string,
): void {
  const around = new Neighbourhood(placements, people)
  const kinds = new Map(people.map(person => [person.id, kindOf(person)]))
  const movable = placements.filter(one => !fixed.has(one.id))
  const pools = new Map<string, Placement[]>()
  for (const one of movable) {
    const kind = kinds.get(one.id)!
    const pool = pools.get(kind)
    if (pool) pool.push(one)
    else pools.set(kind, [one])
  }
  for (const seat of movable) {
    for (let i = 0; i < tries && around.clashes(seat).length > 0; i++) {
      const pool = pools.get(kinds.get(seat.id)!)!
      trySwap(around, seat, pool[Math.floor(random() * pool.length)]!)
    }
  }
}

/** Exchanges two people unless that leaves as many clashes as before. */
function trySwap(around: Neighbourhood, a: Placement, b: Placement): void {
  const before = around.clashes(a).length + around.clashes(b).length
  ;[a.id, b.id] = [b.id, a.id]
  if (around.clashes(a).length + around.clashes(b).length < before) return
  ;[a.id, b.id] = [b.id, a.id]
}
