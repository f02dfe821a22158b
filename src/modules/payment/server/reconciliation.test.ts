import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import {
  accountOf,
  as,
  makeSignup,
  morning,
  notify,
  order,
  owing,
  payApp,
  payAt,
  recordOf,
  standing,
} from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { uploadAs } from '../../../../tests/helper/upload.ts'
import { BillError } from '../../../platform/channels/pay/bill.ts'
import { writeBill } from '../../../platform/channels/pay/sandbox/bill.ts'
import { findOrder, setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import { readBill } from '../../../platform/channels/pay/wechat/bill.ts'
import { compareMovements } from '../rules/reconcile.ts'
import { reconcileYesterday } from './reconciliation.ts'

let t: Awaited<ReturnType<typeof payApp>>
let finance: Caller
let second: Caller
const day = '2026-12-01'
const base = '/api/blade-reconciliation/reconciliation'

const at = async (time: string) => {
  t.setNow(time)
  await stayLoggedIn(t)
}

beforeAll(async () => {
  t = await payApp()
  finance = await signIn(t, { role: 'finance' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  await t.pool.query('TRUNCATE payorder, payrecord, payrefund, reconciliation, reconciliationitem CASCADE')
  await t.pool.query('TRUNCATE pay_sandbox_order CASCADE')
  await at(morning)
})

const run = (more: object = {}) => as(t, finance).post(`${base}/run`, { billDate: day, channel: 9, ...more })
const items = () => t.db.selectFrom('reconciliationitem').selectAll().where('isDeleted', '=', 0).orderBy('id').execute()
const recon = () => t.db.selectFrom('reconciliation').selectAll().where('isDeleted', '=', 0).executeTakeFirstOrThrow()

/** Somebody who has paid at the sandbox; with `told: false` nobody told us. */
async function payment({ told = true } = {}) {
  const one = await owing(t)
  await appoint(t, one.exam.id, finance, 4)
  const made = (await order(t, one.caller, one.recordId)).data
  await setFault(t.pool, made.orderNo, { times: 0 })
  await payAt(made.codeUrl)
  if (told) await notify(t, made.orderNo)
  return { ...one, ...made }
}
const bill = async () => (await writeBill(t.pool, accountOf(t), day, t.app.now())) ?? ''

describe('reconciliation', () => {
  test('with the channel’s own bill comes out even, refunds included', async () => {
    const one = await payment()
    await payment()
    await as(t, finance).post('/api/blade-payOrder/payrefund/apply', { orderNo: one.orderNo, reason: '放弃考试' })
    const slip = await t.db.selectFrom('payrefund').select('id').executeTakeFirstOrThrow()
    await as(t, second).post(`/api/blade-payOrder/payrefund/approve?id=${slip.id}`)
    expect(await run()).toMatchObject({ code: 24016, status: 409 })
    await at('2026-12-02 09:59:59')
    expect(await run()).toMatchObject({ code: 24016 })
    await at('2026-12-02 10:00:00')
    expect(await run()).toMatchObject({ code: 200, data: { reconStatus: 1, diffNum: 0 } })
    expect(await recon()).toMatchObject({
      localNum: 2,
      localAmount: 16_000,
      refundLocal: 8000,
      channelNum: 2,
      channelAmount: 16_000,
      refundChannel: 8000,
      billDate: day,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await run()).code).toBe(200)
    expect(await items()).toEqual([])
  })

  test('settles an order the channel was paid for, and notes it', async () => {
    const one = await payment({ told: false })
    await at('2026-12-02 10:30:00')
    expect(await run()).toMatchObject({ data: { reconStatus: 1, diffNum: 0 } })
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, states: [1] })
    expect(await items()).toMatchObject([{ diffType: 1, orderNo: one.orderNo, handleStatus: 1, handleWay: '自动补单' }])
  })

  test('asks again about an exception, which a wrong message may have made', async () => {
    const one = await payment({ told: false })
    const paid = (await findOrder(t.pool, 'orderNo', one.orderNo))!
    await notify(t, one.orderNo, { amount: 1, transactionId: paid.transactionId })
    expect((await standing(t, one.recordId)).states).toEqual([5])
    await at('2026-12-02 10:30:00')
    expect(await run()).toMatchObject({ data: { reconStatus: 1, diffNum: 0 } })
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, states: [1] })
    expect(await items()).toMatchObject([{ orderNo: one.orderNo, handleWay: '自动补单' }])
  })

  test('finds every kind of difference; the last decision settles the day', async () => {
    const [here, amount] = [await payment(), await payment()]
    await t.pool.query('DELETE FROM pay_sandbox_order WHERE "orderNo" = $1', [here.orderNo])
    await t.pool.query('UPDATE payorder SET amount = 7999 WHERE "orderNo" = $1', [amount.orderNo])
    const there = await payment()
    await t.pool.query('UPDATE payrecord SET "payOrderId" = NULL WHERE id = $1', [there.recordId])
    await t.pool.query('DELETE FROM payorder WHERE "orderNo" = $1', [there.orderNo])
    await at('2026-12-02 10:30:00')
    expect(await run()).toMatchObject({ data: { reconStatus: 2, diffNum: 3 } })
    const found = await items()
    expect(found.map(one => [one.diffType, one.orderNo, one.localAmount, one.channelAmount]).toSorted()).toEqual([
      [1, there.orderNo, null, 8000],
      [2, here.orderNo, 8000, null],
      [3, amount.orderNo, 7999, 8000],
    ])
    const decide = (id: string, handleWay = '挂账') =>
      as(t, finance).post(`/api/blade-reconciliation/reconciliationitem/handle?id=${id}`, { handleWay })
    expect(await decide(found[0]!.id, ' ')).toMatchObject({ code: 29005 })
    expect(await decide(found[0]!.id)).toMatchObject({ data: { reconStatus: 2 } })
    expect(await run()).toMatchObject({ data: { reconStatus: 2, diffNum: 3 } })
    const again = await items()
    expect(again.map(one => one.handleStatus).toSorted()).toEqual([0, 0, 1])
    const open = again.filter(one => one.handleStatus === 0)
    await decide(open[0]!.id)
    expect(await decide(open[1]!.id)).toMatchObject({ data: { reconStatus: 3 } })
    expect(await recon()).toMatchObject({ reconStatus: 3, handleUser: finance.userId })
    expect(await run()).toMatchObject({ code: 24017, status: 409 })
    expect(await decide(again[0]!.id)).toMatchObject({ code: 24017 })
    const { id } = await recon()
    expect(await as(t, finance).post(`${base}/submit`, { id, remark: 'x' })).toMatchObject({ code: 24017 })
    expect(await as(t, finance).post(`${base}/remove?ids=${id}`)).toMatchObject({ code: 24017 })
  })

  test('at the row of a day compares again, or with a bill that is brought, until the day is settled', async () => {
    const here = await payment()
    await at('2026-12-02 10:30:00')
    expect(await run()).toMatchObject({ data: { reconStatus: 1 } })
    const { id } = await recon()
    const text = await bill()
    await t.pool.query('DELETE FROM pay_sandbox_order WHERE "orderNo" = $1', [here.orderNo])
    const again = (who = finance, which = id) => as(t, who).post(`${base}/again?id=${which}`)
    expect(await again()).toMatchObject({ code: 200, data: {} })
    expect(await recon()).toMatchObject({ id, reconStatus: 2, diffNum: 1 })
    const bring = (who = finance, which = id) =>
      uploadAs(t, who, `${base}/bringBill`, { name: 'bill.csv', bytes: text }, { id: which })
    expect(await bring()).toMatchObject({ code: 200 })
    expect(await recon()).toMatchObject({ id, reconStatus: 1, diffNum: 0 })
    const clerk = await signIn(t, { role: 'recon_reader', permissions: ['reconciliation', 'reconciliation_view'] })
    expect([(await again(clerk)).code, (await bring(clerk)).code]).toEqual([403, 403])
    const elsewhere = await signIn(t, { role: 'recon_else', permissions: ['reconciliation_run'], tenantId: '000077' })
    expect([(await again(elsewhere)).code, (await bring(elsewhere)).code]).toEqual([29001, 29001])
    await again()
    const [open] = await items()
    await as(t, finance).post(`/api/blade-reconciliation/reconciliationitem/handle?id=${open?.id}`, {
      handleWay: '挂账',
    })
    expect(await recon()).toMatchObject({ reconStatus: 3 })
    expect([await again(), await bring()]).toMatchObject([{ code: 24017 }, { code: 24017 }])
  })

  test('takes a bill that was brought, and refuses one that was changed', async () => {
    await payment()
    await at('2026-12-02 11:00:00')
    const text = await bill()
    const bring = (bytes: string) =>
      uploadAs(t, finance, `${base}/importBill`, { name: 'bill.csv', bytes }, { billDate: day, channel: '9' })
    expect(await bring(text.replace('`80.00,`0.00,`\r\n总', '`90.00,`0.00,`\r\n总'))).toMatchObject({ code: 29005 })
    expect(await bring('a,b\r\n1,2')).toMatchObject({ code: 29005, msg: expect.stringContaining('表头') })
    expect(await bring(text)).toMatchObject({ code: 200, data: { reconStatus: 1, diffNum: 0 } })
    const file = await t.db
      .selectFrom('attach')
      .selectAll()
      .where('id', '=', (await recon()).billFile!)
      .executeTakeFirstOrThrow()
    expect((await t.app.storage.get(file.name)).toString()).toBe(text)
    expect(await run({ channel: 1 })).toMatchObject({ code: 29005 })
    expect(await run({ billDate: '2026-13-01' })).toMatchObject({ code: 29005 })
    expect(await as(t, await signIn(t, { role: 'reviewer' })).post(`${base}/run`, {})).toMatchObject({ code: 403 })
  })

  test('is done by the clock at half past ten, once', async () => {
    await payment()
    await at('2026-12-02 10:29:59')
    await reconcileYesterday(t.app)
    expect(await t.db.selectFrom('reconciliation').selectAll().execute()).toEqual([])
    await at('2026-12-02 10:30:00')
    expect(await reconcileYesterday(t.app)).toEqual([])
    const { updateTime } = await recon()
    await at('2026-12-02 10:40:00')
    await reconcileYesterday(t.app)
    expect((await recon()).updateTime).toEqual(updateTime)
  })

  test('leaves other tenants’ payments to them', async () => {
    const one = await payment()
    await payment()
    await t.pool.query('UPDATE payrecord SET "payOrderId" = NULL WHERE id = $1', [one.recordId])
    await t.pool.query(`UPDATE payorder SET "tenantId" = '111111' WHERE "orderNo" = $1`, [one.orderNo])
    await at('2026-12-02 10:30:00')
    expect(await run()).toMatchObject({ data: { reconStatus: 1, diffNum: 0 } })
    expect(await recon()).toMatchObject({ localNum: 1, channelNum: 1 })
  })
})

