import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { JobInstanceStatus, WorkState } from '#schemas/dictionaries'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { type TestDatabase, testDatabase } from '../helper/app.ts'
import { makeOld, old, quote } from '../helper/old-installation.ts'
import { buildServer, type Launched, launchServer } from '../helper/process.ts'
import { structureOf } from '../helper/structure.ts'

// Two servers begin at one moment on an empty database, and on one of before, and are killed in the middle. Whoever is left
// gets there, the killed ones get there at their next start, and the database is then what a start in peace makes of it.

const rounds = Number(process.env.LONG_STARTS ?? 6)

const password = 'Shan7-Hai9-Guan'
const databases: TestDatabase[] = []
let before: TestDatabase
let folder: string

beforeAll(async () => {
  buildServer()
  before = await testDatabase('template0')
  const client = new pg.Client(before.url)
  await client.connect()
  await makeOld(client)
  // Outside the demo nothing starts with its password.
  await client.query('UPDATE "user" SET password = $1', [await hashPassword(password)])
  await client.end()
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-starts-'))
})
afterAll(async () => {
  for (const one of [...databases, before]) await one?.drop()
  await rm(folder, { recursive: true, force: true })
})

const launch = ({ url }: TestDatabase): Launched =>
  launchServer({ DATABASE_URL: url, DATA_DIR: folder, ADMIN_PASSWORD: password, CAPTCHA_MODE: 'false' })

async function rowsOf(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** Tables whose rows come and go with calls, processes and time. */
const passing =
  /^(app_node|auditlog|audit_|change_count|living_count|job_instance|job_lock|log_|session|throttle|migration$|schema_past)/

/** Tables whose rows a server changes by its clock, such as orders that have expired. */
const worked = /^(job_|pay|send)/

/** What a database holds, as far as it does not depend on chance: its tables, how many rows each has, rows of before. */
async function contentOf({ url }: TestDatabase, isOld: boolean) {
  const tables = (
    await rowsOf(
      url,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    )
  ).map(row => String(row.name))
  const steady = tables.filter(name => !passing.test(name))
  const counts = steady.map(name => `SELECT '${name}' AS name, count(*)::int AS n FROM ${quote(name)}`)
  const digests: Record<string, unknown> = {}
  for (const [name, rows] of isOld ? Object.entries(old.rows) : []) {
    if (!steady.includes(name) || worked.test(name) || rows.length === 0 || !('id' in rows[0]!)) continue
    const [found] = await rowsOf(
      url,
      `SELECT md5(string_agg((to_jsonb(t) - 'updateTime')::text, E'\\n' ORDER BY t.id)) AS digest FROM ${quote(name)} t WHERE t.id::text = ANY($1)`,
      [rows.map(row => String(row.id))],
    )
    digests[name] = found?.digest
  }
  const files = await rowsOf(url, `SELECT name FROM migration WHERE name <> 'demo-seed' ORDER BY 1`)
  return {
    files: files.map(row => row.name),
    structure: await structureOf(url),
    counts: Object.fromEntries((await rowsOf(url, counts.join(' UNION ALL '))).map(row => [row.name, row.n])),
    digests,
  }
}

/** Waits until a server serves; on a slow machine the database may be late to answer at first. */
async function serves(one: Launched): Promise<void> {
  const url = `${await one.listening}/api/public/health`
  await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 60_000, interval: 500 })
}

/** Waits until what was due in the database of before is done, also what a killed server had begun. */
const settles = ({ url }: TestDatabase): Promise<void> =>
  vi.waitFor(
    async () => {
      const due = `SELECT kind, key FROM work_item WHERE state IN ($1, $2) AND "runAt" <= now()`
      expect(await rowsOf(url, due, [WorkState.waiting, WorkState.running])).toEqual([])
      const waiting = `SELECT id FROM job_instance WHERE state IN ($1, $2)`
      expect(await rowsOf(url, waiting, [JobInstanceStatus.waiting, JobInstanceStatus.running])).toEqual([])
    },
    { timeout: 150_000, interval: 500 },
  )

/** Begins two servers, kills one of them or both in the middle, starts those again, and waits until both serve. */
async function disturbed(database: TestDatabase, took: number, isBoth: boolean): Promise<void> {
  const servers = [launch(database), launch(database)]
  await sleep(randomInt(Math.round(took * 0.1), took))
  const at = randomInt(2)
  const killed = isBoth ? [0, 1] : [at]
  await Promise.all(killed.map(n => servers[n]!.stop('SIGKILL')))
  if (!isBoth) await serves(servers[1 - at]!)
  for (const n of killed) servers[n] = launch(database)
  await Promise.all(servers.map(serves))
  await settles(database)
  expect(await Promise.all(servers.map(one => one.stop()))).toEqual([0, 0])
}

test.each([
  ['an empty database', false],
  ['a database of before', true],
])('two starts on %s, killed in the middle', async (_, isOld) => {
  const make = async () => {
    const made = await testDatabase(isOld ? new URL(before.url).pathname.slice(1) : 'template0')
    databases.push(made)
    return made
  }
  const peaceful = await make()
  const began = performance.now()
  const alone = launch(peaceful)
  await alone.listening
  const took = Math.round(performance.now() - began)
  await serves(alone)
  await settles(peaceful)
  expect(await alone.stop()).toBe(0)
  const wanted = await contentOf(peaceful, isOld)
  expect(wanted.files.length).toBeGreaterThan(20)
  expect(wanted.structure.length).toBeGreaterThan(2000)
  expect(wanted.structure.filter(line => line.startsWith('index') && line.includes(' false'))).toEqual([])
  for (let round = 0; round < rounds; round++) {
    const database = await make()
    await disturbed(database, took, round % 3 === 0)
    expect(await contentOf(database, isOld)).toEqual(wanted)
  }
  console.log(`a start takes ${took} ms; ${rounds} disturbed ones end alike`)
})
