import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entity, text } from '#engine'
import { entities } from '#schemas'
import { LogApi } from '#schemas/audit/log-api'
import { shanghai, type TestApp, type TestDatabase, testApp, testDatabase } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { tablesOf } from '../../../crud/table.ts'
import { readTables } from '../../../modules/development/server/catalogue.ts'
import { openPool } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { endOldLogs, keepPartitions } from './retention.ts'

let t: TestApp
let auditor: Session
beforeAll(async () => {
  t = await testApp({ now: '2031-03-20 10:00:00' })
  auditor = await loginAs(t, 'auditor')
})
afterAll(() => t?.close())

interface Part {
  name: string
  lines: number
}

/** The parts of a table that hold lines of a title. */
const partsOf = async (pool: pg.Pool, table: string, title: string): Promise<Part[]> =>
  (
    await pool.query<Part>(
      `SELECT tableoid::regclass::text AS name, count(*)::int AS lines FROM ${table} WHERE title = $1 GROUP BY 1 ORDER BY 1`,
      [title],
    )
  ).rows

const line = (title: string, time: string) => insert(t.app, LogApi, { title, createTime: shanghai(time) })

describe('a month of lines', () => {
  test('has its part before it comes; what came too early waits for it and loses nothing', async () => {
    await line('m', '2031-03-31 23:59:59')
    await line('m', '2031-04-01 00:00:00')
    expect(await partsOf(t.pool, 'log_api', 'm')).toEqual([{ name: 'log_api_rest', lines: 2 }])
    let going = true
    const writers = [1, 2, 3].map(async () => {
      for (let n = 0; going || n < 20; n++) await line('busy', '2031-03-15 00:00:00')
    })
    await Promise.all([keepPartitions(t.app), keepPartitions(t.app)])
    await line('m', '2031-05-31 12:00:00')
    going = false
    await Promise.all(writers)
    expect(await partsOf(t.pool, 'log_api', 'm')).toEqual([
      { name: 'log_api_203103', lines: 1 },
      { name: 'log_api_203104', lines: 1 },
      { name: 'log_api_203105', lines: 1 },
    ])
    const { rows } = await t.pool.query(`SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids FROM log_api_203103
      WHERE title = 'busy'`)
    expect([rows[0].n >= 60, rows[0].n - rows[0].ids]).toEqual([true, 0])
    const busy = await partsOf(t.pool, 'log_api', 'busy')
    expect(busy.map(part => part.name)).toEqual(['log_api_203103'])
  })

  test('is all a list reads that says from when to when', async () => {
    const { rows } = await t.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM log_api t WHERE "tenantId" = '000000' AND
         t."createTime" >= ('2031-04-01 00:00:00'::timestamp AT TIME ZONE 'Asia/Shanghai') AND
         t."createTime" < ('2031-05-01 00:00:00'::timestamp AT TIME ZONE 'Asia/Shanghai')
       ORDER BY t."createTime" DESC, t.id DESC LIMIT 10`,
    )
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    expect([...plan.matchAll(/ on (log_api_\w+)/g)].map(([, name]) => name)).toEqual(['log_api_203104'])
  })

  test('ends as a whole when its last line is old enough, never before 180 days, and lists see it', async () => {
    const titles = async () => {
      const url = '/api/blade-log/api/list?title=old&ascs=createTime'
      const { data } = await t.call<{ total: number; records: { title: string }[] }>({ url, headers: auditor.headers })
      return [data.total, ...data.records.map(row => row.title)]
    }
    await line('old 1', '2030-07-31 23:59:59')
    await line('old 2', '2030-08-01 00:00:00')
    await line('old 3', '2030-08-31 23:59:59')
    await t.db.updateTable('param').set({ paramValue: '30' }).where('paramKey', '=', 'log.api.days').execute()
    const ended = async (now: string) => {
      t.setNow(now)
      await t.app.jobs.run('log-retention')
      return titles()
    }
    expect(await titles()).toEqual([3, 'old 1', 'old 2', 'old 3'])
    expect(await ended('2031-01-27 23:59:59')).toEqual([3, 'old 1', 'old 2', 'old 3'])
    expect(await ended('2031-01-28 00:00:00')).toEqual([2, 'old 2', 'old 3'])
    await t.db.updateTable('param').set({ paramValue: '365' }).where('paramKey', '=', 'log.api.days').execute()
    await endOldLogs(t.app)
    expect(await ended('2031-03-20 10:00:00')).toEqual([2, 'old 2', 'old 3'])
  })
})

describe('a month in which very much is written', () => {
  const named = async (from: string) =>
    (
      await t.pool.query<{ name: string }>(
        `SELECT name FROM partitions_of('log_api') WHERE lower >= $1 AND lower < $1::timestamptz + interval '40 days' ORDER BY lower`,
        [shanghai(from)],
      )
    ).rows.map(row => row.name)

  test('ends at midnight, has days behind it while they are large, and loses no line', async () => {
    t.setNow('2032-03-20 10:00:00')
    await keepPartitions(t.app)
    const months = ['log_api_203203', 'log_api_203204']
    expect(await named('2032-03-01 00:00:00')).toEqual(months)
    for (const time of ['2032-03-20 09:00:00', '2032-03-21 00:00:00', '2032-03-25 12:00:00']) await line('large', time)
    await keepPartitions(t.app)
    expect(await named('2032-03-01 00:00:00')).toEqual(months)
    await keepPartitions(t.app, 1)
    const days = ['log_api_20320321', 'log_api_20320322', 'log_api_20320323', 'log_api_20320324']
    expect(await named('2032-03-01 00:00:00')).toEqual(['log_api_203203', ...days, 'log_api_203204'])
    expect(await partsOf(t.pool, 'log_api', 'large')).toEqual([
      { name: 'log_api_203203', lines: 1 },
      { name: 'log_api_20320321', lines: 1 },
      { name: 'log_api_20320324', lines: 1 },
    ])
    // The last of them holds a line, so that it stays what it is: the rest of the month.
    t.setNow('2032-03-22 10:00:00')
    await keepPartitions(t.app, 1)
    expect(await named('2032-03-01 00:00:00')).toEqual(['log_api_203203', ...days, 'log_api_203204'])
    t.setNow('2032-09-18 10:00:00')
    await t.db.updateTable('param').set({ paramValue: '180' }).where('paramKey', '=', 'log.api.days').execute()
    await endOldLogs(t.app)
    expect(await named('2032-03-01 00:00:00')).toEqual([...days.slice(1), 'log_api_203204'])
    t.setNow('2031-03-20 10:00:00')
  })
})

test('parts are no tables to whoever looks at the tables', async () => {
  const names = (await readTables(t.pool, true)).map(({ name }) => name)
  expect(names.filter(name => name.startsWith('log_'))).toEqual(['log_api', 'log_error', 'log_usual'])
})

describe('a table that is there already', () => {
  let database: TestDatabase
  let pool: pg.Pool
  beforeAll(async () => {
    database = await testDatabase()
    pool = openPool({ connectionString: database.url })
  })
  afterAll(async () => {
    await pool?.end()
    await database?.drop()
  })

  const fields = { title: text('标题', { maxLength: 20 }), place: text('地点') }
  const options = { indexes: [['place']] as const }
  const bring = (partition?: 'month') =>
    migrate(
      pool,
      tablesOf([...entities, entity('line', '行', fields, { ...options, ...(partition && { partition }) })]),
    )
  const add = (time: string) =>
    pool.query(`INSERT INTO line (title, place, "createTime") VALUES ('x', 'p', $1)`, [shanghai(time)])

  test('is cut with all its rows, once, and its indexes hold for every part', async () => {
    await bring()
    for (const time of ['2020-01-05 00:00:00', '2026-01-05 00:00:00', '2031-03-05 00:00:00']) await add(time)
    const ids = async () => (await pool.query(`SELECT id FROM line WHERE title = 'x' ORDER BY "createTime"`)).rows
    const before = await ids()
    expect([await bring('month'), await bring('month')]).toEqual(['changed', 'same'])
    expect(await ids()).toEqual(before)
    await add('2031-04-01 00:00:00')
    await pool.query(`SELECT keep_partitions('line', $1, 0)`, [shanghai('2031-04-10 00:00:00')])
    expect(await partsOf(pool, 'line', 'x')).toEqual([
      { name: 'line_203104', lines: 1 },
      { name: 'line_before', lines: 3 },
    ])
    const { rows } = await pool.query(`SELECT count(*)::int AS n FROM pg_indexes WHERE tablename LIKE 'line\\_%'
      AND indexdef LIKE '%(place)%'`)
    expect(rows[0].n).toBe(3)
    await pool.query(`SELECT end_partitions('line', $1)`, [shanghai('2031-04-01 00:00:00')])
    expect((await ids()).length).toBe(1)
  })
})
