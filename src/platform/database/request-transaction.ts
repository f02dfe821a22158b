import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { limits } from '../config/limits.ts'
import { asSent } from './often.ts'

/** As much of a connection as the query builder uses. */
interface Connection {
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
  release(): void
}

/** A transaction within that of a request: it is undone alone, and kept only together with the request. */
interface Inner {
  name: string
  isDone: boolean
}

const nothing = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } as unknown as pg.QueryResult

/** Whether a statement changes and locks nothing. */
const isRead = (text: string): boolean =>
  /^\s*select\b/i.test(text) && !/\bfor\s+(no\s+key\s+)?(update|(key\s+)?share)\b|\badvisory_/i.test(text)

/**
 * The one transaction of a request. It begins with the first statement that changes or locks something; what was read before
 * was read outside. Transactions that the request's work begins become savepoints in it, so that all of it is kept or nothing.
 */
export class RequestTransaction {
  readonly #pool: pg.Pool
  readonly #open: (client: pg.PoolClient) => Promise<unknown>
  readonly #inner: Inner[] = []
  #client: Promise<pg.PoolClient> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #ended: Promise<void> | undefined
  #names = 0
  #isOver = false
  #fault: unknown

  /**
   * @param open begins it, and asks what is to be asked before anything else, in as few questions as may be; when it throws,
   * every statement fails with that error
   */
  constructor(pool: pg.Pool, open: (client: pg.PoolClient) => Promise<unknown> = client => client.query('BEGIN')) {
    this.#pool = pool
    this.#open = open
  }

  /** Whether anything was changed or locked. */
  get hasBegun(): boolean {
    return this.#client !== undefined
  }

  /** Whether it was kept or undone already. */
  get isOver(): boolean {
    return this.#isOver
  }

  #begin(): Promise<pg.PoolClient> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    try {
      await this.#open(client)
      return client
    } catch (error) {
      this.#fault = error
      await end(client, 'ROLLBACK').catch(() => {})
      throw error
    }
  }

  /** Statements go one after the other, and what belongs to one of them is not parted from it. */
  async #inTurn<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#begin()
    if (this.#isOver) throw new Error('The transaction of this request is over; its work goes on.')
    const done = this.#turn.then(() => work(client))
    this.#turn = done.catch(() => {})
    return done
  }

  async #enter(): Promise<Inner> {
    const inner = { name: `inner_${++this.#names}`, isDone: false }
    await this.#inTurn(async client => {
      await client.query(`SAVEPOINT ${inner.name}`)
      // Not one that was never made, because the connection was lost.
      this.#inner.push(inner)
    })
    return inner
  }

  /** Of transactions side by side, the one that began last must be through before the others are closed. */
  #keep(inner: Inner): Promise<pg.QueryResult> {
    return this.#inTurn(async client => {
      inner.isDone = true
      for (let last = this.#inner.at(-1); last?.isDone; last = this.#inner.at(-1)) {
        await client.query(`RELEASE SAVEPOINT ${last.name}`)
        this.#inner.pop()
      }
      return nothing
    })
  }

  #undo(inner: Inner): Promise<pg.QueryResult> {
    return this.#inTurn(async client => {
      if (this.#inner.at(-1) !== inner) {
        this.#fault = new Error('Of transactions side by side in one request, one was undone: nothing is kept.')
        throw this.#fault
      }
      this.#inner.pop()
      await client.query(`ROLLBACK TO SAVEPOINT ${inner.name}`)
      return client.query(`RELEASE SAVEPOINT ${inner.name}`)
    })
  }

  /** A single statement, which may fail without taking the transaction with it. */
  #alone(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const name = `statement_${++this.#names}`
    return this.#inTurn(async client => {
      await client.query(`SAVEPOINT ${name}`)
      try {
        const result = await client.query(asSent(text, values))
        await client.query(`RELEASE SAVEPOINT ${name}`)
        return result
      } catch (error) {
        await client.query(`ROLLBACK TO SAVEPOINT ${name}`)
        throw error
      }
    })
  }

  /** A connection of its own, once everything is kept or undone: what outlives the request finds what the request has kept. */
  async connectAfter(): Promise<pg.PoolClient> {
    await this.#ended?.catch(() => {})
    return this.#pool.connect()
  }

  /** A statement of the request itself, when its work is done: when it fails, nothing is kept. */
  own(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.#inTurn(client => client.query(text, values))
  }

  /** A connection for the query builder. */
  connect(): Connection {
    let inner: Inner | undefined
    let after: Promise<pg.PoolClient> | undefined
    const query = async (text: string, values?: unknown[]): Promise<pg.QueryResult> => {
      if (this.#isOver && !inner) {
        after ??= this.connectAfter()
        return (await after).query(asSent(text, values))
      }
      if (/^(begin|start transaction)\b/.test(text)) {
        inner = await this.#enter()
        return nothing
      }
      if (inner && text === 'commit') return this.#keep(inner)
      if (inner && text === 'rollback') return this.#undo(inner)
      if (inner) return this.#inTurn(client => client.query(asSent(text, values)))
      if (!isRead(text)) return this.#alone(text, values)
      const sent = asSent(text, values)
      return this.hasBegun ? this.#inTurn(client => client.query(sent)) : this.#pool.query(sent)
    }
    return { query, release: () => void after?.then(client => client.release()) }
  }

  /** Throws what has gone wrong beside the work itself, which may not know it. */
  check(): void {
    if (this.#fault) throw this.#fault
    if (this.#inner.length > 0) throw new Error('A transaction of this request is not over although its work is.')
  }

  /** Keeps everything. @throws when it cannot be kept; then nothing is */
  async commit(): Promise<void> {
    if (!this.#client) {
      this.#isOver = true
      return
    }
    const client = await this.#client
    await this.#turn
    this.check()
    this.#isOver = true
    this.#ended = end(client, 'COMMIT')
    await this.#ended
  }

  /** Undoes everything. */
  async rollback(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#ended = this.#rollback()
    await this.#ended
  }

  async #rollback(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await this.#turn
    if (client) await end(client, 'ROLLBACK').catch(() => {})
  }
}

