import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { PostCategory } from '#schemas/dictionaries'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { call } from './call.mjs'
import { spentBy } from './cpu.ts'
import { type Running, signInAs, startProduct } from './servers.ts'

/** What metrics may cost of the processor time of a call. */
const most = 0.02
/** How often a server of each kind is started: no two processes of one program are compiled quite alike. */
const starts = 4
/** Rounds that warm servers up, and those that count. */
const [warming, rounds] = [8, 16]
/** Turns that each server has in a round, and calls of a turn. */
const [turns, turn] = [16, 24]
/** Requests open at any moment. */
const atOnce = 8
/** Posts that there are, more than a server is asked for. */
const posts = 15_000
/** Milliseconds between two looks of Prometheus, and how often it looks here. */
const [every, looks] = [15_000, 20]

const post = '/api/blade-system/post'

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN

/** Rows made so far, by all servers. */
let made = 0

/** Details, pages and new rows; no two calls of a server are the same. */
function callOf(n: number, ids: readonly string[]) {
  if (n % 5 === 4) {
    const postCode = `M${++made}`
    const body = JSON.stringify({ category: PostCategory.senior, postCode, postName: '新岗位', sort: 1, remark: '' })
    return { path: `${post}/submit`, options: { method: 'POST', body } }
  }
  if (n % 2 === 0) return { path: `${post}/detail?id=${ids[n % ids.length]}`, options: {} }
  const until = `2030-01-01%20${new Date(n * 1000).toISOString().slice(11, 19)}`
  const page = `current=${(n % 400) + 1}&size=10&postName=${n % 7}&createTime_datelt=${until}`
  return { path: `${post}/page?${page}`, options: {} }
}

/** A server that is called. */
interface Called extends Running {
  headers: Record<string, string>
  /** Calls so far. */
  calls: number
}

