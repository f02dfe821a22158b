import type pg from 'pg'

/** Sends a statement that may work for longer than one of a request: thousands of rows that a test begins with. */
export async function bulk(pool: pg.Pool, text: string, values: readonly unknown[] = []): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN; SET LOCAL statement_timeout = 0')
    await client.query({ text, values: [...values], query_timeout: 600_000 } as pg.QueryConfig)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
