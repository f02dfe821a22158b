import { sql } from 'kysely'
import './auth-tables.ts'
import { type AnyHandle, raw } from './live.ts'
import { apart } from './request-transaction.ts'

/** Counts belong to no tenant, and their removal leaves nothing. */
const counts = (on: AnyHandle) => raw(on)

/**
 * Counts one more of something in one statement, so that requests that arrive together are counted one by one.
 * @param key what is counted and whose it is, for example `captcha:10.0.0.8`
 * @param seconds how long the count lasts from the first; after that it begins again
 * @returns the number so far, this one included
 */
export async function countUp(db: AnyHandle, key: string, seconds: number, now: Date): Promise<number> {
  const until = new Date(now.getTime() + seconds * 1000)
  const query = counts(db)
    .insertInto('throttle')
    .values({ key, count: 1, until })
    .onConflict(clash =>
      clash.column('key').doUpdateSet({
        count: sql<number>`CASE WHEN throttle.until <= ${now} THEN 1 ELSE throttle.count + 1 END`,
        until: sql<Date>`CASE WHEN throttle.until <= ${now} THEN ${until}::timestamptz ELSE throttle.until END`,
      }),
    )
    .returning('count')
  // A request that is refused for it was counted all the same.
  const { count } = await apart(() => query.executeTakeFirstOrThrow())
  return count
}

/** How many were counted in the running period, as a part of a statement; null when it is over. */
export const runningCount = (key: string, now: Date) =>
  sql<number | null>`(SELECT count FROM throttle WHERE key = ${key} AND until > ${now}::timestamptz)`

/** How many were counted in the running period; 0 when it is over. */
export async function countOf(db: AnyHandle, key: string, now: Date): Promise<number> {
  const query = counts(db).selectNoFrom(runningCount(key, now).as('count'))
  const row = await apart(() => query.executeTakeFirst())
  return row?.count ?? 0
}

/** What takes its turn at something: whose turn it is, how long each lasts in seconds, and how many there are in a day. */
interface Turn {
  /** At what, for example `sms:text:<number>`. */
  readonly at: string
  readonly owner: string
  readonly seconds: number
  readonly perDay: number
}

/** How long a turn that was taken is remembered. */
const remembered = sql<string>`interval '48 hours'`

/**
 * Takes the next turn at something, in one statement: whoever comes while another has it gets the one after all that were taken, so that
 * everybody has it in the order of coming, whichever process asks.
 * @param isAgain the owner has had one before, and does not count twice in a day
 * @returns when it is: now, or later; where the day has no more, when it may be asked for again
 */
export async function takeTurn(
  db: AnyHandle,
  { at, owner, seconds, perDay }: Turn,
  now: Date,
  isAgain: boolean,
): Promise<Date> {
  const length = sql`make_interval(secs => ${seconds})`
  const { rows } = await sql<{ turn: Date }>`
    WITH day AS (
      INSERT INTO throttle AS t (key, count, until)
      SELECT ${`${at}:day`}, 1, ${now}::timestamptz + interval '24 hours' WHERE NOT ${isAgain}::boolean
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN t.until <= ${now} THEN 1 ELSE t.count + 1 END,
        until = CASE WHEN t.until <= ${now} THEN excluded.until ELSE t.until END
      RETURNING count, until
    ), next AS (
      INSERT INTO throttle AS t (key, count, until)
      SELECT ${`${at}:turn`}, 1, ${now}::timestamptz + ${length}
      WHERE ${isAgain}::boolean OR EXISTS (SELECT 1 FROM day WHERE day.count <= ${perDay}::int)
      ON CONFLICT (key) DO UPDATE SET until = greatest(t.until, ${now}::timestamptz) + ${length}
      RETURNING until - ${length} AS turn
    ), kept AS (
      INSERT INTO throttle (key, count, until)
      SELECT ${`${at}:${owner}`}, 1, next.turn + ${remembered} FROM next
      ON CONFLICT (key) DO UPDATE SET until = excluded.until
    )
    SELECT coalesce((SELECT turn FROM next), (SELECT until FROM day)) AS turn`.execute(counts(db))
  return rows[0]?.turn ?? now
}

/** The last turn that somebody took at something; null for none. */
export async function turnTaken(db: AnyHandle, { at, owner }: Pick<Turn, 'at' | 'owner'>): Promise<Date | null> {
  const query = counts(db)
    .selectFrom('throttle')
    .select(sql<Date>`until - ${remembered}`.as('turn'))
    .where('key', '=', `${at}:${owner}`)
  return (await query.executeTakeFirst())?.turn ?? null
}
