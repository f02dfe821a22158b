import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import {
  type Live,
  type LiveDatabase,
  liveAcross,
  liveFor,
  raw,
  removeRows,
  updateUnstamped,
  withRemoved,
} from './live.ts'
import { tenantTables } from './tables.ts'

let t: TestApp
/** Handles of two tenants; the rows of each have ids of the other's accounts nowhere. */
let one: Live
let other: Live
const now = new Date('2026-06-01T08:00:00+08:00')
const whose = (tenantId: string, userId: string | null) => ({ tenantId, userId, now: () => now })
const text = (paramKey: string, paramValue = '1') => ({ paramName: '名', paramKey, paramValue })
const post = (postCode: string, remark: string | null = null) => ({
  postCode,
  postName: postCode,
  category: 1 as const,
  sort: 1,
  remark,
})
const keys = (rows: readonly { paramKey: string }[]) => rows.map(row => row.paramKey).toSorted()

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  one = liveFor(t.app, whose('A0001', '11'))
  other = liveFor(t.app, whose('B0001', '22'))
})
afterAll(() => t.close())

// Each tenant: a parameter that is there, one that is removed, and a post that names each of them.
beforeEach(async () => {
  await t.pool.query(`DELETE FROM param WHERE "tenantId" IN ('A0001', 'B0001')`)
  await t.pool.query(`DELETE FROM post WHERE "tenantId" IN ('A0001', 'B0001')`)
  for (const [db, mark] of [
    [one, 'a'],
    [other, 'b'],
  ] as const) {
    await db
      .insertInto('param')
      .values([text(`${mark}.here`), text(`${mark}.gone`)])
      .execute()
    await db
      .insertInto('post')
      .values([post('p1', 'a.here'), post('p2', 'b.here'), post('p3', `${mark}.gone`)])
      .execute()
    await removeRows(db, 'param').where('paramKey', '=', `${mark}.gone`).execute()
  }
})

/** Rows as they are stored. */
const stored = async (table: string, key: string) =>
  (
    await t.pool.query(
      `SELECT * FROM ${table} WHERE "${table === 'param' ? 'paramKey' : 'postCode'}" = $1 ORDER BY id`,
      [key],
    )
  ).rows

test('a SELECT meets rows of its tenant that are not removed, whatever its own condition says', async () => {
  expect(keys(await one.selectFrom('param').select('paramKey').execute())).toEqual(['a.here'])
  expect(keys(await other.selectFrom('param as p').select('p.paramKey').execute())).toEqual(['b.here'])
  const wide = one.selectFrom('param').select('paramKey').where(sql<boolean>`true OR param."paramKey" = 'x'`)
  expect(keys(await wide.execute())).toEqual(['a.here'])
  expect(wide.compile().sql).toContain('"isDeleted" = 0')
})

test('a join is limited in its ON, so that a left join keeps its rows', async () => {
  const rows = await one
    .selectFrom('post')
    .leftJoin('param as p', 'p.paramKey', 'post.remark')
    .select(['postCode', 'p.paramKey'])
    .orderBy('postCode')
    .execute()
  expect(rows).toEqual([
    { postCode: 'p1', paramKey: 'a.here' },
    { postCode: 'p2', paramKey: null },
    { postCode: 'p3', paramKey: null },
  ])
  const crossed = await one.selectFrom('post').crossJoin('param').select('paramKey').execute()
  expect(keys(crossed)).toEqual(['a.here', 'a.here', 'a.here'])
  const two = await one.selectFrom(['post', 'param']).select('paramKey').where('postCode', '=', 'p1').execute()
  expect(keys(two)).toEqual(['a.here'])
})

