import { afterAll, beforeAll, expect, test } from 'vitest'
import { Payorder } from '#schemas/payment/payorder'
import { Param } from '#schemas/system/param'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'

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
