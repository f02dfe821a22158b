import { execFileSync } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { type Copy, copyProgram } from '../../tests/helper/copy.ts'
import { cpuOf } from './cpu.ts'
import { beyond, type FigureName } from './figures.ts'
import { files, lines } from './plain/definition.ts'
import { anyPage, callsOf, fill, filtered, rows } from './plain/fill.ts'
import { load, type Next, type Round } from './plain/load.ts'
import { type Running, run, signInAs, startByHand } from './servers.ts'

/*
 * The plain calls of a generated resource, each request another one, beside the same by hand. The servers are asked in turn, so
 * that what else the machine does meets all alike; a third figure, what a call costs of a processor, hardly depends on it.
 */

const connections = 32
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 3)

/** Folders of programs that have the resource and are built, by commas: several are measured beside one another. */
const programs = process.env.BENCH_PROGRAMS?.split(',')

const root = path.resolve(import.meta.dirname, '../..')
const told: string[] = []
const password = `B!${randomBytes(9).toString('base64url')}7a`

/** A server that is asked, and the database that works for it. */
interface Contestant {
  name: string
  server: Running
  headers: Record<string, string>
  postmaster: number
  pool: pg.Pool
}

let copy: Copy | undefined
let folder: string
const contestants: Contestant[] = []
const endings: (() => Promise<unknown>)[] = []

/** The token of the yardstick: signed by its key, good for an hour. */
function token(key: string): string {
  const payload = Buffer.from(JSON.stringify({ userId: '1', until: Date.now() + 3600_000 })).toString('base64url')
  return `bearer ${payload}.${createHmac('sha256', key).update(payload).digest('base64url')}`
}

/** A copy of this program with the resource, built. */
async function program(): Promise<string> {
  copy = await copyProgram(files, lines)
  for (const file of ['vite.config.ts', 'package-lock.json'])
    copyFileSync(path.join(root, file), path.join(copy.folder, file))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, NODE_ENV: 'production' }
  execFileSync(process.execPath, ['src/launch.mjs', 'build', 'server'], { cwd: copy.folder, stdio: 'inherit', env })
  return copy.folder
}