describe('an export batch', () => {
  const of = { startTime: '2026-12-01 00:00:00', endTime: '2026-12-02 00:00:00' }
  const batch = '/api/blade-exportpaymain/exportpaymain'

  test('freezes its rows and says when its file was changed', async () => {
    const one = await payment()
    const examId = one.exam.id
    const create = (more: object = {}) => as(t, second).post(`${batch}/create`, { examId, ...of, ...more })
    expect(await create({ startTime: of.endTime, endTime: of.startTime })).toMatchObject({ code: 29005 })
    expect(await create({ startTime: '2026-12-01 09:00:01' })).toMatchObject({ code: 29005 })
    const first = await create()
    expect(first).toMatchObject({ code: 200, data: { message: '' } })
    expect((await create()).data.message).toContain(String(first.data.batchNo))
    const row = await t.db
      .selectFrom('exportpaymain')
      .selectAll()
      .where('batchNo', '=', String(first.data.batchNo))
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ totalNum: 1, totalAmount: 8000, refundAmount: 0, exportStatus: 2 })
    await t.db.updateTable('payrecord').set({ amount: 1, name: '改了' }).where('id', '=', one.recordId).execute()
    const frozen = await t.db.selectFrom('exportpay').selectAll().where('mainId', '=', row.id).execute()
    expect(frozen).toMatchObject([{ orderNo: one.orderNo, amount: 8000, payRecordId: one.recordId }])
    const verify = async () => (await as(t, second).post(`${batch}/verify?id=${row.id}`)).data.message
    expect(await verify()).toBe('文件、1 条明细与合计均与摘要一致')
    // What no sum shows: another name, and two amounts that make up for each other.
    const [line] = frozen
    await t.db.updateTable('exportpay').set({ name: '改了' }).where('id', '=', line!.id).execute()
    expect(await verify()).toBe(`明细与摘要不一致，订单：${one.orderNo}`)
    await t.db.updateTable('exportpay').set({ name: line!.name }).where('id', '=', line!.id).execute()
    const { id: _id, ...copy } = line!
    const added = await t.db.insertInto('exportpay').values(copy).returning('id').executeTakeFirstOrThrow()
    expect(await verify()).toBe('明细有增减，与冻结时不一致')
    await t.db.deleteFrom('exportpay').where('id', '=', added.id).execute()
    await t.db.updateTable('exportpaymain').set({ totalAmount: 1 }).where('id', '=', row.id).execute()
    expect(await verify()).toBe('批次合计与明细不一致')
    await t.db.updateTable('exportpaymain').set({ totalAmount: 8000 }).where('id', '=', row.id).execute()
    expect(await verify()).toBe('文件、1 条明细与合计均与摘要一致')
    await t.pool.query('UPDATE exportpay SET digest = NULL; UPDATE exportpaymain SET "rowsDigest" = NULL')
    await t.pool.query(readFileSync('src/platform/database/migrations/262-ledger-rows.sql', 'utf8'))
    expect(await verify()).toBe('文件、1 条明细与合计均与摘要一致')
    const file = await t.db.selectFrom('attach').select('name').where('id', '=', row.file!).executeTakeFirstOrThrow()
    await t.app.storage.put(file.name, Buffer.from('x'))
    expect(await verify()).toContain('不一致')
    for (const call of [
      `${batch}/submit`,
      `${batch}/remove?ids=${row.id}`,
      '/api/blade-exportpay/exportpay/remove?ids=1',
    ])
      expect([29003, 29008]).toContain((await as(t, second).post(call, {})).code)
  })
})

