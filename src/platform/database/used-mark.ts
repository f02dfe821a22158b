import type pg from 'pg'
import { batchQueries } from './batch-queries.ts'
import { oftenAsked } from './often.ts'

interface Mark {
  mark: string
  until: Date
}

// In one order, so that two processes that use the same marks never wait for each other.
const spendQuery = `INSERT INTO used_nonce (nonce, until) SELECT mark, until FROM unnest($1::text[], $2::timestamptz[]) AS n (mark, until)
ORDER BY mark ON CONFLICT DO NOTHING RETURNING nonce`

const spenders = new WeakMap<pg.Pool, (one: Mark) => Promise<boolean>>()

function spenderOf(pool: pg.Pool): (one: Mark) => Promise<boolean> {
  return batchQueries(async marks => {
    const values = [marks.map(one => one.mark), marks.map(one => one.until)]
    const { rows } = await pool.query<{ nonce: string }>(oftenAsked(spendQuery, values))
    const free = new Set(rows.map(row => row.nonce))
    // Of two that come with the same mark at the same moment the first has it.
    return marks.map(({ mark }) => free.delete(mark))
  })
}

/**
 * Uses a mark that serves once in all processes, such as the number of a page or a solved calculation. It is kept whatever becomes
 * of the request. Those of the same moment are written with one statement.
 * @param until when it may be forgotten, because it serves no more anyway
 * @returns false when it was used before
 */
export function spendMark({ pool }: { pool: pg.Pool }, mark: string, until: Date): Promise<boolean> {
  let spend = spenders.get(pool)
  if (!spend) {
    spend = spenderOf(pool)
    spenders.set(pool, spend)
  }
  return spend({ mark, until })
}

/** Those of some marks that were used. */
export async function spentMarks({ pool }: { pool: pg.Pool }, marks: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ nonce: string }>('SELECT nonce FROM used_nonce WHERE nonce = ANY($1)', [marks])
  return rows.map(row => row.nonce)
}
