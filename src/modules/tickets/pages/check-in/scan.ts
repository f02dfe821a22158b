import type { Bundle, RoomPlace } from '../../check-in/contract.ts'
import { readTicketCode } from '../../rules/ticket-payload.ts'

/** What a code, or a number that was typed, turns out to be. */
export type Verdict =
  /** Somebody of this room. */
  | { kind: 'person'; ticketId: string; code?: string }
  /** A genuine ticket for another room of the stage; undefined when that room is gone. */
  | { kind: 'otherRoom'; room: RoomPlace; seat: string }
  /** No ticket code of ours. */
  | { kind: 'foreign' }
  /** The signature does not fit. */
  | { kind: 'forged' }
  /** Another stage or exam. */
  | { kind: 'otherExam' }
  | { kind: 'void' }
  /** Withdrawn, its number given out again. */
  | { kind: 'stale' }
  /** Says this room, but nobody of it has this ticket. */
  | { kind: 'unlisted' }
  /** Nothing fits what was typed. */
  | { kind: 'nobody' }

/** The bytes of a base64 text. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), char => char.charCodeAt(0))

/** Whether a signature fits. Null where the browser does not know the algorithm. */
async function isGenuine(
  pem: string,
  { bytes, signature }: { bytes: Uint8Array<ArrayBuffer>; signature: Uint8Array<ArrayBuffer> },
): Promise<boolean | null> {
  const der = bytesOf(pem.replace(/-----[A-Z ]+-----|\s/g, ''))
  try {
    const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'Ed25519' }, key, signature, bytes)
  } catch {
    return null
  }
}

/** SHA-256 of a text, base64url: rosters know codes by it. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** A number without the mark of its issue, and the serial of its room in it. */
const partsOf = (ticketNo: string): { base: string; serial: number } => {
  const base = ticketNo.replace(/-\d+$/, '')
  return { base, serial: Number(base.slice(-5, -2)) }
}

/** Where somebody belongs whose ticket is none of this room's, by its number. */
function elsewhere(ticketNo: string, seat: string, { room, rooms }: Bundle): Verdict {
  const { serial } = partsOf(ticketNo)
  const there = rooms.find(one => one.serial === serial)
  return there && there.roomId !== room.roomId ? { kind: 'otherRoom', room: there, seat } : { kind: 'unlisted' }
}

/**
 * Judges a scanned code without a network. A code that is word for word one of the roster's is good whatever the browser
 * can compute; all others get a reason for which nobody is let in.
 */
export async function judgeCode(text: string, bundle: Bundle): Promise<Verdict> {
  const read = readTicketCode(text)
  if (!read) return { kind: 'foreign' }
  const { payload } = read
  if ((await isGenuine(bundle.publicKey, read)) === false) return { kind: 'forged' }
  if (payload.tenant !== bundle.room.tenantId || payload.itemId !== bundle.room.itemId) return { kind: 'otherExam' }
  const mark = await digest(text)
  const holder = bundle.roster.find(one => one.code === mark)
  if (holder) return { kind: 'person', ticketId: holder.ticketId, code: text }
  if (bundle.revoked.includes(payload.ticketNo)) return { kind: 'void' }
  if (bundle.roster.some(one => one.ticketNo === payload.ticketNo)) return { kind: 'stale' }
  return elsewhere(payload.ticketNo, payload.seat, bundle)
}

/** Judges a seat or a ticket number that was typed: it proves nothing, so the face has to. */
export function judgeTyped(text: string, bundle: Bundle): Verdict {
  const asked = text.trim().toUpperCase()
  const isSeat = /^\d{1,2}$/.test(asked)
  const holder = bundle.roster.find(one =>
    isSeat ? Number(one.seatNo) === Number(asked) : one.ticketNo.toUpperCase() === asked,
  )
  if (holder) return { kind: 'person', ticketId: holder.ticketId }
  if (bundle.revoked.some(one => one.toUpperCase() === asked)) return { kind: 'void' }
  // Exam and stage stand before the type, the room and the seat.
  const stage = partsOf(bundle.roster[0]?.ticketNo ?? '').base.slice(0, -7)
  const isOfStage = stage !== '' && asked.startsWith(stage) && /^\d{7}(-\d+)?$/.test(asked.slice(stage.length))
  return isOfStage ? elsewhere(asked, partsOf(asked).base.slice(-2), bundle) : { kind: 'nobody' }
}