test('subqueries are limited: in a condition, as a table, as a column, of a handle, in a set operation', async () => {
  const has = one
    .selectFrom('post')
    .select('postCode')
    .where(eb => eb.exists(eb.selectFrom('param').select('param.id').whereRef('paramKey', '=', 'post.remark')))
  expect(await has.execute()).toEqual([{ postCode: 'p1' }])
  const from = one.selectFrom(eb => eb.selectFrom('param').select('paramKey').as('p')).select('p.paramKey')
  expect(keys(await from.execute())).toEqual(['a.here'])
  const count = one
    .selectFrom('post')
    .select(eb => eb.selectFrom('param').select(eb.fn.countAll<string>().as('n')).as('n'))
    .where('postCode', '=', 'p1')
  expect(await count.execute()).toEqual([{ n: '1' }])
  const handle = one
    .selectFrom('post')
    .select('postCode')
    .where('remark', 'in', one.selectFrom('param').select('paramKey'))
  expect(await handle.execute()).toEqual([{ postCode: 'p1' }])
  expect(handle.compile().sql.match(/"isDeleted"/g)).toHaveLength(2)
  const union = one.selectFrom('param').select('paramKey').unionAll(one.selectFrom('param').select('paramKey'))
  expect(keys(await union.execute())).toEqual(['a.here', 'a.here'])
  const text = sql<{ n: string }>`SELECT count(*) AS n FROM (${one.selectFrom('param').select('id')}) x`
  expect((await text.execute(one)).rows).toEqual([{ n: '1' }])
})

test('a CTE is limited where it is written and may have the name of a table', async () => {
  const rows = await one
    .with('post', db => db.selectFrom('param').select('paramKey'))
    .selectFrom('post')
    .select('paramKey')
    .execute()
  expect(keys(rows)).toEqual(['a.here'])
  const changed = await one
    .with('changed', db => db.updateTable('param').set({ paramValue: '2' }).returning('paramKey'))
    .selectFrom('changed')
    .select('paramKey')
    .execute()
  expect(keys(changed)).toEqual(['a.here'])
  expect((await stored('param', 'b.here'))[0].paramValue).toBe('1')
})

test('an UPDATE changes rows of its tenant by those of its FROM, and stamps them', async () => {
  await t.pool.query(`UPDATE post SET "updateTime" = '2020-01-01', "updateUser" = NULL`)
  const done = await one
    .updateTable('post as p')
    .from('param as o')
    .set({ sort: 9 })
    .whereRef('o.paramKey', '=', 'p.remark')
    .returning('p.postCode')
    .execute()
  expect(done).toEqual([{ postCode: 'p1' }])
  const [mine, theirs] = await stored('post', 'p1')
  expect(mine).toMatchObject({ tenantId: 'A0001', sort: 9, updateUser: '11', updateTime: now, createUser: '11' })
  expect(theirs).toMatchObject({ tenantId: 'B0001', sort: 1, updateUser: null })
})

test('a DELETE takes rows of its tenant by those of its USING, and no removed ones', async () => {
  await one.deleteFrom('post').using('param').whereRef('param.paramKey', '=', 'post.remark').execute()
  expect(await stored('post', 'p1')).toMatchObject([{ tenantId: 'B0001' }])
  await one.deleteFrom('param').execute()
  expect((await stored('param', 'a.gone')).length).toBe(1)
  expect((await stored('param', 'a.here')).length).toBe(0)
  expect((await stored('param', 'b.here')).length).toBe(1)
})

test('an INSERT gets tenant and stamps; the program itself stamps no person', async () => {
  const [row] = await stored('param', 'a.here')
  expect(row).toMatchObject({
    tenantId: 'A0001',
    createUser: '11',
    updateUser: '11',
    createTime: now,
    updateTime: now,
    isDeleted: 0,
  })
  await liveFor(t.app, whose('A0001', null)).insertInto('param').values(text('a.own')).execute()
  expect((await stored('param', 'a.own'))[0]).toMatchObject({
    tenantId: 'A0001',
    createUser: null,
    updateUser: null,
    createTime: now,
  })
  await liveFor(t.app, whose('A0001', null)).updateTable('param').set({ paramValue: '3' }).execute()
  expect((await stored('param', 'a.here'))[0]).toMatchObject({ updateUser: '11', paramValue: '3' })
})

