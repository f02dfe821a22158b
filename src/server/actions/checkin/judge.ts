import { attendanceOf, type ConflictReason, type Mark } from '../../../engine/attendance.ts'
import { verifyTicket } from '../../domain/ticket-code.ts'

/** A note as a device sends it. */
export interface SentMark extends Mark {
  ticketId: string
  reason?: string
  /** Text of the ticket's code, when it was scanned. */
  code?: string
}

/** What of a ticket decides whether a note about it is taken. */
export interface TicketAtDoor {
  ticketStatus: number
  qrPayload: string
  /** Nobody is let in later. */
  latestTime: Date
  openFrom: Date
  openUntil: Date
}

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

/** Reasons for which a note is kept, but does not count. */
function refusal(mark: SentMark, ticket: TicketAtDoor, publicKey: string, now: Date): ConflictReason | null {
  if (now < ticket.openFrom || now > ticket.openUntil) return 'closed'
  if (mark.kind === 'undo') return null
  if (mark.code && !verifyTicket(mark.code, publicKey)) return 'forged'
  if (ticket.ticketStatus === 2) return 'void'
  if (mark.code && mark.code !== ticket.qrPayload) return 'stale'
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
 * @param known notes about the same ticket that count
 * @param publicKey PEM of the key that proves codes
 */
export function judge(
  mark: SentMark,
  ticket: TicketAtDoor,
  known: readonly Mark[],
  { publicKey, now }: { publicKey: string; now: Date },
): Judgement {
  const refused = refusal(mark, ticket, publicKey, now)
  const time = boundedTime(mark.at, ticket.openFrom, now)
  return { time, conflict: refused ?? clash(mark, known), counts: refused === null }
}
