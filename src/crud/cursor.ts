import { sql } from 'kysely'
import type pg from 'pg'
import { beginning, patiently } from '../platform/database/request-transaction.ts'
import { type Fragment, statement } from './fragment.ts'

/** Rows fetched at first, and from then on: a small list is read at once, a large one in parts that are soon forgotten. */
const portions = { first: 2001, next: 100 } as const

/**
 * The rows of a query as JSON texts, some at a time and only when they are asked for, all as they stood at the first. The
 * connection is free again before the last of them are given: a slow reader of a small list holds none.
 */
export async function* readByCursor(pool: pg.Pool, query: Fragment): AsyncGenerator<readonly string[]> {
  const client = await pool.connect()
  let last: string[] = []
  try {
    await client.query(beginning('BEGIN READ ONLY'))
    await client.query(
      statement(sql`DECLARE rows NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS row FROM (${query}) r`),
    )
    for (let size: number = portions.first; ; size = portions.next) {
      const { rows } = await client.query<{ row: string }>(patiently(`FETCH ${size} FROM rows`))
      const texts = rows.map(({ row }) => row)
      if (texts.length < size) {
        last = texts
        break
      }
      yield texts
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
  if (last.length > 0) yield last
}
