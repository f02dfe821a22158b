import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'
import type { Database, Reader } from '../../src/platform/database/database.ts'

/** A statement that takes no locks by name or of the rows it reads; an advisory lock becomes a number nobody waits for. */
const unlock = (text: string): string =>
  text
    .replace(/ for (?:no key )?(?:update|share)(?: of "\w+"(?:, "\w+")*)?/gi, '')
    .replace('pg_advisory_xact_lock(', 'abs(')

interface Options {
  /** False leaves the locks as they are, for the same pause with them. */
  unlocked: boolean
  /** The query after whose answer it waits, told by its text: the moment between reading and writing. */
  after: RegExp
  pause: () => Promise<unknown>
}

/**
 * Stands in for a database: it takes no locks and stretches the moment between reading and writing, which shows what the locks
 * are for. Handles that are made of it, whatever they are limited to, speak to it, too.
 */
export function lockDouble({ pool }: { pool: Pool }, { unlocked, after, pause }: Options): Reader {
  const connect = async () => {
    const client = await pool.connect()
    const query = async (text: string, values: unknown[]) => {
      const result = await client.query(unlocked ? unlock(text) : text, values)
      if (after.test(text)) await pause()
      return result
    }
    return { query, release: () => client.release() } as unknown as PostgresPoolClient
  }
  const doubled: PostgresPool = { connect, end: async () => undefined }
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: doubled }) }) as unknown as Reader
}
