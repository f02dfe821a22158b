import { AttendStatus } from '#schemas/dictionaries/exam'

/** What somebody at the door notes of a person; `undo` takes an earlier note back. */
export const markKinds = ['arrive', 'absent', 'breach', 'undo'] as const

/** See {@link markKinds}. */
export type MarkKind = (typeof markKinds)[number]

/** A note about the holder of one ticket. */
export interface Mark {
  /** Given by the device that made it, so that sending it twice counts once. */
  id: string
  kind: MarkKind
  /** Milliseconds since 1970. */
  at: number
  /** Id of the note that an `undo` takes back. */
  undoes?: string | null
}

/** A key of the dictionary `attend_status`: 0 not registered, 1 arrived, 2 absent, 3 broke the rules. */
export type Attend = 0 | 1 | 2 | 3

/** Reasons for which a note is not taken as it stands. */
export const conflictReasons = [
  /** No such ticket in a room of the person who sent it. */
  'unknown',
  /** The code that came along is not one of this ticket. */
  'forged',
  /** The code is one that was withdrawn, its number given out again. */
  'stale',
  /** The ticket is void. */
  'void',
  /** Somebody else noted the arrival too; the earlier one counts. */
  'twice',
  /** Noted as absent, but has arrived. */
  'arrived',
  /** Absence before the entry is closed. */
  'early',
  /** Arrival after the entry was closed, without a reason. */
  'late',
  /** Before the check-in opens or after it has ended. */
  'closed',
  /** Made in a rehearsal, sent after the real check-in has opened. */
  'over',
] as const

/** Why a note was not taken as it stands. */
export type ConflictReason = (typeof conflictReasons)[number]

/** What all notes about a ticket come to. */
export interface Attendance<M extends Mark = Mark> {
  attend: Attend
  /** The note of the arrival that counts: the earliest. */
  arrival: M | null
  /** Notes that were not taken back, the earliest first. */
  live: M[]
}

/**
 * What all notes about one ticket come to. It does not matter in which order they came in: breaking the rules weighs more
 * than an arrival, an arrival more than an absence, and the earliest arrival is the one that counts.
 */
export function attendanceOf<M extends Mark>(marks: readonly M[]): Attendance<M> {
  const undone = new Set(marks.flatMap(mark => (mark.kind === 'undo' ? [mark.undoes] : [])))
  const live = marks
    .filter(mark => mark.kind !== 'undo' && !undone.has(mark.id))
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const arrival = live.find(mark => mark.kind === 'arrive') ?? null
  const has = (kind: MarkKind): boolean => live.some(mark => mark.kind === kind)
  return {
    attend: has('breach')
      ? AttendStatus.misconduct
      : arrival
        ? AttendStatus.present
        : has('absent')
          ? AttendStatus.absent
          : AttendStatus.unrecorded,
    arrival,
    live,
  }
}