/** Starts a program as for use, on a database of its own that is filled. */
async function start(built: string, n: number): Promise<Contestant & { connection: object }> {
  const data = path.join(folder, `data-${n}`)
  const settings = { PORT: '0', DATA_DIR: data, DEMO: 'false', CAPTCHA_MODE: 'false', ADMIN_PASSWORD: password }
  const options = (process.env.BENCH_NODE ?? '').split(' ').filter(Boolean)
  const server = await run(path.join(built, 'dist/server/server.js'), settings, options)
  const database = await openEmbedded(data)
  const pool = new pg.Pool({ ...database.connection, max: 1 })
  endings.push(
    () => pool.end(),
    () => server.stop(),
    () => database.close(),
  )
  await fill(pool)
  await pool.query(`UPDATE "user" SET "mustChangePwd" = 0`)
  const headers = await signInAs(server, 'admin', password)
  await pool.query('UPDATE session SET "mustEnrol" = false')
  const postmaster = Number((await readFile(path.join(data, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  const { connection } = database
  return { name: n === 0 ? 'product' : path.basename(built), server, headers, postmaster, pool, connection }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  const built = programs ?? [await program()]
  for (const [n, one] of built.entries()) contestants.push(await start(one, n))
  const [first] = contestants as (Contestant & { connection: object })[]
  if (!first) throw new Error('There is no program.')
  const key = randomBytes(32).toString('hex')
  const server = await startByHand(first.connection, 'plain/by-hand', { TOKEN_KEY: key })
  endings.unshift(() => server.stop())
  const { postmaster, pool } = first
  contestants.push({ name: 'by hand', server, headers: { authorization: token(key) }, postmaster, pool })
}, 1_800_000)

afterAll(async () => {
  for (const end of endings) await end()
  await copy?.remove()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${told.join('\n')}\n`)
})

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** What one server has done in a round, with what it and the database have used for each call, in milliseconds. */
interface Measured extends Round {
  cost: number
  /** The part of the cost that is the database's. */
  database: number
}

/** Waits until a database has done what the round before left behind, which would slow down whoever is next. */
async function calm(pool: pg.Pool): Promise<void> {
  const busy = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()`
  for (let tries = 0; tries < 600; tries++) {
    const { rows: found } = await pool.query<{ n: number }>(busy)
    if (found[0]?.n === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function contest(next: Next): Promise<Measured[]> {
  const all = contestants.map((): Measured[] => [])
  for (let i = 0; i <= rounds; i++)
    for (const [who, { server, headers, postmaster, pool }] of contestants.entries()) {
      await calm(pool)
      const used = () => Promise.all([cpuOf([server.pid]), cpuOf([postmaster])])
      const before = await used()
      // The first round warms up.
      const round = await load(server.url, headers, next, { connections, seconds: i === 0 ? 1 : seconds })
      const [own = 0, database = 0] = (await used()).map((now, at) => (now - (before[at] ?? 0)) / round.count)
      if (i > 0) all[who]?.push({ ...round, cost: own + database, database })
    }
  return all.map(some => {
    const the = (name: keyof Measured) => median(some.map(one => one[name]))
    return {
      count: the('count'),
      perSecond: the('perSecond'),
      p50: the('p50'),
      p99: the('p99'),
      cost: the('cost'),
      database: the('database'),
    }
  })
}

const data = async ({ server, headers }: Contestant, { path: address }: ReturnType<Next>): Promise<unknown> => {
  const answer = await fetch(`${server.url}${address}`, { headers })
  return ((await answer.json()) as { data: unknown }).data
}

test('plain calls', { timeout: 1_800_000 }, async () => {
  const [first] = contestants
  const other = contestants.at(-1)
  if (!first || !other) throw new Error('Nobody is there.')
  const { rows: known } = await first.pool.query<{ id: string; deptId: string }>(
    `SELECT id::text, "deptId"::text FROM device ORDER BY md5(id::text) LIMIT 20000`,
  )
  const { detail, create, keyed, mix } = callsOf({ deptId: known[0]?.deptId ?? '', ids: known.map(({ id }) => id) })
  for (const next of [anyPage, filtered, detail])
    for (let n = 0; n < 5; n++) {
      const asked = next()
      expect(await data(first, asked)).toEqual(await data(other, asked))
    }
  const cases: [string, Next, FigureName?, FigureName?][] = [
    ['page of 10, any of the first 300, total', anyPage, 'page', 'page.p99'],
    ['page of 10, filtered by kind and days, total', filtered, 'filtered'],
    ['detail', detail, 'detail'],
    ['create', create, 'create', 'create.p99'],
    ['create, with an Idempotency-Key', keyed],
    ['40 % details, 20 % each of the others', mix, 'mix', 'mix.p99'],
  ]
  const only = process.env.BENCH_ONLY?.split(',').map(Number)
  told.push(
    `${rows} rows of 25 columns, ${connections} connections, no request twice (load ${os.loadavg()[0]?.toFixed(1)} over ${os.availableParallelism()} processors)`,
    `Ratios to the one by hand: of rates, of p99, of what a call costs of a processor`,
  )
  const measured: Partial<Record<FigureName, number>> = {}
  for (const [i, [name, next, figure, slowest]] of cases.entries()) {
    if (only && !only.includes(i)) continue
    told.push(name)
    const all = await contest(next)
    const last = all.at(-1)
    const [own] = all
    if (figure && own && last) measured[figure] = own.perSecond / last.perSecond
    if (slowest && own && last) measured[slowest] = own.p99 / last.p99
    for (const [who, one] of all.entries()) {
      const ratios = last && [one.perSecond / last.perSecond, one.p99 / last.p99, one.cost / last.cost]
      told.push(
        `  ${(contestants[who]?.name ?? '').padEnd(14)}${one.perSecond.toFixed(0).padStart(7)}/s, p50 ${one.p50.toFixed(1).padStart(6)} ms, p99 ${one.p99.toFixed(1).padStart(6)} ms, ${one.cost.toFixed(2).padStart(6)} ms of a processor, ${one.database.toFixed(2)} of it the database's ${(ratios ?? []).map(ratio => ratio.toFixed(2).padStart(8)).join('')}`,
      )
    }
    console.log(told.slice(-all.length - 1).join('\n'))
  }
  expect(beyond(measured)).toEqual([])
})
