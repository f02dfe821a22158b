import type pg from 'pg'
import type { Meter } from '../metrics/meter.ts'
import { faultOf, type Tracer } from '../tracing/tracer.ts'

const textOf = (given: unknown): string =>
  String(typeof given === 'string' ? given : ((given as { text?: unknown } | null)?.text ?? ''))

const inTransactions = ['begin', 'start', 'commit', 'rollback', 'savepoint', 'release']
const kinds: ReadonlyMap<string, string> = new Map([
  ...inTransactions.map(word => [word, 'transaction'] as const),
  ...['select', 'insert', 'update', 'delete', 'with'].map(word => [word, word] as const),
])

/** What a statement does, by its first word. */
function kindOf(text: string): string {
  const [, word = ''] = /^[^a-z]*([a-z]+)/i.exec(text) ?? []
  return kinds.get(word.toLowerCase()) ?? 'other'
}

/** Characters of a statement that a trace shows at most. */
const longest = 2000

/** A statement without the values that stand in it. */
export const withoutValues = (text: string): string =>
  text
    .slice(0, 2 * longest)
    .replace(/\bE'(?:[^'\\]|''|\\.)*(?:'|$)|'(?:[^']|'')*(?:'|$)/gi, '?')
    .replace(/(?<![$\w"])\d{4,}/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)

type Call = (...given: unknown[]) => unknown

/** The same call, which tells when what it began has ended, by its promise or by the callback it was given. */
const noting =
  (call: Call, begin: (first: unknown) => (error?: unknown) => void): Call =>
  (...given) => {
    const end = begin(given[0])
    const last = given.length - 1
    const told = given[last]
    if (typeof told === 'function') {
      given[last] = (...answer: unknown[]) => {
        end(answer[0])
        return told(...answer)
      }
      return call(...given)
    }
    const answer = call(...given)
    if (answer instanceof Promise) answer.then(() => end(), end)
    return answer
  }

/** Has a meter told of the connections of a pool, of who waits for them and of their statements, and a tracer of the statements. */
export function measure(pool: pg.Pool, { meter, tracer }: { meter: Meter; tracer: Tracer }): void {
  if (!meter.isOn && !tracer.isOn) return
  const seconds = (since: number) => (performance.now() - since) / 1000
  const atOnce = () => meter.observe('db_wait_seconds', {}, 0)
  pool.connect = noting(pool.connect.bind(pool) as Call, () => {
    // To read the clock twice takes longer than all else here.
    if (pool.idleCount > 0 && pool.waitingCount === 0) return atOnce
    const since = performance.now()
    return () => meter.observe('db_wait_seconds', {}, seconds(since))
  }) as typeof pool.connect
  pool.on('connect', client => {
    client.query = noting(client.query.bind(client) as Call, statement => {
      const since = performance.now()
      const text = textOf(statement)
      const kind = kindOf(text)
      const span = tracer.isOn
        ? tracer.part(kind, { 'db.system.name': 'postgresql', 'db.query.text': withoutValues(text) })
        : undefined
      return error => {
        meter.observe('db_query_seconds', { kind }, seconds(since))
        span?.end(error ? faultOf(error) : undefined)
      }
    }) as typeof client.query
  })
  meter.gauge('db_pool', async () => {
    const { totalCount, idleCount, waitingCount } = pool
    const readings = { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    return Object.entries(readings).map(([state, value]) => ({ labels: { state }, value }))
  })
  const one = (sql: string) => async () => {
    const { rows } = await pool.query<{ value: number | null }>(sql)
    return rows.flatMap(({ value }) => (value === null ? [] : [{ labels: {}, value }]))
  }
  meter.gauge(
    'db_replica_lag_seconds',
    one(`SELECT max(extract(epoch FROM coalesce(replay_lag, '0')))::float8 AS value FROM pg_stat_replication
      WHERE application_name NOT LIKE 'juxian%'`),
  )
  meter.gauge(
    'sessions',
    one(`SELECT count(*)::float8 AS value FROM session
      WHERE "endTime" IS NULL AND "lastSeen" > clock_timestamp() - interval '15 minutes'`),
  )
}