test('an upsert meets the row of its tenant, and adds one where that was removed', async () => {
  const put = (db: Live, key: string) =>
    db
      .insertInto('param')
      .values(text(key, '5'))
      .onConflict(on => on.columns(['paramKey']).doUpdateSet({ paramValue: '6' }))
      .execute()
  await put(liveFor(t.app, whose('A0001', '33')), 'a.here')
  expect(await stored('param', 'a.here')).toMatchObject([{ paramValue: '6', createUser: '11', updateUser: '33' }])
  await put(other, 'a.here')
  expect((await stored('param', 'a.here')).map(row => [row.tenantId, row.paramValue])).toEqual([
    ['A0001', '6'],
    ['B0001', '5'],
  ])
  await put(one, 'a.gone')
  expect((await stored('param', 'a.gone')).map(row => [row.isDeleted, row.paramValue])).toEqual([
    [1, '1'],
    [0, '5'],
  ])
  await one
    .insertInto('param')
    .values(text('a.here', '7'))
    .onConflict(on => on.column('paramKey').doNothing())
    .execute()
  expect((await stored('param', 'a.here'))[0].paramValue).toBe('6')
})

test('removing stamps, and removed rows are met where that is said', async () => {
  expect((await stored('param', 'a.gone'))[0]).toMatchObject({ isDeleted: 1, updateUser: '11' })
  const all = await one.selectFrom(withRemoved('param')).select(['paramKey', 'isDeleted']).orderBy('paramKey').execute()
  expect(all).toEqual([
    { paramKey: 'a.gone', isDeleted: 1 },
    { paramKey: 'a.here', isDeleted: 0 },
  ])
  const names = await one
    .selectFrom('post')
    .leftJoin(withRemoved('param as p'), 'p.paramKey', 'post.remark')
    .select(['postCode', 'p.paramKey'])
    .where('postCode', 'in', ['p2', 'p3'])
    .orderBy('postCode')
    .execute()
  expect(names).toEqual([
    { postCode: 'p2', paramKey: null },
    { postCode: 'p3', paramKey: 'a.gone' },
  ])
})

test('tables of the whole installation have no tenant, those that are no entity have no limits', async () => {
  expect(one.selectFrom('region').select('code').compile().sql).toBe(
    'select "code" from "region" where "region"."isDeleted" = 0',
  )
  expect(one.selectFrom('throttle').select('key').compile().sql).toBe('select "key" from "throttle"')
  expect(one.updateTable('throttle').set({ count: 1 }).compile().sql).toBe('update "throttle" set "count" = $1')
})

test('an INSERT … SELECT adds rows of its tenant from rows of its tenant, stamped', async () => {
  const add = (value: string) =>
    one
      .insertInto('param')
      .columns(['paramName', 'paramKey', 'paramValue'])
      .expression(eb => eb.selectFrom('post').select(['postName', 'remark', sql.val(value).as('value')]))
      .onConflict(oc => oc.columns(['paramKey']).doUpdateSet(eb => ({ paramValue: eb.ref('excluded.paramValue') })))
      .execute()
  await one.updateTable('post').set({ remark: 'c.new' }).where('postCode', '=', 'p3').execute()
  await add('甲')
  const stamps = { tenantId: 'A0001', createUser: '11', updateUser: '11', createTime: now, updateTime: now }
  expect(await stored('param', 'c.new')).toMatchObject([{ paramValue: '甲', ...stamps }])
  await add('乙')
  expect(await stored('param', 'c.new')).toMatchObject([{ paramValue: '乙', ...stamps }])
  expect(await stored('param', 'b.here')).toMatchObject([
    { tenantId: 'B0001', paramValue: '1' },
    { tenantId: 'A0001', paramValue: '乙' },
  ])
})

