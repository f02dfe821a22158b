import fp from 'fastify-plugin'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Tables } from '#schemas'
import './columns.ts'
import { type Embedded, openEmbedded } from './embedded/embedded.ts'
import type { Handle, Running, Statements, Transactions } from './handle.ts'
import { connectionTo } from './hosts.ts'
import { migrate, sentence, type TableSet } from './migrate.ts'
import { agreeOnSettings, requireSessions, throughPooler, Unnamed } from './pooler.ts'
import { requestPool } from './request-transaction.ts'
import type { InternalTables } from './tables.ts'

/** Every table: those of the entities and our own. */
export interface Database extends Tables, InternalTables {}

declare module 'fastify' {
  interface FastifyInstance {
    /** What a request does with it is one transaction, kept with its answer or undone with its refusal. */
    db: Reader
    /** Connections outside the transaction of any request. Behind a pooler two statements may meet two sessions. */
    pool: pg.Pool
    /** Few connections past a pooler, whose sessions stay: for locks, notifications and changes of tables. */
    direct: pg.Pool
  }
}

// A calendar date has no time zone; as a JS Date it would move by a day somewhere.
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/** What each session is set to: our time zone, and limits so that no lock or statement holds a request for ever. */
const settings = { timezone: 'Asia/Shanghai', lock_timeout: '3s', statement_timeout: '2min' } as const
/** The same as options of a connection. */
const session = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/**
 * Milliseconds: how long anybody waits for a connection, and for the answer to a statement; the server itself ends it sooner,
 * unless it is out of reach.
 */
const waits = { connectionTimeoutMillis: 10_000, query_timeout: 130_000 }

/** Opens a pool on a PostgreSQL. */
export function openPool(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    options: session,
    application_name: 'juxian',
    max: 20,
    keepAlive: true,
    ...waits,
    ...connection,
  })
  // Without listeners the end of a connection, idle or between two statements of a transaction, would end the process.
  // The statement that needs the connection fails all the same, and the next one opens another.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
  })
  return pool
}

/** Opens a typed query builder on a pool. What a request does with it belongs to the transaction of the request. */
export function openDatabase(pool: pg.Pool): Reader {
  const dialect = new PostgresDialect({ pool: requestPool(pool) as unknown as PostgresPool })
  return new Kysely<Database>({ dialect }) as unknown as Reader
}

/** Connections past a pooler that a process may have. */
const mostDirect = 4

/** Decorates the app with its database, brought to what the definitions say. */
export default fp<{ tables: TableSet }>(
  async (app, { tables }) => {
    const { databaseUrl, databaseDirectUrl, dataDir } = app.config
    let embedded: Embedded | undefined
    if (!databaseUrl) embedded = await openEmbedded(dataDir)
    const main = databaseUrl ? connectionTo(databaseUrl, databaseDirectUrl ? Unnamed : undefined) : undefined
    const past = databaseDirectUrl ? connectionTo(databaseDirectUrl) : undefined
    const pool = openPool({ ...(main?.options ?? embedded?.connection), ...(past && throughPooler) })
    const direct = past ? openPool({ ...past.options, max: mostDirect }) : pool
    const db = openDatabase(pool)
    app.decorate('pool', pool)
    app.decorate('direct', direct)
    app.decorate('db', db)
    app.addHook('onClose', async () => {
      await db.destroy()
      if (direct !== pool) await direct.end()
      for (const one of [main, past]) one?.end()
      await embedded?.close()
    })
    for (const one of [main, past]) await one?.ready(sentence => app.log.warn(sentence))
    if (direct !== pool) await agreeOnSettings(pool, direct, settings)
    else if (databaseUrl) await requireSessions(pool)
    await migrate(direct, tables, {
      tell: open => app.log.warn({ table: open.table, ids: open.ids }, `not enforced: ${sentence(open)}`),
    })
  },
  { name: 'database', dependencies: ['clock'] },
)

/** Either the database or a running transaction, without limits: statements say tenant, deletion and stamps themselves. */
export interface Reader extends Handle<'raw'>, Statements<Database> {
  transaction(): Transactions<Trx>
  /** One connection for all statements of the work, outside any transaction. */
  connection(): Transactions<Reader>
  destroy(): Promise<void>
}

/** A running transaction. */
export interface Trx extends Reader, Running {}
