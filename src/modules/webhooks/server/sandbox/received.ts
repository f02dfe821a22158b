import { timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import { HookAlgorithm } from '#schemas/dictionaries'
import { signatureOf } from '../signature.ts'

/** Seconds by which the time of a message may differ from the receiver's. */
const tolerance = 300
/** What is shown and kept at most: the newest. */
const shown = 50
const kept = 1000
/** Secrets that are kept at most: the newest. */
const mostSecrets = 20

/** A message as it came. */
export interface Message {
  readonly id: string
  /** Seconds since 1970, as the header has them. */
  readonly timestamp: string
  /** Several signatures, parted by blanks. */
  readonly signature: string
  readonly isReplay: boolean
  readonly body: string
}

/** A message as the sandbox shows it. */
export interface Received {
  readonly messageId: string
  /** As the headers had them; null of what came before they were kept. */
  readonly timestamp: string | null
  readonly signature: string | null
  readonly body: string
  /** Whether it was answered with a fault, because the receiver was told to. */
  readonly refused: boolean
  readonly verified: boolean
  readonly replay: boolean
  readonly time: Date
  /** How many times it has come up to then. */
  readonly nth: number
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** Whether one of the signatures is that of one of the secrets, and the time that of now. */
function isGenuine({ id, timestamp, signature, body }: Message, secrets: readonly string[], now: Date): boolean {
  const seconds = Number(timestamp)
  if (!Number.isSafeInteger(seconds) || Math.abs(now.getTime() / 1000 - seconds) > tolerance) return false
  const given = signature.split(' ')
  const own = signatureOf({ id, timestamp: seconds, body }, secrets, HookAlgorithm.sm3).split(' ')
  return own.some(one => given.some(other => isSame(one, other)))
}

/** Hands the receiver a secret, beside those that it has. */
export async function keepSecret(pool: Pool, secret: string, now: Date): Promise<void> {
  await pool.query('INSERT INTO hook_inbox_secret (secret, time) VALUES ($1, $2) ON CONFLICT DO NOTHING', [secret, now])
  await pool.query(
    'DELETE FROM hook_inbox_secret WHERE secret NOT IN (SELECT secret FROM hook_inbox_secret ORDER BY time DESC LIMIT $1)',
    [mostSecrets],
  )
}

/** Faults with which the receiver answers at most, one after another. */
export const mostFaults = 9

/** Has the receiver answer so many of the next messages with a fault. */
export async function answerFaults(pool: Pool, num: number): Promise<void> {
  await pool.query('UPDATE hook_inbox_fault SET num = $1', [num])
}

/** How many of the next messages it answers with a fault. */
export async function faultsLeft(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ num: number }>('SELECT num FROM hook_inbox_fault')
  return rows[0]?.num ?? 0
}

/** Takes a message and keeps it, whoever has sent it. @returns whether it is from us, or is answered with a fault all the same */
export async function receive(pool: Pool, message: Message, now: Date): Promise<'taken' | 'strange' | 'refused'> {
  const { rows } = await pool.query<{ secret: string }>('SELECT secret FROM hook_inbox_secret')
  const verified = isGenuine(
    message,
    rows.map(({ secret }) => secret),
    now,
  )
  const fault = await pool.query('UPDATE hook_inbox_fault SET num = num - 1 WHERE num > 0 RETURNING num')
  const refused = fault.rows.length > 0
  const { id, body, isReplay, timestamp, signature } = message
  await pool.query(
    `INSERT INTO hook_inbox ("messageId", "timestamp", signature, body, verified, replay, refused, time)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, timestamp, signature, body, verified, isReplay, refused, now],
  )
  await pool.query(
    'DELETE FROM hook_inbox WHERE id <= (SELECT id FROM hook_inbox ORDER BY id DESC OFFSET $1 LIMIT 1)',
    [kept],
  )
  if (refused) return 'refused'
  return verified ? 'taken' : 'strange'
}

/** The last messages, newest first. */
export async function received(pool: Pool): Promise<Received[]> {
  const { rows } = await pool.query<Received>(
    `SELECT "messageId", "timestamp", signature, body, verified, replay, refused, time,
      (SELECT count(*)::int FROM hook_inbox o WHERE o."messageId" = i."messageId" AND o.id <= i.id) AS nth
     FROM hook_inbox i ORDER BY id DESC LIMIT $1`,
    [shown],
  )
  return rows
}
