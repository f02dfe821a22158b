import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** Statements that went to the database, and how to stop listening. */
export interface Statements {
  /** Texts in the order in which they were sent. */
  readonly texts: string[]
  /** Texts that fit, counted. */
  count(pattern: RegExp): number
  stop(): void
}

const work = new AsyncLocalStorage<string[]>()

/** Texts of the statements that some work sends, and nobody else at the same time. */
export async function statementsOf(pool: pg.Pool, doWork: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const listener = listenToStatements(pool)
  try {
    await work.run(texts, doWork)
  } finally {
    listener.stop()
  }
  return texts
}

type Query = (first: string | { text: string }, ...rest: unknown[]) => unknown

/**
 * Stands between the connections of a pool and the database.
 * @param meet is given each statement before it is sent; what it answers stands in the place of the database's answer
 * @returns how to stop
 */
export function betweenStatements(
  pool: pg.Pool,
  meet: (text: string, rest: readonly unknown[]) => Promise<never> | undefined,
): () => void {
  const own = new Map<pg.PoolClient, Query>()
  const listen = (client: pg.PoolClient) => {
    if (own.has(client)) return
    const query = client.query as Query
    own.set(client, query)
    client.query = ((first: string | { text: string }, ...rest: unknown[]) =>
      meet(typeof first === 'string' ? first : first.text, rest) ?? query.call(client, first, ...rest)) as never
  }
  pool.on('acquire', listen)
  return () => {
    pool.off('acquire', listen)
    for (const [client, query] of own) client.query = query as never
  }
}

/** Listens to the statements that a pool sends, whoever sends them. */
export function listenToStatements(pool: pg.Pool): Statements {
  const texts: string[] = []
  const stop = betweenStatements(pool, text => {
    texts.push(text)
    work.getStore()?.push(text)
    return undefined
  })
  return { texts, count: pattern => texts.filter(text => pattern.test(text)).length, stop }
}