test('a fee that is released keeps its amount', async () => {
  const one = await owing(t)
  await makeSignup(t, one.exam.id)
  await recordOf(t, one.signup.id)
  const change = (more: object) => as(t, second).post('/api/blade-examPay/exampay/submit', { id: one.fee.id, ...more })
  expect(await change({ amount: 1 })).toMatchObject({ code: 29009 })
  expect(await change({ endTime: '2026-12-06 18:00:00', amount: 8000 })).toMatchObject({ code: 200 })
  expect(await change({ endTime: '2026-11-06 18:00:00' })).toMatchObject({ code: 29005 })
  expect(await as(t, second).post(`/api/blade-examPay/exampay/remove?ids=${one.fee.id}`)).toMatchObject({ code: 29009 })
})

test('a bill is proved by its sums', async () => {
  await payment()
  await at('2026-12-02 11:00:00')
  const text = await bill()
  expect(readBill(text).trades).toHaveLength(1)
  expect(() => readBill(text.split('\r\n').toSpliced(1, 1).join('\r\n'))).toThrow(BillError)
  expect(() => readBill(text.split('\r\n').slice(0, 2).join('\r\n'))).toThrow('汇总')
})

test('movements known in another state differ by state', () => {
  const there = [{ no: 'a', transactionId: '1', amount: 5 }]
  expect(compareMovements([], there, new Set(['a']))).toMatchObject([{ diffType: 4, orderNo: 'a', channelAmount: 5 }])
  expect(compareMovements(there, there)).toEqual([])
})
