import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Payorder } from '#schemas/payment/payorder'
import { Param } from '#schemas/system/param'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'
import { copyIn } from '../platform/backup/copy.ts'
import { tidyCounts } from './total.ts'

let one: TestApp
let two: TestApp
let admin: Caller

beforeAll(async () => {
  one = await testApp()
  two = await testApp({ url: one.url })
  admin = await signIn(one, { role: 'administrator' })
})
afterAll(async () => {
  await two.close()
  await one.close()
})

const total = async (t: TestApp, query = 'paramKey=total') =>
  (await t.call<{ total: number }>({ url: `/api/blade-system/param/page?${query}`, headers: admin.headers })).data.total
const add = async (t: TestApp, n: number) =>
  t.call({
    method: 'POST',
    url: '/api/blade-system/param/submit',
    headers: admin.headers,
    payload: { paramName: '名', paramKey: `total.${n}`, paramValue: '1' },
  })

test('two servers on one database agree after every change of either', async () => {
  expect([await total(one), await total(two)]).toEqual([0, 0])
  for (let n = 1; n <= 20; n++) {
    await add(n % 2 ? one : two, n)
    expect([n, await total(one), await total(two)]).toEqual([n, n, n])
    expect([n, await total(one), await total(two)]).toEqual([n, n, n])
  }
  const { rows } = await one.pool.query(`SELECT id FROM param WHERE "paramKey" = 'total.3'`)
  await two.call({ method: 'POST', url: `/api/blade-system/param/remove?ids=${rows[0].id}`, headers: admin.headers })
  expect([await total(one), await total(two)]).toEqual([19, 19])
})

test('a change past the server is seen, one that is rolled back is not', async () => {
  const before = await total(one)
  await one.pool.query(`UPDATE param SET "paramKey" = 'other.' || id WHERE "paramKey" = 'total.5'`)
  expect([await total(one), await total(two)]).toEqual([before - 1, before - 1])
  const client = await two.pool.connect()
  await client.query('BEGIN')
  await client.query(`DELETE FROM param WHERE "paramKey" LIKE 'total%'`)
  expect(await total(one)).toBe(before - 1)
  await client.query('ROLLBACK')
  client.release()
  expect([await total(one), await total(two)]).toEqual([before - 1, before - 1])
})

test('an unchanged table is not counted again', async () => {
  await total(one)
  const { rows } = await one.pool.query(`SELECT sum(count) AS n FROM change_count WHERE "table" = 'param'`)
  await one.pool.query(`ALTER TABLE param DISABLE TRIGGER t_count_change`)
  await insert(one.app, Param, { paramKey: 'total.unseen' })
  const remembered = await total(one)
  await one.pool.query(`ALTER TABLE param ENABLE TRIGGER t_count_change`)
  const same = await one.pool.query(`SELECT sum(count) AS n FROM change_count WHERE "table" = 'param'`)
  expect(same.rows[0].n).toBe(rows[0].n)
  await one.pool.query(`UPDATE param SET remark = 'x' WHERE "paramKey" = 'total.unseen'`)
  expect(await total(one)).toBe(remembered + 1)
})

test('totals hold under readers and writers at once', async () => {
  const writes = Array.from({ length: 60 }, (_, i) => add(i % 2 ? one : two, 1000 + i))
  const reads = Array.from({ length: 60 }, (_, i) => total(i % 2 ? two : one, 'paramKey=total.1'))
  await Promise.all([...writes, ...reads])
  const { rows } = await one.pool.query(
    `SELECT count(*)::int AS n FROM param WHERE "paramKey" LIKE '%total.1%' AND "isDeleted" = 0`,
  )
  expect([await total(one, 'paramKey=total.1'), await total(two, 'paramKey=total.1')]).toEqual([rows[0].n, rows[0].n])
})

