import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import { expect, test } from 'vitest'
import { PostCategory } from '#schemas/dictionaries'
import { readConfig } from '../../src/platform/config/config.ts'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { buildApp } from '../../src/server/app.ts'
import { call } from './call.mjs'
import { signInAs, startProduct } from './servers.ts'

// Two processes of one program differ by more than what metrics cost, because none is compiled quite like another. So both servers run in
// this process, and what metrics do beside calls is measured apart. Both make the same calls in each round, and the median of the rounds
// counts. It is known to about two percent, so the time that is spent in the files of metrics is looked at, too: that says less, because
// what they leave to the collector of garbage is not among it, but says it to a tenth of a percent.

/** What metrics may cost of a processor by the profile. */
const most = 0.02
/** What they may cost by the rounds, which are known to about two percent. */
const mostByRounds = 0.04
/** Turns of the server with metrics that are profiled. */
const profiled = 200
/** Microseconds between two samples of a profile. */
const sampling = 100
/** Files of which a sample counts for metrics. */
const ofMetrics = /\/platform\/metrics\/|\/database\/measured\.|\/prom-client\//
/** Rounds that warm servers up, and those that count. */
const [warming, rounds] = [20, 240]
/** Calls of a turn; each server has two turns in a round. */
const turn = 48
/** Requests open at any moment. */
const atOnce = 8
/** Posts that there are, more than a server is asked for. */
const posts = 15_000
/** Milliseconds for which servers are watched that have nothing to do. */
const rest = 8000
/** Milliseconds between two looks of Prometheus, and how often it looks here. */
const [every, looks] = [15_000, 20]

const secretKey = 'a key of the bench that is long enough'
const post = '/api/blade-system/post'

/** Milliseconds of a processor that this process has used. */
const used = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN

/** Rows made so far, by both servers. */
let made = 0

/** Details, pages and new rows; no two calls of a server are the same. */
function callOf(n: number, ids: readonly string[]): InjectOptions {
  if (n % 5 === 4) {
    const payload = { category: PostCategory.senior, postCode: `M${++made}`, postName: '新岗位', sort: 1, remark: '' }
    return { url: `${post}/submit`, method: 'POST', payload }
  }
  if (n % 2 === 0) return { url: `${post}/detail?id=${ids[n % ids.length]}` }
  const until = `2030-01-01%20${new Date(n * 1000).toISOString().slice(11, 19)}`
  return { url: `${post}/page?current=${(n % 400) + 1}&size=10&postName=${n % 7}&createTime_datelt=${until}` }
}

/** A server that is called. */
interface Called {
  readonly app: FastifyInstance
  /** Calls so far. */
  calls: number
}