test('what a plugin cannot read is refused', () => {
  const keys = one.selectFrom('param').select('paramKey')
  const both = one.insertInto('post').columns(['postCode']).expression(keys.unionAll(keys))
  expect(() => both.compile()).toThrow('INSERT adds to «post»')
  expect(() => one.insertInto('post').defaultValues().compile()).toThrow('INSERT adds to «post»')
  expect(() => one.selectFrom('post').rightJoin('param', 'paramKey', 'remark').selectAll().compile()).toThrow(
    'RightJoin',
  )
  expect(() => one.selectFrom('post').fullJoin('param', 'paramKey', 'remark').selectAll().compile()).toThrow('FullJoin')
  const kysely = one as unknown as Kysely<LiveDatabase>
  const merge = kysely.mergeInto('post').using('param', 'remark', 'paramKey').whenMatched().thenDelete()
  expect(() => merge.compile()).toThrow('MERGE')
  const cast = { ...text('x'), tenantId: 'B0001' }
  expect(() => one.insertInto('param').values(cast).compile()).toThrow('fills «tenantId» itself')
  expect(() =>
    one
      .updateTable('param')
      .set({ updateUser: '1' } as object)
      .compile(),
  ).toThrow('fills «updateUser» itself')
})

test('a transaction has the limits of its handle, in either direction', async () => {
  await one.transaction().execute(async trx => {
    await trx.insertInto('param').values(text('a.trx')).execute()
    expect(keys(await trx.selectFrom('param').select('paramKey').execute())).toEqual(['a.here', 'a.trx'])
    const all = await raw(trx)
      .selectFrom('param')
      .select('paramKey')
      .where('tenantId', 'in', ['A0001', 'B0001'])
      .execute()
    expect(keys(all)).toEqual(['a.gone', 'a.here', 'a.trx', 'b.gone', 'b.here'])
  })
  await t.db.transaction().execute(async trx => {
    const own = liveFor(trx, whose('B0001', '22'))
    await own.updateTable('param').set({ paramValue: '8' }).execute()
    expect(keys(await own.selectFrom('param').select('paramKey').where('paramValue', '=', '8').execute())).toEqual([
      'b.here',
    ])
  })
})

test('a handle across tenants meets the rows of all, none that were removed, and stamps times only', async () => {
  const across = liveAcross(t.app, { now: () => now })
  const found = await across
    .selectFrom('post')
    .innerJoin('param as p', 'p.paramKey', 'post.remark')
    .select(['p.paramKey', 'post.tenantId'])
    .where('post.tenantId', 'in', ['A0001', 'B0001'])
    .where('p.tenantId', 'in', ['A0001', 'B0001'])
    .orderBy('p.paramKey')
    .orderBy('post.tenantId')
    .execute()
  expect(found).toEqual([
    { paramKey: 'a.here', tenantId: 'A0001' },
    { paramKey: 'a.here', tenantId: 'B0001' },
    { paramKey: 'b.here', tenantId: 'A0001' },
    { paramKey: 'b.here', tenantId: 'B0001' },
  ])
  await across
    .updateTable('param')
    .set({ paramValue: '9' })
    .where('paramKey', 'in', ['a.here', 'b.here', 'a.gone'])
    .execute()
  for (const key of ['a.here', 'b.here'])
    expect((await stored('param', key))[0]).toMatchObject({ paramValue: '9', updateTime: now })
  expect((await stored('param', 'b.here'))[0]).toMatchObject({ updateUser: '22' })
  expect((await stored('param', 'a.gone'))[0]).toMatchObject({ paramValue: '1' })
  await removeRows(across, 'param').where('paramKey', '=', 'b.here').execute()
  expect(await other.selectFrom('param').select('id').execute()).toEqual([])
})

