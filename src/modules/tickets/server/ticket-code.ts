import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { payloadBytes, readTicketCode, type TicketPayload, ticketCode } from '../rules/ticket-payload.ts'

export type { TicketPayload }

/** A new Ed25519 pair in PEM: the private one stays with the exam, the public one goes to whoever checks tickets. */
export function newTicketKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}

/** The name's first character and a hash bound to the ticket: enough to compare at the door, too little to look up. */
export function nameMark(name: string, ticketNo: string): string {
  const hash = createHash('sha256')
    .update(`${ticketNo}\n${name.normalize('NFC')}`)
    .digest('base64url')
  return `${[...name][0] ?? ''}${hash.slice(0, 8)}`
}

/** Signing a whole exam reads its key once. */
const keys = new Map<string, KeyObject>()

function keyOf(pem: string, read: (pem: string) => KeyObject): KeyObject {
  const key = keys.get(pem) ?? read(pem)
  if (keys.size > 100) keys.clear()
  keys.set(pem, key)
  return key
}

/** The text of a ticket's QR code. Throws RangeError when the payload is too long for it. */
export function signTicket(payload: TicketPayload, privateKeyPem: string): string {
  const bytes = payloadBytes(payload)
  return ticketCode(bytes, sign(null, bytes, keyOf(privateKeyPem, createPrivateKey)))
}

/** What a code says, or null when it is not one of ours or was not signed with this exam's key. */
export function verifyTicket(code: string, publicKeyPem: string): TicketPayload | null {
  const read = readTicketCode(code)
  if (!read) return null
  const genuine = verify(null, read.bytes, keyOf(publicKeyPem, createPublicKey), read.signature)
  return genuine ? read.payload : null
}
