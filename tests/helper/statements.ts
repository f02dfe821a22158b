import type pg from 'pg'

/** Statements that went to the database, and how to stop listening. */
export interface Statements {
  /** Texts in the order in which they were sent. */
  readonly texts: string[]
  /** Texts that fit, counted. */
  count(pattern: RegExp): number
  stop(): void
}

type Query = (first: string | { text: string }, ...rest: unknown[]) => unknown

/** Listens to the statements that a pool sends, whoever sends them. */
export function listenToStatements(pool: pg.Pool): Statements {
  const texts: string[] = []
  const own = new Map<pg.PoolClient, Query>()
  const listen = (client: pg.PoolClient) => {
    if (own.has(client)) return
    const query = client.query as Query
    own.set(client, query)
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      texts.push(typeof first === 'string' ? first : first.text)
      return query.call(client, first, ...rest)
    }) as never
  }
  pool.on('acquire', listen)
  return {
    texts,
    count: pattern => texts.filter(text => pattern.test(text)).length,
    stop() {
      pool.off('acquire', listen)
      for (const [client, query] of own) client.query = query as never
    },
  }
}