test('a row that is added across tenants says whose it is, and an upsert meets the one of that tenant', async () => {
  const across = liveAcross(t.app, { now: () => now })
  const put = (tenantId: string) =>
    across
      .insertInto('param')
      .values({ ...text('a.here', '5'), tenantId })
      .onConflict(on => on.columns(['paramKey']).doUpdateSet({ paramValue: '6' }))
      .execute()
  await put('A0001')
  await put('B0001')
  expect(await stored('param', 'a.here')).toMatchObject([
    { tenantId: 'A0001', paramValue: '6', createUser: '11' },
    { tenantId: 'B0001', paramValue: '5', createUser: null, createTime: now },
  ])
  expect(() =>
    across
      .insertInto('param')
      .values(text('a.x') as never)
      .compile(),
  ).toThrow('says its «tenantId»')
  expect(() =>
    across
      .updateTable('param')
      .set({ tenantId: 'B0001' } as object)
      .compile(),
  ).toThrow('fills «tenantId» itself')
})

test('handles of tenants are made within a transaction of all, and the other way round', async () => {
  await liveAcross(t.app, { now: () => now })
    .transaction()
    .execute(async trx => {
      await liveFor(trx, whose('A0001', '33')).insertInto('param').values(text('a.trx')).execute()
      const rows = await liveAcross(liveFor(trx, whose('B0001', null)), { now: () => now })
        .selectFrom('param')
        .select(['paramKey', 'createUser'])
        .where('tenantId', 'in', ['A0001', 'B0001'])
        .where('paramKey', '<>', 'a.here')
        .orderBy('paramKey')
        .execute()
      expect(rows).toEqual([
        { paramKey: 'a.trx', createUser: '33' },
        { paramKey: 'b.here', createUser: '22' },
      ])
    })
})

test('a row that nobody has changed yet has an author and no changer', async () => {
  await liveFor(t.app, { ...whose('A0001', null), authorId: '44' })
    .insertInto('param')
    .values(text('a.authored'))
    .execute()
  expect((await stored('param', 'a.authored'))[0]).toMatchObject({
    createUser: '44',
    updateUser: null,
    updateTime: now,
  })
})

test('an UPDATE without stamps has the limits of its handle', async () => {
  await t.pool.query(`UPDATE param SET "updateTime" = '2020-01-01' WHERE "tenantId" IN ('A0001', 'B0001')`)
  const old = new Date('2020-01-01T00:00:00+08:00')
  await updateUnstamped(one, 'param').set({ paramValue: '7' }).execute()
  expect((await stored('param', 'a.here'))[0]).toMatchObject({ paramValue: '7', updateUser: '11', updateTime: old })
  expect((await stored('param', 'a.gone'))[0]).toMatchObject({ paramValue: '1' })
  expect((await stored('param', 'b.here'))[0]).toMatchObject({ paramValue: '1' })
  await updateUnstamped(liveAcross(t.app, { now: () => now }), 'param')
    .set({ paramValue: '8' })
    .where('param.paramKey', '=', 'b.here')
    .execute()
  expect((await stored('param', 'b.here'))[0]).toMatchObject({ paramValue: '8', updateTime: old })
  // The next statement stamps again.
  await one.updateTable('param').set({ paramValue: '9' }).execute()
  expect((await stored('param', 'a.here'))[0]).toMatchObject({ updateTime: now })
})

test('a table with a tenant that is no entity is limited to it, and has a column for it', async () => {
  const step = { code: 'site', userId: '1', time: now }
  await one.insertInto('start_step').values(step).execute()
  await other
    .insertInto('start_step')
    .values({ ...step, code: 'staff' })
    .onConflict(on => on.columns(['code']).doUpdateSet({ userId: '2' }))
    .execute()
  expect(await one.selectFrom('start_step').select('code').execute()).toEqual([{ code: 'site' }])
  await one.deleteFrom('start_step').execute()
  expect(await other.selectFrom('start_step').select(['code', 'userId']).execute()).toEqual([
    { code: 'staff', userId: '1' },
  ])
  const { rows } = await t.pool.query(
    `SELECT table_name FROM information_schema.columns WHERE column_name = 'tenantId' AND table_name = ANY($1)`,
    [[...tenantTables]],
  )
  expect(rows.map(row => row.table_name).toSorted()).toEqual([...tenantTables])
})
