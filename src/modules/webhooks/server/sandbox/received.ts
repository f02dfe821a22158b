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
  readonly body: string
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

/** Takes a message and keeps it, whoever has sent it. @returns whether it is from us */
export async function receive(pool: Pool, message: Message, now: Date): Promise<boolean> {
  const { rows } = await pool.query<{ secret: string }>('SELECT secret FROM hook_inbox_secret')
  const verified = isGenuine(
    message,
    rows.map(({ secret }) => secret),
    now,
  )
  const { id, body, isReplay } = message
  await pool.query(
    'INSERT INTO hook_inbox ("messageId", body, verified, replay, time) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [id, body, verified, isReplay, now],
  )
  await pool.query(
    'DELETE FROM hook_inbox WHERE id <= (SELECT id FROM hook_inbox ORDER BY id DESC OFFSET $1 LIMIT 1)',
    [kept],
  )
  return verified
}

/** The last messages, newest first. */
export async function received(pool: Pool): Promise<Received[]> {
  const { rows } = await pool.query<Received>(
    `SELECT "messageId", body, verified, replay, time,
      (SELECT count(*)::int FROM hook_inbox o WHERE o."messageId" = i."messageId" AND o.id <= i.id) AS nth
     FROM hook_inbox i ORDER BY id DESC LIMIT $1`,
    [shown],
  )
  return rows
}
