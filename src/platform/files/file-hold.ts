import { sql } from 'kysely'
import type pg from 'pg'
import type { Storage } from '../channels/storage/index.ts'
import type { Stores } from '../channels/storage/stores.ts'
import type { Reader } from '../database/database.ts'
import { apart } from '../database/request-transaction.ts'

declare module '../database/tables.ts' {
  interface InternalTables {
    backup_run: {
      id: string
      kind: 'physical' | 'logical'
      state: 'running' | 'done' | 'failed'
      host: string
      /** Where the backup is, on that host. */
      file: string
      began: Date
      ended: Date | null
      bytes: string | null
      reason: string | null
      /** The server took it by itself. */
      isOwn: boolean
      /** Until when no file is removed because of it; null when it has ended. */
      holdUntil: Date | null
    }
    file_leaving: { key: string; since: Date }
  }
}

/** Shared by who removes a file while it does, taken alone by who begins to hold files back. */
const holdLock = 811_000_005

/** SQL that is true while a backup is being taken. */
const isHeld = sql<boolean>`EXISTS (SELECT 1 FROM backup_run WHERE "holdUntil" > clock_timestamp())`

/**
 * Does something from which on no file is removed, for example enters a row of `backup_run`: removals that had begun before have
 * ended when it is done.
 * @param client a connection of its own
 */
export async function beginHold<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN')
  try {
    await client.query('SET LOCAL lock_timeout = 0')
    await client.query('SELECT pg_advisory_xact_lock($1)', [holdLock])
    const done = await work()
    await client.query('COMMIT')
    return done
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * Removes a file, or notes that it is to be removed when no backup is being taken any more.
 * @returns whether it was removed
 */
function removeUnheld(db: Reader, storage: Storage, key: string): Promise<boolean> {
  return db.transaction().execute(async trx => {
    // A backup that begins waits for removals that run, and others behind it.
    await sql`SET LOCAL lock_timeout = '1min'`.execute(trx)
    await sql`SELECT pg_advisory_xact_lock_shared(${holdLock})`.execute(trx)
    const { rows } = await sql<{ held: boolean }>`SELECT ${isHeld} AS held`.execute(trx)
    if (rows[0]?.held) {
      await sql`INSERT INTO file_leaving (key) VALUES (${key}) ON CONFLICT DO NOTHING`.execute(trx)
      return false
    }
    await storage.remove(key)
    await trx.deleteFrom('file_leaving').where('key', '=', key).execute()
    return true
  })
}

/** Storages of which no file is removed while a backup is being taken. */
export const heldBack = ({ db }: { db: Reader }, stores: Stores): Stores => ({
  ...stores,
  remove: key => apart(async () => void (await removeUnheld(db, stores, key))),
})

/** Files of one round; the rest waits for the next. */
const atOnce = 500

/**
 * Removes files that were held back, once no backup is being taken.
 * @param note told of those that could not be removed; they are tried again
 */
export async function removeLeft(
  { db, storage }: { db: Reader; storage: Stores },
  note: (key: string, err: unknown) => void,
): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM file_leaving WHERE NOT ${isHeld} ORDER BY random() LIMIT ${atOnce}`.execute(db)
  for (const { key } of rows) await storage.remove(key).catch(err => note(key, err))
}
