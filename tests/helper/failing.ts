import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** Counts down to the statement that fails. */
interface Count {
  left: number
}

const counts = new AsyncLocalStorage<Count>()

type Query = (first: string | { text: string }, ...rest: unknown[]) => unknown

/**
 * Does some work of which one statement within a transaction fails, as if the connection had broken: what is open is rolled back.
 * @param nth which statement it is, from 1; those that begin and end transactions are not counted
 * @returns whether the work came so far
 */
export async function failingAt(pool: pg.Pool, nth: number, work: () => Promise<unknown>): Promise<boolean> {
  const own = new Map<pg.PoolClient, Query>()
  const watch = (client: pg.PoolClient) => {
    if (own.has(client)) return
    const query = client.query as Query
    own.set(client, query)
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      const text = typeof first === 'string' ? first : first.text
      const count = counts.getStore()
      const isCounted = !/^\s*(begin|commit|rollback|start transaction)/i.test(text)
      // Calls with a callback are those of the pool itself, outside of transactions.
      const isOfPool = typeof rest.at(-1) === 'function'
      if (count && isCounted && !isOfPool && --count.left === 0)
        return Promise.reject(new Error('the statement was lost'))
      return query.call(client, first, ...rest)
    }) as never
  }
  const count = { left: nth }
  pool.on('acquire', watch)
  try {
    await counts.run(count, work)
  } finally {
    pool.off('acquire', watch)
    for (const [client, query] of own) client.query = query as never
  }
  return count.left <= 0
}