/** Calls a server {@link turn} times. @returns milliseconds of a processor for a call */
async function work(server: Called, ids: readonly string[], headers: Record<string, string>): Promise<number> {
  const last = server.calls + turn
  const before = used()
  const one = async () => {
    while (server.calls < last) {
      const asked = callOf(server.calls++, ids)
      const { statusCode, body } = await server.app.inject({ ...asked, headers })
      if (statusCode !== 200) throw new Error(`${String(asked.url)}: ${statusCode} ${body.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return (used() - before) / turn
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  return port
}

/** Calls what there is, so that there are as many series as there ever are. */
async function callAll(app: FastifyInstance): Promise<void> {
  const { paths } = (await app.inject('/api/docs/json')).json<{ paths: Record<string, object> }>()
  for (const address of Object.keys(paths)) await app.inject(address.replace(/\{\w+\}/g, 'x'))
}

/** Milliseconds of a processor that one answer to Prometheus takes. */
async function lookCost(address: string): Promise<{ cost: number; lines: number }> {
  let lines = 0
  const look = async () => {
    const { status, text } = await call(address)
    expect(status).toBe(200)
    lines = text.split('\n').filter(line => line && !line.startsWith('#')).length
  }
  for (let n = 0; n < 5; n++) await look()
  const before = used()
  for (let n = 0; n < looks; n++) await look()
  return { cost: (used() - before) / looks, lines }
}

/** Share of a processor that this process uses while nobody asks anything. */
async function resting(): Promise<number> {
  await sleep(500)
  const before = used()
  await sleep(rest)
  return (used() - before) / rest
}

/** Share of the time of a processor, while `work` is done, that is spent in functions of metrics. */
async function shareOfMetrics(work: () => Promise<unknown>): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: sampling })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    const { nodes, samples = [], timeDeltas = [] } = profile
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
    let [all, own] = [0, 0]
    for (const [at, id] of samples.entries()) {
      const { url = '', functionName = '' } = frames.get(id) ?? {}
      if (functionName === '(idle)') continue
      const spent = timeDeltas[at] ?? 0
      all += spent
      if (ofMetrics.test(url)) own += spent
    }
    return own / all
  } finally {
    session.disconnect()
  }
}

/** Between which medians 95 of 100 draws of the same rounds lie. */
function interval(shares: readonly number[]): [number, number] {
  const draw = () => shares.map(() => shares[Math.floor(Math.random() * shares.length)] as number)
  const medians = Array.from({ length: 2000 }, () => quantile(draw(), 0.5))
  return [quantile(medians, 0.025), quantile(medians, 0.975)]
}

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`

test('what metrics cost of a processor', { timeout: 1_800_000 }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  const apps: FastifyInstance[] = []
  let database: Embedded | undefined
  let pool: pg.Pool | undefined
  try {
    // User nobody, who runs PostgreSQL when root runs this, must get in.
    await chmod(folder, 0o755)
    const data = path.join(folder, 'data')
    database = await openEmbedded(data)
    const product = await startProduct(data, true, { env: { SECRET_KEY: secretKey } })
    const headers = await signInAs(product, 'admin')
    await product.stop()
    pool = new pg.Pool({ ...database.connection, max: 1 })
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO post (category, "postCode", "postName", sort, "createTime")
        SELECT 1 + n % 4, 'B' || n, '岗位 ' || n, n, timestamptz '2025-01-01' + n * interval '5 minutes'
        FROM generate_series(1, ${posts}) n RETURNING id`,
    )
    await pool.query('VACUUM ANALYZE post')
    const ids = rows.map(({ id }) => id)
    const { host, user, database: name } = database.connection
    const databaseUrl = `postgresql://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}`
    const config = { ...readConfig({}), databaseUrl, secretKey, dataDir: data, logTo: () => {}, jobs: false }
    const open = async (metricsPort?: number): Promise<Called> => {
      const app = await buildApp({ ...config, metricsPort })
      apps.push(app)
      return { app, calls: 0 }
    }
    const none = await resting()
    const off = await open()
    const one = await resting()
    const port = await freePort()
    const on = await open(port)
    await on.app.serveMetrics()
    const both = await resting()
    // The first server rests in both readings, and the second one costs what the first did.
    const beside = both - one - (one - none)
    await callAll(on.app)
    await callAll(off.app)
    const shares: number[] = []
    const without: number[] = []
    for (let round = 0; round < warming + rounds; round++) {
      const spent = { on: 0, off: 0 }
      for (const name of round % 2 === 0
        ? (['on', 'off', 'off', 'on'] as const)
        : (['off', 'on', 'on', 'off'] as const))
        spent[name] += (await work(name === 'on' ? on : off, ids, headers)) / 2
      if (round < warming) continue
      shares.push(spent.on / spent.off - 1)
      without.push(spent.off)
    }
    const ofCalls = quantile(shares, 0.5)
    const byProfile = await shareOfMetrics(async () => {
      for (let done = 0; done < profiled; done++) await work(on, ids, headers)
    })
    const looked = await lookCost(`http://127.0.0.1:${port}/metrics`)
    const [least, greatest] = interval(shares)
    console.log(`
A call takes ${quantile(without, 0.5).toFixed(3)} ms of a processor without metrics (${rounds} rounds of ${2 * turn} calls)
with metrics more by   ${percent(ofCalls)}, 95 % between ${percent(least)} and ${percent(greatest)}
by a profile           ${percent(byProfile)} of a processor (${profiled * turn} calls)
beside calls           ${percent(beside)} of a processor
a look of Prometheus   ${looked.cost.toFixed(1)} ms for ${looked.lines} lines, ${percent(looked.cost / every)} of a processor
`)
    expect(byProfile + looked.cost / every).toBeLessThan(most)
    expect(ofCalls + Math.max(0, beside) + looked.cost / every).toBeLessThan(mostByRounds)
  } finally {
    for (const app of apps) await app.close()
    await pool?.end()
    await database?.close()
    await rm(folder, { recursive: true, force: true })
  }
})
