import os from 'node:os'
import type pg from 'pg'
import { clientBeside } from '../database/hosts.ts'
import { beginHold } from '../files/file-hold.ts'

/** A connection of one's own past any pooler, without the limits of time that requests have. */
export async function openBeside(pool: pg.Pool, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const options = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'
  const client = clientBeside(pool, { query_timeout: 0, options, ...more })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Seconds for which files are held back after the last word of who takes a backup, and milliseconds between two. */
const hold = 120
const beat = 20_000

/** What came of a backup. */
export interface Taken {
  readonly file: string
  readonly bytes: number
}

/**
 * Enters a backup, holds files back while it is being taken, and notes what came of it.
 * @param work takes it; its signal is aborted when files are no longer held back
 * @throws what the work throws, which is noted, and when the database cannot be told that it still runs
 */
export async function asRun<T extends Taken>(
  pool: pg.Pool,
  { kind, file, isOwn }: { kind: 'physical' | 'logical'; file: string; isOwn: boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const client = await openBeside(pool)
  try {
    const id = await beginHold(client, async () => {
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO backup_run (kind, state, host, file, "isOwn", "holdUntil")
         VALUES ($1, 'running', $2, $3, $4, clock_timestamp() + make_interval(secs => $5)) RETURNING id`,
        [kind, os.hostname().slice(0, 64), file, isOwn, hold],
      )
      return rows[0]!.id
    })
    const lost = new AbortController()
    const timer = setInterval(() => {
      client
        .query(`UPDATE backup_run SET "holdUntil" = clock_timestamp() + make_interval(secs => $2) WHERE id = $1`, [
          id,
          hold,
        ])
        .catch(error => lost.abort(new Error(`Files are no longer held back: ${error.message}`, { cause: error })))
    }, beat)
    try {
      const taken = await work(lost.signal)
      await end(client, id, 'done', taken.bytes, null)
      return taken
    } catch (error) {
      await end(client, id, 'failed', null, (error as Error).message.slice(0, 1000)).catch(() => {})
      throw error
    } finally {
      clearInterval(timer)
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function end(
  client: pg.Client,
  id: string,
  state: string,
  bytes: number | null,
  reason: string | null,
): Promise<void> {
  await client.query(
    `UPDATE backup_run SET state = $2, bytes = $3, reason = $4, ended = clock_timestamp(), "holdUntil" = NULL WHERE id = $1`,
    [id, state, bytes, reason],
  )
}
