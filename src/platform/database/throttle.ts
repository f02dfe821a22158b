import { sql } from 'kysely'
import './auth-tables.ts'
import { type AnyHandle, raw } from './live.ts'
import { apart } from './request-transaction.ts'

/**
 * Counts one more of something in one statement, so that requests that arrive together are counted one by one.
 * @param key what is counted and whose it is, for example `captcha:10.0.0.8`
 * @param seconds how long the count lasts from the first; after that it begins again
 * @returns the number so far, this one included
 */
export async function countUp(db: AnyHandle, key: string, seconds: number, now: Date): Promise<number> {
  const until = new Date(now.getTime() + seconds * 1000)
  const query = raw(db)
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
  const query = raw(db).selectNoFrom(runningCount(key, now).as('count'))
  const row = await apart(() => query.executeTakeFirst())
  return row?.count ?? 0
}
