/** What a ticket's code says. Times are seconds since 1970. */
export interface TicketPayload {
  tenant: string
  itemId: string
  ticketNo: string
  /** First character of the name and a short hash of the whole. */
  name: string
  room: string
  seat: string
  start: number
  /** Which of the exam's keys signed it. */
  keyId: string
  /** Counts re-issues; a lower one than the current is void. */
  issue: number
}

/** Bytes of a payload at most, so that the code stays within QR version 12 at level M. */
const payloadLimit = 180
const version = 1
/** An Ed25519 signature. */
const signatureLength = 64
/** Marks the text as a ticket of ours. */
const prefix = 'JX1:'
/** QR's alphanumeric characters: the code needs a third less room than base64 would (RFC 9285). */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:'

function toBase45(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 2) {
    const pair = i + 1 < bytes.length
    const n = pair ? bytes[i]! * 256 + bytes[i + 1]! : bytes[i]!
    text += alphabet[n % 45]! + alphabet[Math.floor(n / 45) % 45]!
    if (pair) text += alphabet[Math.floor(n / 2025)]!
  }
  return text
}

function fromBase45(text: string): Uint8Array | null {
  if (text.length % 3 === 1) return null
  const bytes: number[] = []
  for (let i = 0; i < text.length; i += 3) {
    const digits = [...text.slice(i, i + 3)].map(char => alphabet.indexOf(char))
    const n = digits.reduceRight((sum, digit) => sum * 45 + digit, 0)
    const full = digits.length === 3
    if (digits.includes(-1) || n > (full ? 0xffff : 0xff)) return null
    if (full) bytes.push(n >> 8)
    bytes.push(n & 0xff)
  }
  return Uint8Array.from(bytes)
}

/** A payload as the bytes that are signed. Throws RangeError above {@link payloadLimit}. */
export function payloadBytes(payload: TicketPayload): Uint8Array {
  const { tenant, itemId, ticketNo, name, room, seat, start, keyId, issue } = payload
  const list = [version, tenant, itemId, ticketNo, name, room, seat, start, keyId, issue]
  const bytes = new TextEncoder().encode(JSON.stringify(list))
  if (bytes.length > payloadLimit) throw new RangeError(`ticket payload of ${bytes.length} bytes`)
  return bytes
}

/** Payload and signature as the text of the QR code. */
export function ticketCode(payload: Uint8Array, signature: Uint8Array): string {
  const all = new Uint8Array(signature.length + payload.length)
  all.set(signature)
  all.set(payload, signature.length)
  return prefix + toBase45(all)
}

const isPayload = (list: unknown): list is [1, ...string[]] =>
  Array.isArray(list) &&
  list.length === 10 &&
  list[0] === version &&
  list.every((value, i) => typeof value === (i === 0 || i === 7 || i === 9 ? 'number' : 'string'))

/**
 * Takes a scanned code apart; null when it is none of ours. What it says counts only once `signature` over `bytes`
 * has been verified with the exam's public key.
 */
export function readTicketCode(
  code: string,
): { payload: TicketPayload; bytes: Uint8Array<ArrayBuffer>; signature: Uint8Array<ArrayBuffer> } | null {
  const all = code.startsWith(prefix) ? fromBase45(code.slice(prefix.length)) : null
  if (!all || all.length <= signatureLength || all.length > signatureLength + payloadLimit) return null
  const bytes = Uint8Array.from(all.subarray(signatureLength))
  const signature = Uint8Array.from(all.subarray(0, signatureLength))
  const list = parsed(bytes)
  if (!isPayload(list)) return null
  const [, tenant, itemId, ticketNo, name, room, seat, start, keyId, issue] = list as unknown as [
    number,
    string,
    string,
    string,
    string,
    string,
    string,
    number,
    string,
    number,
  ]
  return { payload: { tenant, itemId, ticketNo, name, room, seat, start, keyId, issue }, bytes, signature }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return null
  }
}
