import { lazily } from '../../../engine/lazily.ts'

/** A room of one stage. `rows` × `cols` is how its seats stand; without them six columns are assumed. */
export interface SeatRoom {
  id: string
  schoolId: string
  roomNo: string
  capacity: number
  rows?: number | null
  cols?: number | null
  /** Seats kept empty at its end. */
  reserve?: number | null
  /** Only people of this subject sit here. */
  subject?: string | null
  isSpecial?: number | boolean | null
}

/** A seat: its number (from 1) and where it stands, row and column from 1 at the front left. */
export interface Seat {
  roomId: string
  seatNo: number
  row: number
  col: number
}

/** A seat and who has it. */
export interface Placement extends Seat {
  /** The sign-up. */
  id: string
}

const natural = lazily(() => new Intl.Collator('en', { numeric: true }))

/** Rooms in the order they are filled: by site, then by number (2 before 10). */
export function inOrder(rooms: readonly SeatRoom[]): SeatRoom[] {
  const { compare } = natural()
  return [...rooms].sort((a, b) => compare(a.schoolId, b.schoolId) || compare(a.roomNo, b.roomNo))
}

/** Room to its number through the whole stage, from 1: room numbers repeat between sites, ticket numbers may not. */
export function roomSerials(rooms: readonly SeatRoom[]): Map<string, number> {
  return new Map(inOrder(rooms).map((room, i) => [room.id, i + 1]))
}

/** Columns fill one after the other; in a snake every second one from back to front. */
export function seatOf(room: SeatRoom, seatNo: number, snake: boolean): Seat {
  const rows = room.rows || Math.ceil(room.capacity / (room.cols || 6))
  const column = Math.floor((seatNo - 1) / rows)
  const step = (seatNo - 1) % rows
  const row = snake && column % 2 === 1 ? rows - step : step + 1
  return { roomId: room.id, seatNo, row, col: column + 1 }
}

/** Seats of a room that may be given out, `extra` more of them kept empty. Never negative. */
export const usable = (room: SeatRoom, extra = 0): number => Math.max(0, room.capacity - (room.reserve ?? 0) - extra)

/** Seats of all rooms that may be given out: compare with the number of people before drawing (tickets.seatsShort). */
export function capacityOf(rooms: readonly SeatRoom[], reserve = 0): number {
  return rooms.reduce((sum, room) => sum + usable(room, reserve), 0)
}