/** The total of the whole list, as each server has it, beside the rows themselves. */
const whole = async () => {
  const { rows } = await one.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM param WHERE "isDeleted" = 0 AND "tenantId" = '000000'`,
  )
  return [await total(one, ''), await total(two, ''), rows[0]?.n]
}
const same = (numbers: readonly unknown[]) => expect(new Set(numbers).size, numbers.join()).toBe(1)
/** Every count of every tenant that differs from the rows. */
const wrongCounts = async () => {
  const { rows } = await one.pool.query(`SELECT * FROM
    (SELECT "tenantId", sum(living) AS kept FROM living_count WHERE "table" = 'param' GROUP BY 1) c FULL JOIN
    (SELECT "tenantId", count(*) AS there FROM param WHERE "isDeleted" = 0 GROUP BY 1) r USING ("tenantId")
    WHERE coalesce(kept, 0) <> coalesce(there, 0)`)
  return rows
}

describe('the total of a whole list is kept', () => {
  beforeAll(async () => {
    await tidyCounts(one.app)
  })

  test('and is not counted', async () => {
    same(await whole())
    const { rows } = await one.pool.query(
      `UPDATE living_count SET living = living + 7 WHERE ("table", "tenantId", pid) = ('param', '000000', 0) RETURNING 1`,
    )
    expect(rows).toHaveLength(1)
    const [kept, , there] = await whole()
    expect(kept).toBe(Number(there) + 7)
    await one.pool.query(
      `UPDATE living_count SET living = living - 7 WHERE ("table", "tenantId", pid) = ('param', '000000', 0)`,
    )
  })

  test('under adds, removals and rollbacks of two servers at once, with readers beside', async () => {
    const { rows } = await one.pool.query<{ id: string }>(
      `INSERT INTO param ("paramName", "paramKey", "paramValue") SELECT 'x', 'kept.' || n, '1' FROM generate_series(1, 40) n RETURNING id`,
    )
    const remove = (ids: string, t: TestApp) =>
      t.call({ method: 'POST', url: `/api/blade-system/param/remove?ids=${ids}`, headers: admin.headers })
    const rolledBack = async (t: TestApp, n: number) => {
      const client = await t.pool.connect()
      await client.query('BEGIN')
      await client.query(`INSERT INTO param ("paramName", "paramKey", "paramValue") VALUES ('x', 'gone.${n}', '1')`)
      await client.query(`UPDATE param SET "isDeleted" = 1 WHERE "paramKey" = 'kept.40'`)
      await client.query('ROLLBACK')
      client.release()
    }
    const work = rows.slice(0, 30).flatMap(({ id }, n) => {
      const t = n % 2 ? one : two
      return [remove(id, t), add(t, 5000 + n), rolledBack(t, n), total(t, '')]
    })
    await Promise.all(work)
    expect(await wrongCounts()).toEqual([])
    same(await whole())
  })

  test('when rows come by COPY, change their tenant, are deleted, and a connection is cut off', async () => {
    const client = new pg.Client({ connectionString: one.url })
    client.on('error', () => {})
    await client.connect()
    async function* lines() {
      for (let n = 0; n < 500; n++)
        yield Buffer.from(`名\tcopied.${n}\t1\t${n % 5 ? '000000' : '000009'}\t${n % 7 ? 0 : 1}\n`)
    }
    await copyIn(
      client,
      `COPY param ("paramName", "paramKey", "paramValue", "tenantId", "isDeleted") FROM STDIN`,
      lines(),
    )
    expect(await wrongCounts()).toEqual([])
    await client.query(`UPDATE param SET "tenantId" = '000008' WHERE "paramKey" LIKE 'copied.%3'`)
    await client.query(`UPDATE param SET "isDeleted" = 1 - "isDeleted" WHERE "paramKey" LIKE 'copied.%4'`)
    await client.query(`DELETE FROM param WHERE "paramKey" LIKE 'copied.%5'`)
    expect(await wrongCounts()).toEqual([])
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await client.query('BEGIN')
    await client.query(`DELETE FROM param WHERE "paramKey" LIKE 'copied.%'`)
    await one.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
    await client.end().catch(() => {})
    await expect.poll(wrongCounts).toEqual([])
    same(await whole())
  })

  test('when the counts of connections that are gone are added up while others write', async () => {
    for (let n = 0; n < 5; n++) {
      const client = new pg.Client({ connectionString: one.url })
      await client.connect()
      await client.query(`INSERT INTO param ("paramName", "paramKey", "paramValue") VALUES ('x', 'left.${n}', '1')`)
      await client.end()
    }
    const parts = async () =>
      (await one.pool.query(`SELECT 1 FROM living_count WHERE "table" = 'param' AND pid <> 0`)).rowCount ?? 0
    const before = await parts()
    await expect
      .poll(async () => {
        await Promise.all([tidyCounts(one.app), tidyCounts(two.app), add(one, 6000 + Math.floor(Math.random() * 1e6))])
        return parts()
      })
      .toBeLessThan(before)
    expect(await wrongCounts()).toEqual([])
    same(await whole())
  })

  test('of rows from before the counting, counted once beside writers; until then every list counts', async () => {
    await one.pool.query(
      `DELETE FROM living_count WHERE "table" = 'param'; DELETE FROM counted_table WHERE "table" = 'param'`,
    )
    same(await whole())
    const writes = Array.from({ length: 20 }, (_, n) => add(n % 2 ? one : two, 7000 + n))
    await Promise.all([tidyCounts(one.app), tidyCounts(two.app), ...writes])
    await tidyCounts(one.app)
    expect(await wrongCounts()).toEqual([])
    expect((await one.pool.query(`SELECT 1 FROM counted_table WHERE "table" = 'param'`)).rowCount).toBe(1)
    same(await whole())
    await one.pool.query('TRUNCATE param')
    expect([...(await wrongCounts()), await total(two, '')]).toEqual([0])
  })
})

test('amounts stand below their list as the sum of all rows found, for whoever may see them', async () => {
  const pay = (amount: number, more: object = {}) =>
    insert(one.app, Payorder, {
      bizType: 1,
      bizId: String(amount),
      orderStatus: 1,
      amount,
      refundAmount: null,
      ...more,
    })
  for (let n = 1; n <= 12; n++) await pay(n * 100)
  await pay(7, { bizType: 2, refundAmount: 3 })
  await pay(1_000_000, { isDeleted: 1 })
  await pay(2_000_000_000, { tenantId: '000004', bizType: 2 })
  const sums = async (who: Caller, query = '') =>
    (await two.call({ url: `/api/blade-payOrder/payorder/totals?${query}`, headers: who.headers })).data
  const finance = await signIn(one, { role: 'admin' })
  expect(await sums(finance)).toEqual({ amount: 7807, refundAmount: 3 })
  expect(await sums(finance, 'bizType=1&size=5&current=2')).toEqual({ amount: 7800, refundAmount: 0 })
  expect(await sums(finance, 'orderStatus=0')).toEqual({ amount: 0, refundAmount: 0 })
  const candidate = await signIn(one, { role: 'candidate' })
  await pay(2_000_000_000, { userId: candidate.userId, bizType: 2 })
  await pay(2_000_000_000, { userId: candidate.userId, bizType: 2, bizId: '8' })
  expect(await sums(candidate)).toEqual({ amount: 4_000_000_000, refundAmount: 0 })
})
