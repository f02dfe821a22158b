import { randomHex, seeded } from '../../../platform/vault/random.ts'
import { separate, touching } from './seat-neighbours.ts'
import { grouped, type SeatPerson, type Strategy, seatOrder } from './seat-order.ts'
import { inOrder, type Placement, type SeatRoom, seatOf, usable } from './seat-room.ts'

export interface DrawOptions {
  strategy: Strategy
  /** What was drawn with before, to get the same plan again; a new one is made without it. */
  seed?: string | null
  /** Columns run up and down in turn. */
  snake?: boolean
  /** People who differ in one of these never share a room. */
  groupBy?: readonly ('type' | 'unit' | 'code' | 'subject')[]
  /** Seats kept empty in every room beside its own reserve. */
  reserve?: number
  /** Seats given by hand before the draw. */
  fixed?: readonly { id: string; roomId: string; seatNo: number }[]
}

export interface SeatPlan {
  placements: Placement[]
  unplaced: { id: string; reason: string }[]
  /** Pairs of neighbours of one unit and position that strategy 3 could not part. */
  conflicts: [string, string][]
  seed: string
}

interface Draw {
  people: readonly SeatPerson[]
  rooms: readonly SeatRoom[]
  options: DrawOptions
  random: () => number
  taken: Map<string, Set<number>>
  placements: Placement[]
  unplaced: SeatPlan['unplaced']
  /** Which group a room belongs to once somebody of it sits there. */
  owner: Map<string, string>
}

const groupKey = (person: SeatPerson, fields: DrawOptions['groupBy'] = []): string =>
  [person.special ? '1' : '0', ...fields.map(field => person[field] ?? '')].join('\u0000')

const isSpecial = (room: SeatRoom): boolean => room.isSpecial === 1 || room.isSpecial === true

function seatsTaken(draw: Draw, roomId: string): Set<number> {
  const seats = draw.taken.get(roomId) ?? new Set<number>()
  draw.taken.set(roomId, seats)
  return seats
}

/** Seats given by hand come first; a seat that does not exist, or given twice, leaves its person unplaced. */
function placeFixed(draw: Draw): Set<string> {
  const placed = new Set<string>()
  const people = new Map(draw.people.map(person => [person.id, person]))
  for (const { id, roomId, seatNo } of draw.options.fixed ?? []) {
    const person = people.get(id)
    const room = draw.rooms.find(one => one.id === roomId)
    if (!person || placed.has(id)) continue
    placed.add(id)
    const seats = seatsTaken(draw, roomId)
    const free = room && seatNo >= 1 && seatNo <= room.capacity && !seats.has(seatNo)
    if (!free) draw.unplaced.push({ id, reason: '指定的座位不存在或已被占用' })
    else seat(draw, person, room, seatNo)
  }
  return placed
}

function seat(draw: Draw, person: SeatPerson, room: SeatRoom, seatNo: number): void {
  seatsTaken(draw, room.id).add(seatNo)
  if (!draw.owner.has(room.id)) draw.owner.set(room.id, groupKey(person, draw.options.groupBy))
  draw.placements.push({ id: person.id, ...seatOf(room, seatNo, draw.options.snake === true) })
}

/** Free seats of a room for people of a group and subject, lowest first. */
function freeSeats(draw: Draw, room: SeatRoom): number[] {
  const seats = seatsTaken(draw, room.id)
  const most = usable(room, draw.options.reserve)
  const free = Array.from({ length: room.capacity }, (_, i) => i + 1).filter(seatNo => !seats.has(seatNo))
  return free.slice(0, Math.max(0, most - seats.size))
}

/** Fills rooms one after the other with one group; rooms begun by another group stay closed to it. */
function placeGroup(draw: Draw, people: readonly SeatPerson[]): void {
  const key = groupKey(people[0]!, draw.options.groupBy)
  const special = people[0]!.special === true
  for (const subject of grouped(people, person => person.subject ?? '')) {
    const wanted = subject[0]!.subject ?? ''
    const open = (room: SeatRoom) =>
      isSpecial(room) === special &&
      (!room.subject || room.subject === wanted) &&
      (draw.owner.get(room.id) ?? key) === key
    const own = draw.rooms.filter(room => open(room) && room.subject)
    const any = draw.rooms.filter(room => open(room) && !room.subject)
    fill(draw, seatOrder(subject, draw.options.strategy, draw.random), [...own, ...any])
  }
}

function fill(draw: Draw, queue: SeatPerson[], rooms: readonly SeatRoom[]): void {
  let next = 0
  for (const room of rooms) {
    if (next === queue.length) return
    for (const seatNo of freeSeats(draw, room)) {
      const person = queue[next]
      if (!person) return
      seat(draw, person, room, seatNo)
      next++
    }
  }
  const reason = queue[0]?.special ? '特殊考场座位不足' : '座位不足'
  for (const person of queue.slice(next)) draw.unplaced.push({ id: person.id, reason })
}

/**
 * Gives everyone a seat. The same people, rooms, options and seed give the same plan whatever order they come in, so a
 * plan can be checked afterwards from its recorded seed. Nobody is seated twice and no seat is given twice; who finds
 * no seat is in `unplaced` with the reason.
 */
export function drawSeats(people: readonly SeatPerson[], rooms: readonly SeatRoom[], options: DrawOptions): SeatPlan {
  const seed = options.seed || randomHex(8)
  const draw: Draw = {
    people,
    rooms: inOrder(rooms),
    options,
    random: seeded(seed),
    taken: new Map(),
    placements: [],
    unplaced: [],
    owner: new Map(),
  }
  const fixed = placeFixed(draw)
  const waiting = people.filter(person => !fixed.has(person.id))
  for (const group of grouped(waiting, person => groupKey(person, options.groupBy))) placeGroup(draw, group)
  const { placements, unplaced } = draw
  if (options.strategy !== 3) return { placements, unplaced, conflicts: [], seed }
  separate(
    placements,
    people,
    fixed,
    draw.random,
    person => `${groupKey(person, options.groupBy)}\u0001${person.subject ?? ''}`,
  )
  return { placements, unplaced, conflicts: touching(placements, people), seed }
}
