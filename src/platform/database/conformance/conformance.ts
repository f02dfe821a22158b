import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { hostsOf } from '../address.ts'
import { openPool, sessionOptions } from '../database.ts'
import { connectionTo } from '../hosts.ts'
import { migrate, planSchema, type TableSet } from '../migrate.ts'
import { type Bench, Differs, openBench } from './bench.ts'
import { type Feature, type FeatureName, features } from './features.ts'
import { probes } from './probes.ts'

/** How a feature was found. */
export interface Finding {
  readonly feature: FeatureName
  readonly name: string
  readonly need: Feature['need']
  readonly use: string
  readonly state: 'works' | 'differs' | 'lacking'
  /** What the database says, or in what it differs. */
  readonly says?: string
}

/** What a database was found to be. */
export interface Report {
  /** As the database calls itself. */
  readonly engine: string
  readonly findings: readonly Finding[]
}

/** Milliseconds in which a feature must have worked; making all tables may take longer. */
const patience = 20_000
const longPatience = 180_000

/**
 * All tables of the program are made in the schema of the probes, by the same steps as at a start, and are then found as they
 * were made. Indexes of parts of texts are probed by themselves: their extension may belong to another schema.
 */
async function probeSchema(bench: Bench, connection: pg.PoolConfig, all: TableSet): Promise<void> {
  const tables = all.map(table => ({ ...table, trigramIndexes: {} }))
  const pool = openPool({ ...connection, max: 2, options: `${sessionOptions} -c search_path=${bench.schema}` })
  try {
    await migrate(pool, tables)
    const { files, differences } = await planSchema(pool, tables)
    const [first] = differences
    if (first || files.length > 0)
      throw new Differs(
        `${differences.length} differences after they were made: ${first?.table} ${first?.name} ${first?.says}`,
      )
  } finally {
    await pool.end()
  }
}

/** What a feature that does not work is told to be, without names of hosts and people. */
function faultOf(error: unknown): Pick<Finding, 'state' | 'says'> {
  const { code = '', message } = error as { code?: string; message: string }
  if (error instanceof Differs) return { state: 'differs', says: message }
  if (error instanceof Unanswered) return { state: 'lacking', says: message }
  if (code.startsWith('28')) return { state: 'lacking', says: `this role may not (${code})` }
  if (/^[0-9A-Z]{5}$/.test(code)) return { state: 'lacking', says: `${message.split('\n', 1)[0]} (${code})` }
  return { state: 'lacking', says: 'the connection has ended' }
}

class Unanswered extends Error {
  override name = 'Unanswered'
}

/** @throws when it has not ended in time, or is called off */
async function within<T>(time: number, signal: AbortSignal, work: Promise<T>): Promise<T> {
  let end = () => {}
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new Unanswered(`no answer within ${time / 1000} s`)), time)
    const stop = () => reject(new Error('called off'))
    signal.addEventListener('abort', stop)
    end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  })
  try {
    return await Promise.race([work, late])
  } finally {
    end()
  }
}

/** Options of {@link examine}. */
export interface ExamineOptions {
  /** Tables of this program. */
  readonly tables: TableSet
  /** Calls it off; the schema is removed all the same. */
  readonly signal: AbortSignal
  /** Told of each feature once it was probed. */
  readonly tell?: (finding: Finding) => void
}

/**
 * Looks whether a database has what the program needs: tries each feature in a schema of its own, which is removed again.
 * Nothing of what the database holds is read.
 * @param url its address, past any pooler
 * @throws when it cannot be connected to, or no schema can be made or removed in it
 */
export async function examine(url: string, { tables, signal, tell }: ExamineOptions): Promise<Report> {
  const connecting = connectionTo(url)
  const connection: pg.PoolConfig = { ...connecting.options, connectionTimeoutMillis: 10_000 }
  // One host that does not answer is told at once.
  if (hostsOf(url)) await connecting.ready({ tell: () => {}, signal })
  const schema = `juxian_check_${randomBytes(6).toString('hex')}`
  const bench = openBench(connection, schema)
  const Client = connecting.options.Client
  const once = async (sql: string) => {
    const client = new Client(connection as pg.ClientConfig)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  try {
    const [told] = await once('SELECT version() AS engine')
    await once(`CREATE SCHEMA ${schema}`)
    const findings: Finding[] = []
    try {
      for (const feature of Object.keys(features) as FeatureName[]) {
        if (signal.aborted) throw new Error('Called off.')
        const { name, need, use } = features[feature]
        const probe = feature === 'schema' ? probeSchema(bench, connection, tables) : probes[feature](bench)
        probe.catch(() => {})
        const fault = await within(feature === 'schema' ? longPatience : patience, signal, probe).then(
          () => ({ state: 'works' }) as const,
          faultOf,
        )
        await bench.end()
        if (signal.aborted) throw new Error('Called off.')
        const finding = { feature, name, need, use, ...fault }
        findings.push(finding)
        tell?.(finding)
      }
    } finally {
      await bench.end()
      await remove(once, schema)
    }
    return { engine: String(told?.engine), findings }
  } finally {
    connecting.end()
  }
}

/** Whoever was cut off may still be at work there for a moment. */
async function remove(once: (sql: string) => Promise<unknown>, schema: string): Promise<void> {
  for (let left = 10; ; left--)
    try {
      await once(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      return
    } catch (error) {
      if (left === 0)
        throw new Error(
          `The schema could not be removed; say DROP SCHEMA ${schema} CASCADE. ${(error as Error).message}`,
        )
      await new Promise(done => setTimeout(done, 500))
    }
}
