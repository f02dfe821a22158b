import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../helper/app.ts'
import { makeOld, old, quote } from '../helper/old-installation.ts'
import { buildServer, type Launched, launchServer } from '../helper/process.ts'

// Two servers begin at one moment on an empty database, and on one of before, and are killed in the middle. Whoever is left
// gets there, the killed ones get there at their next start, and the database is then what a start in peace makes of it.

const rounds = Number(process.env.LONG_STARTS ?? 6)

const databases: TestDatabase[] = []
let before: TestDatabase

beforeAll(async () => {
  buildServer()
  before = await testDatabase('template0')
  const client = new pg.Client(before.url)
  await client.connect()
  await makeOld(client).finally(() => client.end())
})
afterAll(async () => {
  for (const one of [...databases, before]) await one?.drop()
})

const launch = ({ url }: TestDatabase): Launched =>
  launchServer({ DATABASE_URL: url, ADMIN_PASSWORD: 'Shan7-Hai9-Guan', CAPTCHA_MODE: 'false' })

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
const passing = /^(auditlog|audit_|change_count|job_lock|log_|session|throttle|migration$|schema_past)/

/** Everything that makes tables what they are. */
const structure = `
  SELECT 'column' AS kind, table_name || '.' || column_name AS name, data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') AS text
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL SELECT 'index', indexrelid::regclass::text, indisvalid || pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid::regclass::text !~ '^pg_'
    AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, convalidated || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'function', proname, md5(prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  ORDER BY 1, 2, 3`

/** What a database holds, as far as it does not depend on chance: its tables, how many rows each has, rows of before. */
async function contentOf({ url }: TestDatabase) {
  const tables = (
    await rowsOf(
      url,
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
    )
  ).map(row => String(row.name))
  const steady = tables.filter(name => !passing.test(name))
  const counts = steady.map(name => `SELECT '${name}' AS name, count(*)::int AS n FROM ${quote(name)}`)
  const digests: Record<string, unknown> = {}
  for (const [name, rows] of Object.entries(old.rows)) {
    if (!steady.includes(name) || rows.length === 0 || !('id' in rows[0]!)) continue
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
    structure: (await rowsOf(url, structure)).map(row => `${row.kind} ${row.name} ${row.text}`),
    counts: Object.fromEntries((await rowsOf(url, counts.join(' UNION ALL '))).map(row => [row.name, row.n])),
    digests,
  }
}

const isHealthy = async (one: Launched) => (await fetch(`${await one.listening}/api/public/health`)).status

/** Begins two servers, kills one of them or both in the middle, starts those again, and waits until both serve. */
async function disturbed(database: TestDatabase, took: number, isBoth: boolean): Promise<void> {
  const servers = [launch(database), launch(database)]
  await sleep(randomInt(Math.round(took * 0.1), took))
  const at = randomInt(2)
  const killed = isBoth ? [0, 1] : [at]
  await Promise.all(killed.map(n => servers[n]!.stop('SIGKILL')))
  if (!isBoth) expect(await isHealthy(servers[1 - at]!)).toBe(200)
  for (const n of killed) servers[n] = launch(database)
  expect(await Promise.all(servers.map(isHealthy))).toEqual([200, 200])
  expect(await Promise.all(servers.map(one => one.stop()))).toEqual([0, 0])
}

test.each([
  ['an empty database', () => 'template0'],
  ['a database of before', () => new URL(before.url).pathname.slice(1)],
])('two starts on %s, killed in the middle', async (_, from) => {
  const make = async () => {
    const made = await testDatabase(from())
    databases.push(made)
    return made
  }
  const peaceful = await make()
  const began = performance.now()
  const alone = launch(peaceful)
  expect(await isHealthy(alone)).toBe(200)
  const took = performance.now() - began
  expect(await alone.stop()).toBe(0)
  const wanted = await contentOf(peaceful)
  expect(wanted.files.length).toBeGreaterThan(50)
  expect(wanted.structure.length).toBeGreaterThan(2000)
  expect(wanted.structure.filter(line => line.startsWith('index') && line.includes(' false'))).toEqual([])
  for (let round = 0; round < rounds; round++) {
    const database = await make()
    await disturbed(database, took, round % 3 === 2)
    expect(await contentOf(database)).toEqual(wanted)
  }
  console.log(`a start takes ${Math.round(took)} ms; ${rounds} disturbed ones end alike`)
})
