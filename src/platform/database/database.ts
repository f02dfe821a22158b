import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import type { Tables } from '#schemas'
import { limits } from '../config/limits.ts'
import './columns.ts'
import { type Embedded, openEmbedded } from './embedded/embedded.ts'
import type { Queryable } from './found.ts'
import type { Handle, Running, Statements, Transactions } from './handle.ts'
import { connectionTo, type Waiting } from './hosts.ts'
import { measure } from './measured.ts'
import { fits, hashOf, type MigrateOptions, migrate, requireSchema, sentence, type TableSet } from './migrate.ts'
import { requireSessions, requireSettings, setForRole, throughPooler, Unnamed } from './pooler.ts'
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
    /** Whether a database, by a connection to it, has been brought to what this program expects. */
    fitsSchema(on: Queryable): Promise<boolean>
    /** A newer version has changed the database: this process serves until it is replaced, and brings nothing of its own definitions into it. */
    isBehind: boolean
  }
}

// A calendar date has no time zone; as a JS Date it would move by a day somewhere.
pg.types.setTypeParser(pg.types.builtins.DATE, text => text)

/** Milliseconds before the forced end of the process at which the embedded database is left to end by itself. */
const margin = 2000

/** A time as the database shows it. */
const shown = (time: number): string => (time % 60_000 === 0 ? `${time / 60_000}min` : `${time / 1000}s`)

/** What each session is set to: our time zone, and limits so that no lock, statement or idle transaction holds up others for ever. */
export const sessionSettings = {
  timezone: 'Asia/Shanghai',
  lock_timeout: shown(limits.lock),
  statement_timeout: shown(limits.statement),
  idle_in_transaction_session_timeout: shown(limits.idleTransaction),
}

/** Settings as options of a connection. */
const optionsOf = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** What sessions are set to, as options of a connection. */
export const sessionOptions = optionsOf(sessionSettings)

/** Opens a pool on a PostgreSQL. */
export function openPool(connection: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    options: sessionOptions,
    application_name: 'juxian',
    keepAlive: true,
    connectionTimeoutMillis: limits.connection,
    // The database itself ends a statement sooner, unless it is out of reach.
    query_timeout: limits.statement + limits.answer,
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

/** Opens a pool for a program that nobody waits for: its statements may work as long as those in the background. */
export const openWorkPool = (connection: pg.PoolConfig): pg.Pool =>
  openPool({
    options: optionsOf({ ...sessionSettings, statement_timeout: shown(limits.workStatement) }),
    query_timeout: limits.workStatement + limits.answer,
    ...connection,
  })

/** Opens a typed query builder on a pool. What a request does with it belongs to the transaction of the request. */
export function openDatabase(pool: pg.Pool): Reader {
  const dialect = new PostgresDialect({ pool: requestPool(pool) as unknown as PostgresPool })
  return new Kysely<Database>({ dialect }) as unknown as Reader
}

/** Decorates the app with its database, brought to what the definitions say. */
export default fp<{ tables: TableSet }>(
  async (app, { tables }) => {
    const { databaseUrl, databaseDirectUrl, databasePool, databasePoolDirect, databasePrepared, dataDir } = app.config
    const connectionTimeoutMillis = app.config.connectionTime
    let embedded: Embedded | undefined
    if (!databaseUrl) embedded = await openEmbedded(dataDir)
    const main = connectionTo(databaseUrl ?? embedded?.connection ?? {}, databasePrepared ? undefined : Unnamed)
    const past = databaseDirectUrl ? connectionTo(databaseDirectUrl) : undefined
    const pool = openPool({
      max: databasePool,
      connectionTimeoutMillis,
      ...main.options,
      ...(past && throughPooler),
    })
    const direct = past ? openPool({ ...past.options, max: databasePoolDirect, connectionTimeoutMillis }) : pool
    measure(pool, app)
    const db = openDatabase(pool)
    app.decorate('pool', pool)
    app.decorate('direct', direct)
    app.decorate('db', db)
    const hash = hashOf(tables)
    app.decorate('fitsSchema', (on: Queryable) => fits(on, hash))
    // Its end takes as long as it has to write, on a slow disk half a minute after the first start.
    app.ending.addEventListener('abort', () => void embedded?.checkpoint())
    const closePools = async () => {
      await db.destroy()
      if (direct !== pool) await direct.end()
    }
    app.addHook('onClose', async () => {
      await app.finish('statements of the database', closePools())
      main.end()
      past?.end()
      if (embedded) await leave(app, embedded)
    })
    const moved = () => app.meter.count('db_primary_changes_total', {})
    const waiting: Waiting = {
      answerTime: app.config.readinessTime,
      tell: sentence => app.log.warn(sentence),
      signal: app.ending,
    }
    await past?.ready(waiting)
    // Listening and locks of sessions would fail there without a word.
    if (direct !== pool) await requireSessions(direct, 'DATABASE_DIRECT_URL')
    // Whoever comes through a pooler, if only to look, may have it open sessions: they must begin with our settings.
    if (direct !== pool) await setForRole(direct, sessionSettings)
    await main.ready(waiting, moved)
    if (direct !== pool) await requireSettings(pool, sessionSettings)
    else if (databaseUrl) await requireSessions(pool)
    const tell: MigrateOptions['tell'] = open =>
      app.log.warn({ table: open.table, ids: open.ids }, `not enforced: ${sentence(open)}`)
    const outcome = await (app.config.schema === 'check' ? requireSchema : migrate)(direct, tables, { tell })
    app.decorate('isBehind', outcome === 'newer')
    if (app.isBehind)
      app.log.warn('a newer version has changed the database; this one works with it and changes nothing of its own')
  },
  { name: 'database', dependencies: ['clock', 'metrics', 'tracing', 'closing'] },
)

/** Leaves the embedded database. One whose disk is slower than a process may take to end is left to itself. */
async function leave(app: FastifyInstance, embedded: Embedded): Promise<void> {
  const hasEnded = await app.finish('the end of the embedded PostgreSQL', embedded.close(app.timeToEnd() - margin))
  if (!hasEnded)
    app.log.warn('the embedded PostgreSQL still writes to the disk and ends by itself; the next start waits for it')
}

/** Either the database or a running transaction, without limits: statements say tenant, deletion and stamps themselves. */
export interface Reader extends Handle<'raw'>, Statements<Database> {
  transaction(): Transactions<Trx>
  /** One connection for all statements of the work, outside any transaction. */
  connection(): Transactions<Reader>
  destroy(): Promise<void>
}

/** A running transaction. */
export interface Trx extends Reader, Running {}
