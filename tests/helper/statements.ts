import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

/** A server under test: its own pool is meant, which leads to a pooler where there is one, and not the way past it. */
export interface Sending {
  readonly app: Pick<FastifyInstance, 'pool'>
}

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
export async function statementsOf(server: Sending, doWork: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const listener = listenToStatements(server)
  try {
    await work.run(texts, doWork)
  } finally {
    listener.stop()
  }
  return texts
}

type Query = (first: string | { text: string; values?: unknown[] }, ...rest: unknown[]) => unknown

/**
 * Stands between the connections of a server and the database.
 * @param meet is given each statement, and what is sent with it, before it is sent; what it answers stands in the place of the database's answer
 * @returns how to stop
 */
export function betweenStatements(
  { app: { pool } }: Sending,
  meet: (text: string, rest: readonly unknown[]) => Promise<never> | undefined,
): () => void {
  const own = new Map<pg.PoolClient, Query>()
  const listen = (client: pg.PoolClient) => {
    if (own.has(client)) return
    const query = client.query as Query
    own.set(client, query)
    client.query = ((first: string | { text: string; values?: unknown[] }, ...rest: unknown[]) => {
      const [text, given] = typeof first === 'string' ? [first, rest] : [first.text, [first.values, ...rest]]
      return meet(text, given) ?? query.call(client, first, ...rest)
    }) as never
  }
  pool.on('acquire', listen)
  return () => {
    pool.off('acquire', listen)
    // Nothing of its own is left to a client that had nothing.
    for (const [client, query] of own)
      if (query === Object.getPrototypeOf(client).query) Reflect.deleteProperty(client, 'query')
      else client.query = query as never
  }
}

/** Listens to the statements that a server sends, whoever asked for them. */
export function listenToStatements(server: Sending): Statements {
  const texts: string[] = []
  const stop = betweenStatements(server, text => {
    texts.push(text)
    work.getStore()?.push(text)
    return undefined
  })
  return { texts, count: pattern => texts.filter(text => pattern.test(text)).length, stop }
}
