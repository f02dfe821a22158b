import { TicketStatus } from '#schemas/dictionaries'
import { isTimely } from '../../../exams/rules/act-windows.ts'
import type { SentMark } from '../../check-in/contract.ts'
import { ticketWindows } from '../../rules/act-windows.ts'
import { attendanceOf, type ConflictReason, type Mark } from '../../rules/attendance.ts'
import { verifyTicket } from '../ticket-code.ts'
import { doorFacts, type StageTimes } from './scope.ts'

/** What of a ticket decides whether a note about it is taken. */
export interface TicketAtDoor extends StageTimes {
  ticketStatus: number
  qrPayload: string
  /** Nobody is let in later. */
  latestTime: Date
  /** When notes begin to be taken. */
  openFrom: Date
}

/** What a note is judged by beside its ticket. */
interface Around {
  /** PEM of the key that proves codes. */
  publicKey: string
  now: Date
  rehearsal: boolean
}

/** Milliseconds for which a device may hold back a note of a rehearsal. */
const heldBack = 24 * 3600_000

/** What becomes of a note. */
export interface Judgement {
  /** When it happened, as far as the server's clock allows. */
  time: Date
  /** Null when it is taken as it stands. */
  conflict: ConflictReason | null
  /** Whether it goes into what the ticket says. */
  counts: boolean
}

/**
 * The time of a note: what the device says, but neither before the check-in opened nor later than now. A device whose
 * clock is wrong can so shift a note within the day of the exam, never out of it or into the future.
 */
function boundedTime(said: number, from: Date, now: Date): Date {
  return new Date(Math.max(Math.min(said, now.getTime()), Math.min(from.getTime(), now.getTime())))
}

/** A rehearsal is before the check-in, so the earliest time of its notes is another one. */
const earliest = ({ openFrom }: TicketAtDoor, { now, rehearsal }: Around): Date =>
  rehearsal ? new Date(now.getTime() - heldBack) : openFrom

/** Why it is not the time for a note. */
function notNow(ticket: TicketAtDoor, { now, rehearsal }: Around): ConflictReason | null {
  if (isTimely(rehearsal ? ticketWindows.rehearse : ticketWindows.checkIn, doorFacts(ticket), now)) return null
  return rehearsal ? 'over' : 'closed'
}

/** Reasons for which a note is kept, but does not count. */
function refusal(mark: SentMark, ticket: TicketAtDoor, around: Around): ConflictReason | null {
  const { publicKey, now, rehearsal } = around
  const untimely = notNow(ticket, around)
  if (untimely) return untimely
  if (mark.kind === 'undo') return null
  if (mark.code && !verifyTicket(mark.code, publicKey)) return 'forged'
  if (ticket.ticketStatus === TicketStatus.voided) return 'void'
  if (mark.code && mark.code !== ticket.qrPayload) return 'stale'
  // Everything can be practised in a rehearsal, at any time: the entry is neither open nor closed.
  if (rehearsal) return null
  const time = boundedTime(mark.at, ticket.openFrom, now)
  if (mark.kind === 'absent' && time < ticket.latestTime) return 'early'
  return mark.kind === 'arrive' && time > ticket.latestTime && !mark.reason ? 'late' : null
}

/** Reasons to look at a note that counts all the same. */
function clash(mark: SentMark, known: readonly Mark[]): ConflictReason | null {
  const { arrival } = attendanceOf(known)
  if (!arrival) return null
  return mark.kind === 'arrive' ? 'twice' : mark.kind === 'absent' ? 'arrived' : null
}

/**
 * Decides on a note. One that clashes with another still counts beside it: what a ticket says follows from all of them,
 * so it does not matter which came in first.
 * @param known notes about the same ticket that count, of rehearsals for a note of a rehearsal, otherwise real ones
 */
export function judge(mark: SentMark, ticket: TicketAtDoor, known: readonly Mark[], around: Around): Judgement {
  const refused = refusal(mark, ticket, around)
  const time = boundedTime(mark.at, earliest(ticket, around), around.now)
  return { time, conflict: refused ?? clash(mark, known), counts: refused === null }
}
