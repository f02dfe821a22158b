import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { type Copy, copyProgram } from '../../tests/helper/copy.ts'
import { cpuOf } from './plain/cpu.ts'
import { path as at, files, lines } from './plain/definition.ts'
import { anyPage, callsOf, fill, filtered, rows } from './plain/fill.ts'
import { load, type Next, type Round } from './plain/load.ts'
import { type Running, run, signInAs, startByHand } from './servers.ts'

/*
 * The plain calls of a generated resource, each request another one, beside the same by hand. The servers are asked in turn, so
 * that what else the machine does meets both alike; a third figure, what a call costs of a processor, hardly depends on it.
 */

const connections = 32
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

const root = path.resolve(import.meta.dirname, '../..')
const told: string[] = []

let copy: Copy
let folder: string
let product: Running
let yardstick: Running
let database: Embedded
let pool: pg.Pool
let headers: readonly [Record<string, string>, Record<string, string>]

/** The token of the yardstick: signed by its key, good for an hour. */
function token(key: string): string {
  const payload = Buffer.from(JSON.stringify({ userId: '1', until: Date.now() + 3600_000 })).toString('base64url')
  return `bearer ${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`
}

beforeAll(async () => {
  copy = await copyProgram(files, lines)
  for (const file of ['vite.config.ts', 'package-lock.json'])
    if (!existsSync(path.join(copy.folder, file))) copyFileSync(path.join(root, file), path.join(copy.folder, file))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_ENV: 'production' }
  execFileSync(process.execPath, ['src/launch.mjs', 'build', 'server'], { cwd: copy.folder, stdio: 'inherit', env })
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  const settings = { PORT: '0', DATA_DIR: path.join(folder, 'data'), DEMO: 'true', CAPTCHA_MODE: 'false' }
  const options = (process.env.BENCH_NODE ?? '').split(' ').filter(Boolean)
  product = await run(path.join(copy.folder, 'dist/server/server.js'), settings, options)
  database = await openEmbedded(path.join(folder, 'data'))
  pool = new pg.Pool({ ...database.connection, max: 1 })
  await fill(pool)
  const key = randomBytes(32).toString('hex')
  yardstick = await startByHand(database.connection, 'plain/by-hand', { TOKEN_KEY: key })
  headers = [await signInAs(product, 'admin'), { authorization: token(key) }]
}, 1_200_000)

afterAll(async () => {
  await yardstick?.stop()
  await pool?.end()
  await product?.stop()
  await database?.close()
  await copy?.remove()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${told.join('\n')}\n`)
})

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** What one server has done in a round, with what it and the database have used for each call, in milliseconds. */
interface Measured extends Round {
  cost: number
}

/** Waits until the database has done what the round before left behind, which would slow down whoever is next. */
async function calm(): Promise<void> {
  const busy = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`
  for (let tries = 0; tries < 600; tries++) {
    const { rows: found } = await pool.query<{ n: number }>(busy)
    if (found[0]?.n === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function duel(next: Next): Promise<[Measured, Measured]> {
  const postmaster = Number((await readFile(path.join(folder, 'data/postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const all: [Measured[], Measured[]] = [[], []]
  for (let i = 0; i <= rounds; i++)
    for (const [who, { url, pid }] of [product, yardstick].entries()) {
      await calm()
      const pids = [pid, postmaster]
      const before = await cpuOf(pids)
      // The first round warms up.
      const round = await load(url, headers[who] ?? {}, next, { connections, seconds: i === 0 ? 1 : seconds })
      const cost = ((await cpuOf(pids)) - before) / (round.perSecond * seconds)
      if (i > 0) all[who]?.push({ ...round, cost })
    }
  const of = (some: readonly Measured[]): Measured => {
    const the = (name: keyof Measured) => median(some.map(one => one[name]))
    return { perSecond: the('perSecond'), p50: the('p50'), p99: the('p99'), cost: the('cost') }
  }
  return [of(all[0]), of(all[1])]
}

const data = async (who: 0 | 1, { path: address }: ReturnType<Next>): Promise<Record<string, unknown>> => {
  const { url } = who === 0 ? product : yardstick
  const answer = await fetch(`${url}${address}`, { headers: headers[who] })
  return ((await answer.json()) as { data: Record<string, unknown> }).data
}

test('plain calls', { timeout: 1_200_000 }, async () => {
  const { rows: known } = await pool.query<{ id: string; deptId: string }>(
    `SELECT id::text, "deptId"::text FROM device ORDER BY md5(id::text) LIMIT 20000`,
  )
  const { detail, create, mix } = callsOf({ deptId: known[0]?.deptId ?? '', ids: known.map(({ id }) => id) })
  for (const next of [anyPage, filtered, detail])
    for (let n = 0; n < 5; n++) {
      const asked = next()
      expect(await data(0, asked)).toEqual(await data(1, asked))
    }
  const cases: [string, Next][] = [
    ['page of 10, any of the first 300, total', anyPage],
    ['page of 10, filtered by kind and days, total', filtered],
    ['detail', detail],
    ['create', create],
    ['40 % details, 20 % each of the others', mix],
  ]
  const only = process.env.BENCH_ONLY?.split(',').map(Number)
  told.push(
    `Rows ${rows} of 25 columns, ${connections} connections, no request twice (load ${os.loadavg()[0]?.toFixed(1)} over ${os.availableParallelism()} processors)`,
    `${''.padEnd(46)}    rate   p50   p99   cpu |  by hand   p50   p99   cpu | ratio of rates   of p99   of cpu`,
  )
  for (const [i, [name, next]] of cases.entries()) {
    if (only && !only.includes(i)) continue
    const pair = await duel(next)
    const cells = pair.map(
      ({ perSecond, p50, p99, cost }) =>
        `${perSecond.toFixed(0).padStart(8)} ${p50.toFixed(1).padStart(5)} ${p99.toFixed(1).padStart(5)} ${cost.toFixed(2).padStart(5)}`,
    )
    const [own, other] = pair
    const ratios = [own.perSecond / other.perSecond, own.p99 / other.p99, own.cost / other.cost]
    told.push(`${name.padEnd(46)}${cells.join(' | ')} | ${ratios.map(one => one.toFixed(2).padStart(10)).join('')}`)
    console.log(told.at(-1))
  }
})