/** Calls a server {@link turn} times. */
async function work(server: Called, ids: readonly string[]): Promise<void> {
  const last = server.calls + turn
  const one = async () => {
    while (server.calls < last) {
      const { path: address, options } = callOf(server.calls++, ids)
      const headers = { ...server.headers, 'content-type': 'application/json' }
      const { status, text } = await call(server.url + address, { headers, ...options })
      if (status !== 200) throw new Error(`${address}: ${status} ${text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/**
 * Calls two servers in turn, a few calls each, so that what else the machine does meets both alike. What a server does while it is the
 * other's turn is not counted.
 * @returns milliseconds of a processor that each used for a call
 */
async function compare(servers: readonly [Called, Called], ids: readonly string[]): Promise<[number, number]> {
  const spent: [number, number] = [0, 0]
  const take = async (at: 0 | 1) => {
    const before = await spentBy(servers[at].pid)
    await work(servers[at], ids)
    spent[at] += (await spentBy(servers[at].pid)) - before
  }
  for (let n = 0; n < turns; n++) for (const at of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) await take(at)
  return [spent[0] / (turns * turn), spent[1] / (turns * turn)]
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  return port
}

/** Calls what there is, so that there are as many series as there ever are. */
async function callAll({ url }: Running): Promise<void> {
  const { paths } = JSON.parse((await call(`${url}/api/docs/json`)).text) as { paths: Record<string, object> }
  for (const address of Object.keys(paths)) await call(url + address.replace(/\{\w+\}/g, 'x'))
}

/** Milliseconds of a processor that one answer to Prometheus takes. */
async function lookCost({ pid }: Running, address: string): Promise<{ cost: number; lines: number }> {
  let lines = 0
  const look = async () => {
    const { status, text } = await call(address)
    expect(status).toBe(200)
    lines = text.split('\n').filter(line => line && !line.startsWith('#')).length
  }
  for (let n = 0; n < 5; n++) await look()
  const before = await spentBy(pid)
  for (let n = 0; n < looks; n++) await look()
  return { cost: ((await spentBy(pid)) - before) / looks, lines }
}

/** Twice the chance of one in forty that the median is lower or higher, of servers and rounds drawn again and again. */
function interval(all: readonly (readonly number[])[]): [number, number] {
  const draw = <T>(values: readonly T[]): T[] =>
    values.map(() => values[Math.floor(Math.random() * values.length)] as T)
  const medians = Array.from({ length: 2000 }, () => quantile(draw(all).flatMap(draw), 0.5))
  return [quantile(medians, 0.025), quantile(medians, 0.975)]
}

/** Has the servers do nothing but answer: which of them does what is due by the clock would decide the bench. */
async function park(pool: pg.Pool): Promise<void> {
  await pool.query(`UPDATE job_info SET "nextTime" = now() + interval '1 day'`)
  await pool.query(`UPDATE work_item SET "runAt" = now() + interval '1 day'`)
}

const percent = (value: number): string => `${(value * 100).toFixed(2)} %`

test('what metrics cost of the processor time of a call', { timeout: 3_600_000 }, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  const running: Running[] = []
  let database: Embedded | undefined
  let pool: pg.Pool | undefined
  try {
    // User nobody, who runs PostgreSQL when root runs this, must get in.
    await chmod(folder, 0o755)
    const data = path.join(folder, 'data')
    database = await openEmbedded(data)
    await (await startProduct(data)).stop()
    pool = new pg.Pool({ ...database.connection, max: 1 })
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO post (category, "postCode", "postName", sort, "createTime")
        SELECT 1 + n % 4, 'B' || n, '岗位 ' || n, n, timestamptz '2025-01-01' + n * interval '5 minutes'
        FROM generate_series(1, ${posts}) n RETURNING id`,
    )
    await pool.query('VACUUM ANALYZE post')
    const ids = rows.map(({ id }) => id)
    const all: number[][] = []
    const looked: Awaited<ReturnType<typeof lookCost>>[] = []
    const spent: number[] = []
    for (let n = 0; n < starts; n++) {
      await park(pool)
      const port = await freePort()
      const start = async (isOn: boolean): Promise<Called> => {
        const server = await startProduct(data, true, { env: isOn ? { METRICS_PORT: String(port) } : {} })
        running.push(server)
        return { ...server, headers: await signInAs(server, 'admin'), calls: 0 }
      }
      const isFirst = n % 2 === 0
      const [one, other] = [await start(isFirst), await start(!isFirst)]
      const [on, off] = isFirst ? [one, other] : [other, one]
      await callAll(on)
      await callAll(off)
      await park(pool)
      for (let round = 0; round < warming; round++) await compare([on, off], ids)
      const more: number[] = []
      for (let round = 0; round < rounds; round++) {
        const [withThem, without] = await compare([on, off], ids)
        more.push(withThem / without - 1)
        spent.push(without)
      }
      all.push(more)
      looked.push(await lookCost(on, `http://127.0.0.1:${port}/metrics`))
      for (const server of running.splice(0)) await server.stop()
      console.log(`start ${n + 1}: ${percent(quantile(more, 0.5))}`)
    }
    const ofCalls = quantile(all.flat(), 0.5)
    const look = quantile(
      looked.map(({ cost }) => cost),
      0.5,
    )
    const [least, greatest] = interval(all)
    const [lower, upper] = [quantile(all.flat(), 0.25), quantile(all.flat(), 0.75)]
    console.log(`
A call takes ${quantile(spent, 0.5).toFixed(2)} ms of a processor without metrics (median of ${spent.length} rounds of ${turns * turn} calls)
with metrics more by   ${percent(ofCalls)}, 95 % between ${percent(least)} and ${percent(greatest)}; quartiles of rounds ${percent(lower)} and ${percent(upper)}
servers started anew   ${all.map(more => percent(quantile(more, 0.5))).join(', ')}
a look of Prometheus   ${look.toFixed(1)} ms for ${looked[0]?.lines} lines, ${percent(look / every)} of a processor
`)
    expect(ofCalls + look / every).toBeLessThan(most)
  } finally {
    for (const server of running) await server.stop()
    await pool?.end()
    await database?.close()
    await rm(folder, { recursive: true, force: true })
  }
})