/** Whether the database has undone a transaction by its rules: the connection is as good as before. */
const isRefused = ({ code = '' }: { code?: string }): boolean => /^(23|40|55|JX)/.test(code)

/** Ends a transaction and gives its connection back; one that is broken is closed. */
async function end(client: pg.PoolClient, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  try {
    await client.query(how)
    client.release()
  } catch (error) {
    client.release(isRefused(error as { code?: string }) ? undefined : (error as Error))
    throw error
  }
}

/** Says that a transaction belongs to work in the background. */
const background = Symbol('background')

const current = new AsyncLocalStorage<RequestTransaction | typeof background | undefined>()

/** Does work in the background: statements of its transactions may work for longer than those of a request. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => current.run(background, work)

/** A statement that begins a transaction, with the limits of whoever begins it. */
export const beginning = (text: string): string =>
  current.getStore() === background ? `${text}; SET LOCAL statement_timeout = ${limits.workStatement}` : text

/** A statement of a transaction with the time that whoever sends it has for the answer. */
export const patiently = (text: string, values?: unknown[]): pg.QueryConfig & { query_timeout?: number } => ({
  ...asSent(text, values),
  ...(current.getStore() === background && { query_timeout: limits.workStatement + limits.answer }),
})

/** A connection of the pool whose transactions are those of work in the background. */
function workConnection(client: pg.PoolClient): Connection {
  let isBegun = false
  return {
    async query(text, values) {
      if (/^(begin|start transaction)\b/.test(text)) {
        await client.query(beginning(text))
        isBegun = true
        return nothing
      }
      if (/^(commit|rollback)$/.test(text)) isBegun = false
      return client.query(isBegun ? patiently(text, values) : asSent(text, values))
    },
    release: () => client.release(),
  }
}

/** Does the work of a request: all that the query builder does meanwhile belongs to the transaction. */
export const inRequest = <T>(transaction: RequestTransaction, work: () => Promise<T>): Promise<T> =>
  current.run(transaction, work)

/**
 * Does something outside the transaction of the request that asks for it: what must be kept though the request is refused,
 * such as counts of attempts, and what many requests share.
 */
export const apart = <T>(work: () => T): T => current.run(undefined, work)

/** A connection of the pool as it is. */
const plainConnection = (client: pg.PoolClient): Connection => ({
  query: (text, values) => client.query(asSent(text, values)),
  release: () => client.release(),
})

/** A pool for the query builder, by which the work of a request meets the request's own transaction. */
export const requestPool = (pool: pg.Pool) => ({
  connect: async (): Promise<Connection> => {
    const transaction = current.getStore()
    if (!transaction) return plainConnection(await pool.connect())
    if (transaction === background) return workConnection(await pool.connect())
    return transaction.isOver ? transaction.connectAfter() : transaction.connect()
  },
  end: () => pool.end(),
})

/** Whether what the query builder does now belongs to the transaction of a request. */
export const isInRequest = (): boolean => current.getStore() instanceof RequestTransaction
