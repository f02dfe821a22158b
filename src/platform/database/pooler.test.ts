import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testApp, testDatabase } from '../../../tests/helper/app.ts'
import { relayTransactions } from '../../../tests/helper/transaction-relay.ts'
import { openPool, sessionSettings } from './database.ts'
import { connectionTo } from './hosts.ts'
import { requireSessions, requireSettings, setForRole, throughPooler, Unnamed } from './pooler.ts'

// What the server does where a pooler may stand before the database; a journey through PgBouncer is among the long tests.

let database: TestDatabase
const settings = { timezone: 'Asia/Shanghai', lock_timeout: '7s' }
const open = (max = 2) => openPool({ ...connectionTo(database.url, Unnamed).options, ...throughPooler, max })

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.drop())

test('settings are those of the role; sessions of before are refused with what to do', async () => {
  const [direct, before, after] = [openPool({ connectionString: database.url, max: 2 }), open(), open()]
  try {
    await before.query('SELECT 1')
    await setForRole(direct, settings)
    await expect(requireSettings(before, settings)).rejects.toThrow('RECONNECT')
    await requireSettings(after, settings)
    const { rows } = await after.query('SHOW lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '7s' }])
  } finally {
    for (const pool of [direct, before, after]) await pool.end()
  }
})

test('of several poolers none has opened a session before the settings were made', async () => {
  const fresh = await testDatabase()
  const relays = [await relayTransactions(fresh.url), await relayTransactions(fresh.url)]
  try {
    const [first, second] = relays.map(({ url }) => new URL(url))
    const databaseUrl = first!.href.replace(first!.host, `${first!.host},${second!.host}`)
    const ways = { databaseUrl, databaseDirectUrl: fresh.url, databasePrepared: false }
    const t = await testApp({ url: fresh.url, config: ways })
    const { rows } = await t.app.pool.query('SHOW lock_timeout')
    expect(rows).toEqual([{ lock_timeout: sessionSettings.lock_timeout }])
    await t.close()
  } finally {
    for (const relay of relays) await relay.close()
    await fresh.drop()
  }
})

test('processes that start at once make the same settings', async () => {
  const pools = Array.from({ length: 8 }, () => openPool({ connectionString: database.url, max: 1 }))
  try {
    await Promise.all(pools.map(pool => pool.query('SELECT 1')))
    const own = { ...settings, lock_timeout: '8s' }
    const through = open()
    try {
      await Promise.all(pools.map(pool => setForRole(pool, own)))
      await requireSettings(through, own)
    } finally {
      await through.end()
    }
  } finally {
    for (const pool of pools) await pool.end()
  }
})

test('statements have no names: one name may be of two statements', async () => {
  const pool = open(1)
  try {
    expect((await pool.query({ name: 'one', text: 'SELECT 1 AS n' })).rows).toEqual([{ n: 1 }])
    expect((await pool.query({ name: 'one', text: 'SELECT $1::int AS n', values: [2] })).rows).toEqual([{ n: 2 }])
    expect((await pool.query('SELECT count(*)::int AS n FROM pg_prepared_statements')).rows).toEqual([{ n: 0 }])
  } finally {
    await pool.end()
  }
})

test('a connection that keeps its session needs nothing more', async () => {
  const pool = open()
  try {
    await requireSessions(pool)
  } finally {
    await pool.end()
  }
})

test.each([true, false])(
  'a pooler that nobody has told of is refused with what to set (it takes options: %s)',
  async takes => {
    const relay = await relayTransactions(database.url, takes)
    try {
      const config = { databaseUrl: relay.url, databaseDirectUrl: undefined }
      const started = testApp({ url: database.url, config }).then(t => t.close())
      await expect(started).rejects.toThrow(/^DATABASE_URL leads to a pooler.* set DATABASE_DIRECT_URL to the address/)
    } finally {
      await relay.close()
    }
  },
)

test.each([
  [true, 1],
  [false, 2],
])(
  'a way past the pooler that leads to one is refused (it takes options: %s; connections: %i)',
  async (takes, most) => {
    const relay = await relayTransactions(database.url, takes)
    try {
      const config = {
        databaseUrl: relay.url,
        databaseDirectUrl: relay.url,
        databasePrepared: false,
        databasePoolDirect: most,
      }
      const started = testApp({ url: database.url, config }).then(t => t.close())
      await expect(started).rejects.toThrow(/^DATABASE_DIRECT_URL leads to a pooler in transaction mode: set it to/)
    } finally {
      await relay.close()
    }
  },
)
