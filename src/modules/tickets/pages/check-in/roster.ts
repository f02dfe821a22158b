import type { Seated, ToldMark } from '../../check-in/contract.ts'
import { type Attendance, attendanceOf } from '../../rules/attendance.ts'
import type { DoorState } from './door.ts'
import type { OwnMark } from './types.ts'

/** Somebody in the room and what all notes about the person come to, those that wait to be sent included. */
export interface Person extends Seated, Attendance<ToldMark | OwnMark> {
  /** True while a note about the person waits to be sent. */
  waiting: boolean
}

/** The people of a room as they stand now. */
export function peopleOf({ bundle, queue }: Pick<DoorState, 'bundle' | 'queue'>): Person[] {
  // A device may hold real notes and those of a rehearsal at once: the list shows those it is for.
  const rehearsal = bundle?.rehearsal ?? false
  const own = queue.filter(mark => mark.conflict === undefined && (mark.rehearsal ?? false) === rehearsal)
  return (bundle?.roster ?? []).map(one => {
    const waiting = own.filter(mark => mark.ticketId === one.ticketId)
    return { ...one, ...attendanceOf<ToldMark | OwnMark>([...one.marks, ...waiting]), waiting: waiting.length > 0 }
  })
}

/** How many are in each state. */
export function totalsOf(people: readonly Person[]) {
  const count = (attend: number): number => people.filter(one => one.attend === attend).length
  return { people: people.length, arrived: count(1), absent: count(2), breach: count(3) }
}

/** People by seat, part of the name, or the last digits of the ticket or ID number. */
export function found(people: readonly Person[], text: string): readonly Person[] {
  const asked = text.trim().toUpperCase()
  if (!asked) return people
  const isSeat = /^\d{1,2}$/.test(asked)
  return people.filter(
    one =>
      (isSeat && Number(one.seatNo) === Number(asked)) ||
      one.name.includes(text.trim()) ||
      (asked.length > 2 && (one.ticketNo.endsWith(asked) || one.idCard.endsWith(asked))),
  )
}
