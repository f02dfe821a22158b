import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool } from 'pg'
import { checkPlaces } from '../../src/modules/sign-up/server/place-check.ts'
import type { Database, Reader } from '../../src/platform/database/database.ts'
import type { TestApp } from './app.ts'

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

/**
 * Has the database read the counts of places before it moves them, as if nobody else did so meanwhile, while something is done;
 * which shows that the moving statement decides. The counts are put right afterwards.
 */
export async function readBeforeMoving({ app }: TestApp, work: () => Promise<void>): Promise<void> {
  const { rows } = await app.pool.query(`SELECT pg_get_functiondef('place_settle'::regproc) AS text`)
  const { text } = rows[0] as { text: string }
  const moving = /INSERT INTO place_count AS c[\s\S]*?INTO stands;/
  if (!moving.test(text)) throw new Error('Nothing moves the counts of places.')
  // What is left is not counted meanwhile: those who leave the same position would wait for one another. Nobody waits at the count of
  // the exam as a whole, which comes second: that of the position is locked by then.
  const reading = `CONTINUE WHEN move.taken <= 0;
    SELECT coalesce(max(taken), 0) + move.taken INTO stands FROM place_count
      WHERE "examId" = move."examId" AND code = move.code;
    IF NOT move.whole THEN PERFORM pg_sleep(1.5); END IF;
    INSERT INTO place_count ("examId", code, taken) VALUES (move."examId", move.code, stands)
      ON CONFLICT ("examId", code) DO UPDATE SET taken = excluded.taken;`
  await app.pool.query(text.replace(moving, reading))
  try {
    await work()
  } finally {
    await app.pool.query(text)
    await checkPlaces(app)
  }
}
