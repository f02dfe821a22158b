import type pg from 'pg'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type Entity, entity, integer, optional, ref, sealed, state, text } from '#engine'
import { entities } from '#schemas'
import { type TestDatabase, testDatabase } from '../../tests/helper/app.ts'
import { openPool } from '../platform/database/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { tablesOf } from './table.ts'

const phase = { code: 'phase', title: '阶段', biz: false, type: 'integer', entries: { 0: '草稿', 1: '生效' } } as const
const fields = {
  title: text('名称', { maxLength: 20, unique: true }),
  phase: state('阶段', phase),
  owner: optional(ref('归属', 'user')),
  phone: optional(sealed('手机号码', { format: 'phone' })),
}
const Sheet = entity('sheet-x', '样表', fields, {
  version: true,
  uniques: [{ fields: ['phone'], where: { phase: 0 } }],
})

let database: TestDatabase
let pool: pg.Pool
beforeEach(async () => {
  await drop()
  database = await testDatabase()
  pool = openPool({ connectionString: database.url })
})
afterAll(() => drop())

async function drop(): Promise<void> {
  await pool?.end()
  await database?.drop()
}

const bring = (one: Entity, on = pool) => migrate(on, tablesOf([...entities, one]))
function add(given: Record<string, unknown>) {
  const values = { owner: null, ...given }
  return pool.query(
    `INSERT INTO sheet_x (${Object.keys(values).map(name => `"${name}"`)})
     VALUES (${Object.keys(values).map((_, i) => `$${i + 1}`)}) RETURNING *`,
    Object.values(values),
  )
}

async function columns(): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = 'sheet_x'::regclass AND attnum > 0`,
  )
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

test('an entity makes its table', async () => {
  await bring(Sheet)
  expect(await columns()).toMatchObject({
    id: 'bigint',
    tenantId: 'character varying(12)',
    createTime: 'timestamp with time zone',
    version: 'integer',
    title: 'character varying(20)',
    phase: 'integer',
    owner: 'bigint',
    phone: 'text',
    phoneHash: 'character varying(64)',
  })
  const { rows } = await add({ title: 'a' })
  expect(rows[0]).toMatchObject({ tenantId: '000000', phase: 0, status: 1, isDeleted: 0, version: 0 })
  expect(rows[0].id).toMatch(/^\d{19}$/)
})

test('nothing is done when nothing changed, and once when two start together', async () => {
  const second = openPool({ connectionString: database.url })
  expect((await Promise.all([bring(Sheet), bring(Sheet, second)])).toSorted()).toEqual([false, true])
  expect(await bring(Sheet)).toBe(false)
  await second.end()
})

test('a new field is a new column, a longer text a wider one; rows stay', async () => {
  await bring(Sheet)
  await add({ title: 'a' })
  const longer = {
    ...fields,
    title: text('名称', { maxLength: 200, unique: true }),
    size: integer('大小', { default: 3 }),
  }
  await bring(entity('sheet-x', '样表', longer))
  expect(await columns()).toMatchObject({ title: 'character varying(200)', size: 'integer' })
  expect((await pool.query('SELECT title, size FROM sheet_x')).rows).toEqual([{ title: 'a', size: 3 }])
})

test('a shorter text or a field that is gone removes nothing', async () => {
  await bring(Sheet)
  await bring(entity('sheet-x', '样表', { title: text('名称', { maxLength: 5 }) }))
  expect(await columns()).toMatchObject({ title: 'character varying(20)', phone: 'text', version: 'integer' })
})

describe('uniqueness is held by the database', () => {
  beforeEach(() => bring(Sheet))

  test('per tenant', async () => {
    await add({ title: 'a' })
    await expect(add({ title: 'a' })).rejects.toMatchObject({ code: '23505', constraint: 'u_sheet_x_tenantId_title' })
    await add({ title: 'a', tenantId: '000001' })
  })

  test('among rows that are not deleted', async () => {
    await add({ title: 'a', isDeleted: 1 })
    await add({ title: 'a', isDeleted: 1 })
    await add({ title: 'a' })
  })

  test('of a sealed field by its hash, and only where the rule has its condition', async () => {
    await add({ title: 'a', phone: 'v1:x', phoneHash: 'h', phase: 0 })
    await add({ title: 'b', phone: 'v1:y', phoneHash: 'h', phase: 1 })
    await expect(add({ title: 'c', phone: 'v1:z', phoneHash: 'h', phase: 0 })).rejects.toMatchObject({ code: '23505' })
  })

  test('until the rule changes', async () => {
    await add({ title: 'a', phone: 'v1:x', phoneHash: 'h', phase: 0 })
    await bring(entity('sheet-x', '样表', fields, { uniques: [{ fields: ['phone'], where: { phase: [1, null] } }] }))
    await add({ title: 'b', phone: 'v1:y', phoneHash: 'h', phase: 0 })
    await add({ title: 'c', phone: 'v1:y', phoneHash: 'h', phase: 1 })
    await expect(add({ title: 'd', phone: 'v1:z', phoneHash: 'h', phase: 1 })).rejects.toMatchObject({ code: '23505' })
  })
})

test('a text that became a reference keeps the ids it held', async () => {
  await bring(entity('sheet-x', '样表', { ...fields, owner: text('归属', { maxLength: 64 }) }))
  for (const owner of ['1123598821738675201', '张三', '']) await add({ title: `t${owner}`, owner })
  await bring(Sheet)
  expect((await columns()).owner).toBe('bigint')
  const { rows } = await pool.query('SELECT owner FROM sheet_x ORDER BY id')
  expect(rows.map(row => row.owner)).toEqual(['1123598821738675201', null, null])
})

test('a migration that fails leaves everything as it was', async () => {
  const broken = entity('sheet-x', '样表', fields, { indexes: [['nothing' as 'title']] })
  await expect(bring(broken)).rejects.toThrow('nothing')
  expect((await pool.query(`SELECT to_regclass('sheet_x') AS found`)).rows).toEqual([{ found: null }])
})

test('ids ascend and never repeat, whoever makes them', async () => {
  const sql = 'SELECT next_id() AS id FROM generate_series(1, 2000)'
  const answers = await Promise.all([1, 2, 3, 4].map(() => pool.query<{ id: string }>(sql)))
  const lists = answers.map(({ rows }) => rows.map(({ id }) => id))
  expect(new Set(lists.flat()).size).toBe(8000)
  for (const list of lists) expect(list).toEqual(list.toSorted())
})

test('texts that a list is searched by have an index that finds parts of them', async () => {
  await pool.query(`INSERT INTO signup ("examId", "userId", name, "signNo", "idCard", phone, unit, code)
    SELECT 1, i, '考生' || left(md5(i::text), 10), 'N' || i, 'x', 'x', '01', '01' FROM generate_series(1, 10000) i`)
  await pool.query('VACUUM ANALYZE signup')
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT 1 FROM signup t WHERE t."name"::text ILIKE '%c4ca4238a0%' AND "isDeleted" = 0`,
  )
  expect(rows.map(row => row['QUERY PLAN']).join('\n')).toContain('i_signup_name_part')
})
