import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import {
  accountOf,
  as,
  contextOf,
  morning,
  notify,
  order,
  owing,
  payApp,
  payAt,
  standing,
} from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { reviewer } from '../../../../tests/helper/sign-bench.ts'
import { signedRefundNotify } from '../../../platform/channels/pay/sandbox/notify.ts'
import { findOrder, type SandboxFault, setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import { findRefund } from '../../../platform/channels/pay/sandbox/refunds.ts'
import { liveIn } from '../../../platform/http/server/live.ts'
import { ledgerDiscrepancies } from './ledger-check.ts'
import { createOrder } from './order.ts'
import { pollRefunds } from './refund.ts'
import { refundPaid } from './refund-paid.ts'

let t: Awaited<ReturnType<typeof payApp>>
let one: Awaited<ReturnType<typeof owing>>
let orderNo: string
let finance: Caller
let second: Caller

beforeAll(async () => {
  t = await payApp()
  finance = await signIn(t, { role: 'finance' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  one = await owing(t)
  await appoint(t, one.exam.id, finance, 4)
  const made = (await order(t, one.caller, one.recordId)).data
  orderNo = made.orderNo
  await setFault(t.pool, orderNo, { times: 0 })
  await payAt(made.codeUrl)
  await notify(t, orderNo)
})

const base = '/api/blade-payOrder/payrefund'
const apply = (more: object = {}, who = finance) =>
  as(t, who).post(`${base}/apply`, { orderNo, reason: '放弃考试', ...more })
const slips = async () => (await standing(t, one.recordId)).slips
const slip = async () => (await slips()).at(-1)!
const act = async (what: string, who = second, body: object = {}) =>
  as(t, who).post(`${base}/${what}?id=${(await slip()).id}`, body)
const state = () => standing(t, one.recordId)
const fault = (more: SandboxFault) => setFault(t.pool, orderNo, { times: 0, ...more })
const later = async (seconds: number) => {
  t.setNow(new Date(t.app.now().getTime() + seconds * 1000))
  await stayLoggedIn(t)
}
/** Sends the server a genuine notification about the refund as the sandbox has it. */
async function tell(change: object = {}) {
  const refund = { ...(await findRefund(t.pool, (await slip()).refundNo))!, ...change }
  const paid = (await findOrder(t.pool, 'orderNo', orderNo))!
  const { body, headers } = signedRefundNotify(accountOf(t), refund, paid, crypto.randomUUID(), t.app.now())
  return t.app.inject({ method: 'POST', url: '/api/pay/wxpay/refundNotify', body, headers })
}

/** Calls that find money of an exam by an id or a number, with the refusal for what is not there. */
const moneyCalls = async () => {
  const { id: payOrderId } = await t.db
    .selectFrom('payorder')
    .select('id')
    .where('orderNo', '=', orderNo)
    .executeTakeFirstOrThrow()
  const refundId = (await slip()).id
  return [
    ['payorder/refund', { id: payOrderId, reason: '退' }],
    ['payorder/check', { id: payOrderId }],
    ['payorder/close', { id: payOrderId }],
    ['payrefund/apply', { orderNo, reason: '退' }],
    ['payrefund/approve', { id: refundId }],
    ['payrefund/reject', { id: refundId, reason: '退' }],
    ['payrefund/retry', { id: refundId }],
    ['payrefund/byHand', { id: refundId, remark: '退' }],
  ] as const
}

describe('money of an exam that somebody is not appointed to', () => {
  test.each([
    ['dismissed', undefined],
    ['appointed for its reviews', 2],
    ['appointed as a proctor', 5],
    ['appointed as an observer', 6],
  ] as const)('is not there for finance who are %s', async (_, examRole) => {
    await apply()
    const outsider = await signIn(t, { role: 'finance' })
    if (examRole) await appoint(t, one.exam.id, outsider, examRole)
    const before = await state()
    for (const table of ['payorder', 'payrefund'])
      expect(await as(t, outsider).get(`/api/blade-payOrder/${table}/page`)).toMatchObject({ data: { total: 0 } })
    expect(await as(t, outsider).get('/api/blade-payOrder/payorder/totals')).toMatchObject({ data: { amount: 0 } })
    for (const [path, body] of await moneyCalls()) {
      const answer = await as(t, outsider).post(`/api/blade-payOrder/${path}`, body)
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect(await state()).toEqual(before)
    await expect
      .poll(async () => {
        const { rows } = await t.pool.query(
          `SELECT DISTINCT "targetType" FROM auditlog WHERE event = 'denied' AND "userId" = $1 ORDER BY 1`,
          [outsider.userId],
        )
        return rows.map(row => row.targetType)
      })
      .toEqual(['payorder', 'payrefund'])
  })
})

describe('a refund', () => {
  test('is asked for by one, approved by another, and the money is back', async () => {
    expect(await apply()).toMatchObject({ code: 200 })
    expect(await state()).toMatchObject({ payState: 3, copy: 3 })
    expect(await act('approve', finance)).toMatchObject({ code: 24018, status: 409 })
    expect(await act('approve')).toMatchObject({ data: { message: '退款成功' } })
    const { payState, copy, totals, orders } = await state()
    expect([payState, copy, totals.refundAmount, totals.paidNum]).toEqual([4, 4, 8000, 1])
    expect(orders[0]).toMatchObject({ orderStatus: 3, refundAmount: 8000 })
    expect(await slip()).toMatchObject({ refundStatus: 2, approveUser: second.userId, amount: 8000, errMsg: null })
    expect(await act('approve')).toMatchObject({ data: { message: '退款成功' } })
    expect((await state()).orders[0]).toMatchObject({ orderStatus: 3, refundAmount: 8000 })
    expect(await apply()).toMatchObject({ code: 29009 })
  })

  test('can be asked for at the row of its order', async () => {
    const { orders } = await state()
    const url = `/api/blade-payOrder/payorder/refund?id=${orders[0]?.id}`
    expect(await as(t, one.caller).post(url, { reason: 'x' })).toMatchObject({ status: 403 })
    expect(await as(t, finance).post(url, {})).toMatchObject({ code: 29005 })
    expect(await as(t, finance).post(url, { reason: '放弃考试' })).toMatchObject({ code: 200 })
    expect(await as(t, finance).post(url, { reason: '放弃考试' })).toMatchObject({ code: 200 })
    expect(await as(t, finance).post(url, { reason: '重复缴费' })).toMatchObject({ code: 24011 })
    expect(await slip()).toMatchObject({ amount: 8000, applyUser: finance.userId })
  })

  test('can be asked for at the row of its fee record, whose list adds up what has come in', async () => {
    const records = '/api/blade-payrecord/payrecord'
    const url = `${records}/refund?id=${one.recordId}`
    const owed = await owing(t)
    await appoint(t, owed.exam.id, finance, 4)
    const all = `examId=${one.exam.id}`
    expect((await as(t, finance).get(`${records}/totals?${all}`)).data).toMatchObject({ amount: 8000, income: 8000 })
    const other = `examId=${owed.exam.id}`
    expect((await as(t, finance).get(`${records}/totals?${other}`)).data).toMatchObject({ amount: 8000, income: 0 })
    expect(await as(t, one.caller).post(url, { reason: 'x' })).toMatchObject({ status: 403 })
    expect(await as(t, await signIn(t, { role: 'finance' })).post(url, { reason: 'x' })).toMatchObject({ code: 24001 })
    expect(await as(t, finance).post(url, {})).toMatchObject({ code: 29005 })
    expect(await as(t, finance).post(`${records}/refund?id=${owed.recordId}`, { reason: 'x' })).toMatchObject({
      code: 29009,
    })
    expect(await as(t, finance).post(url, { reason: '放弃考试' })).toMatchObject({ code: 200 })
    expect(await slip()).toMatchObject({ amount: 8000, applyUser: finance.userId, refundStatus: 0 })
    expect(await state()).toMatchObject({ payState: 3 })
    expect(await act('approve', finance)).toMatchObject({ code: 24018 })
    expect(await act('approve')).toMatchObject({ data: { message: '退款成功' } })
  })

  test('that is on its way is finished by the notification, once', async () => {
    await fault({ refundLate: 60 })
    await apply()
    expect((await act('approve')).data).toEqual({ message: '退款处理中' })
    expect(await state()).toMatchObject({ payState: 3, states: [1] })
    await later(61)
    expect((await tell({ amount: 1 })).statusCode).toBe(200)
    expect(await slip()).toMatchObject({ refundStatus: 4, errMsg: '渠道退款与退款单不符' })
    expect((await tell()).statusCode).toBe(200)
    const before = await state()
    expect(before).toMatchObject({ payState: 4, states: [3], totals: { refundAmount: 8000 } })
    expect((await tell()).statusCode).toBe(200)
    expect(await state()).toEqual(before)
  })

  test('is finished by the job when no notification comes', async () => {
    await fault({ refundLate: 60 })
    await apply()
    await act('approve')
    await later(59)
    expect(await pollRefunds(contextOf(t))).toEqual([])
    expect((await state()).payState).toBe(3)
    await later(61)
    await pollRefunds(contextOf(t))
    expect(await state()).toMatchObject({ payState: 4, states: [3] })
  })

  test('whose process died before the channel was asked is asked for by the job', async () => {
    await apply()
    await t.db
      .updateTable('payrefund')
      .set({ refundStatus: 1, queryTime: t.app.now() })
      .where('id', '=', (await slip()).id)
      .execute()
    await later(60)
    expect(await pollRefunds(contextOf(t))).toEqual([])
    expect(await state()).toMatchObject({ payState: 4, states: [3] })
  })

  test('that the channel closes leaves the payment as it was', async () => {
    await fault({ refund: 'CLOSED' })
    await apply()
    expect((await act('approve')).data).toEqual({ message: '渠道已关闭退款' })
    expect(await state()).toMatchObject({ payState: 1, copy: 1, states: [1], totals: { refundAmount: 0 } })
    expect((await slip()).refundStatus).toBe(3)
  })

  test('that goes wrong can be tried again with the same number, or booked by hand by another person', async () => {
    await fault({ refund: 'ABNORMAL' })
    await apply()
    expect((await act('approve')).data).toEqual({ message: '退款异常，请核实后重试或线下退款' })
    expect(await apply()).toMatchObject({ code: 24011 })
    const { refundNo } = await slip()
    expect((await act('retry')).code).toBe(200)
    expect((await slip()).refundNo).toBe(refundNo)
    const { rows } = await t.pool.query('SELECT 1 FROM pay_sandbox_refund WHERE "orderNo" = $1', [orderNo])
    expect(rows).toHaveLength(1)
    expect(await act('byHand', finance, { remark: '银行回单 1' })).toMatchObject({ code: 24018 })
    expect(await act('byHand', second, { remark: '银行回单 1' })).toMatchObject({ code: 200 })
    expect(await state()).toMatchObject({ payState: 4, states: [3], totals: { refundAmount: 8000 } })
  })

  test('that is refused needs a reason and leaves the payment as it was', async () => {
    await apply()
    expect(await act('reject')).toMatchObject({ code: 29005 })
    expect(await act('reject', second, { reason: '材料不全' })).toMatchObject({ code: 200 })
    expect(await state()).toMatchObject({ payState: 1, states: [1] })
    expect(await apply()).toMatchObject({ code: 200 })
    expect(await slips()).toHaveLength(2)
  })

  test('is one at a time, never more than was paid, and a part of it only by an administrator', async () => {
    expect(await apply({ amount: 8001 })).toMatchObject({ code: 24010 })
    expect(await apply({ amount: 3000 })).toMatchObject({ code: 29005 })
    expect(await apply({ amount: 3000 }, second)).toMatchObject({ code: 200 })
    expect((await state()).payState).toBe(1)
    expect(await apply()).toMatchObject({ code: 24011 })
    expect((await act('approve', t.staff)).code).toBe(200)
    expect(await state()).toMatchObject({ payState: 1, states: [4] })
    expect(await apply({ amount: 5001 }, second)).toMatchObject({ code: 24010 })
    expect(await apply()).toMatchObject({ code: 200 })
    expect((await slip()).amount).toBe(5000)
    await act('approve', t.staff)
    expect(await state()).toMatchObject({ payState: 4, states: [3], totals: { refundAmount: 8000 } })
  })

  test('is not asked for after a year or while an invoice stands', async () => {
    await t.db.updateTable('payrecord').set({ invoiceStatus: 2 }).where('id', '=', one.recordId).execute()
    expect(await apply()).toMatchObject({ code: 24014 })
    await t.db.updateTable('payrecord').set({ invoiceStatus: 3 }).where('id', '=', one.recordId).execute()
    await later(365 * 86_400 + 1)
    expect(await apply()).toMatchObject({ code: 24012 })
    await later(-1)
    expect(await apply()).toMatchObject({ code: 200 })
  })

  test('of a second payment leaves the first one alone', async () => {
    const payer = { tenantId: '000000', userId: one.caller.userId, ip: '' }
    await t.db.updateTable('payrecord').set({ payState: 0 }).where('id', '=', one.recordId).execute()
    const again = await createOrder(contextOf(t), payer, one.recordId)
    await t.db.updateTable('payrecord').set({ payState: 1 }).where('id', '=', one.recordId).execute()
    await setFault(t.pool, again.orderNo, { times: 0 })
    await payAt(again.codeUrl)
    await notify(t, again.orderNo)
    expect(await slip()).toMatchObject({ applyUser: '0', reason: '重复支付' })
    expect((await act('approve', finance)).data).toEqual({ message: '退款成功' })
    expect(await state()).toMatchObject({ payState: 1, states: [1, 3] })
  })

  test('approved by two at once goes back once', async () => {
    await apply()
    const third = await signIn(t, { role: 'admin' })
    const codes = (
      await Promise.all([act('approve'), act('approve', third), act('reject', third, { reason: 'x' })])
    ).map(one => one.code)
    expect(codes.filter(code => code === 200)).toHaveLength(1)
    const { rows } = await t.pool.query('SELECT 1 FROM pay_sandbox_refund WHERE "orderNo" = $1', [orderNo])
    expect(rows.length).toBeLessThanOrEqual(1)
  })

  test('asked for by two at once is one slip', async () => {
    const codes = (await Promise.all([apply(), apply({}, second), apply()])).map(one => one.code)
    // Whoever was first may ask again; the other is told.
    expect([
      [200, 24011, 200],
      [24011, 200, 24011],
    ]).toContainEqual(codes)
    expect(await slips()).toHaveLength(1)
  })
})

test('what follows from an act on a slip is stamped with nobody, nor is the slip with who asked for it', async () => {
  await apply()
  expect(await slip()).toMatchObject({ createUser: finance.userId, updateUser: null })
  await act('approve')
  await tell()
  const { record, orders, slips } = await state()
  expect(slips).toMatchObject([{ refundStatus: 2, approveUser: second.userId, updateUser: null }])
  expect([record, ...orders]).toMatchObject([{ payState: 4, updateUser: null }, { updateUser: null }])
  expect(await t.db.selectFrom('payrecordmain').selectAll().where('id', '=', record.mainId).execute()).toMatchObject([
    { createUser: t.staff.userId, updateUser: null },
  ])
  // Who asked for a refund has not made it: to try it again is refused, not taken for a repeat.
  expect((await act('retry', finance)).code).toBe(29009)
})

describe('striking off somebody who has paid', () => {
  const sign = '/api/blade-signup/signup'
  /** Two exam administrators: one asks, the other confirms. */
  async function strike() {
    const [asks, confirms] = [await reviewer(t, one.exam.id, 1), await reviewer(t, one.exam.id, 1)]
    const cancel = (who: Caller) =>
      as(t, who).post(`${sign}/cancelQualification?id=${one.signup.id}`, { reason: '材料造假' })
    const before = await slips()
    expect((await cancel(asks)).code).toBe(200)
    expect(await slips()).toEqual(before)
    expect((await cancel(confirms)).code).toBe(200)
    return asks
  }

  const striking = (tenantId: string, ids: string[]) =>
    liveIn(t.app, tenantId)
      .transaction()
      .execute(trx => refundPaid(trx, ids, '取消资格', t.app.now()))

  test('asks for the refund, which finance approves', async () => {
    await strike()
    expect(await state()).toMatchObject({ payState: 3, copy: 3, states: [1] })
    const expected = { amount: 8000, refundStatus: 0, applyUser: '0', reason: '取消资格：材料造假' }
    expect(await slips()).toMatchObject([expected])
    expect(await apply()).toMatchObject({ code: 24011 })
    expect((await act('approve', finance)).data).toEqual({ message: '退款成功' })
    expect(await state()).toMatchObject({ payState: 4, copy: 4, states: [3], totals: { refundAmount: 8000 } })
  })

  test('and restoring withdraws the slip that nobody approved', async () => {
    const admin = await strike()
    const back = await as(t, admin).post(`${sign}/restoreQualification?id=${one.signup.id}`, { reason: '复核属实' })
    expect(back).toMatchObject({ code: 200 })
    expect(await state()).toMatchObject({ payState: 1, copy: 1, states: [1] })
    expect(await slips()).toMatchObject([{ refundStatus: 5, errMsg: '资格已恢复，不再退款' }])
    expect(await act('approve', finance)).toMatchObject({ code: 29009 })
  })

  test('makes no second slip beside one that is under way, and one for the rest of a part', async () => {
    await apply({ amount: 3000 }, second)
    await act('approve', t.staff)
    await strike()
    expect((await slips()).map(slip => [slip.amount, slip.refundStatus])).toEqual([
      [3000, 2],
      [5000, 0],
    ])
    const other = await owing(t)
    const paid = (await order(t, other.caller, other.recordId)).data
    await notify(t, paid.orderNo)
    await as(t, finance).post(`${base}/apply`, { orderNo: paid.orderNo, reason: '放弃考试' })
    one = other
    await striking('000000', [other.signup.id])
    expect(await slips()).toHaveLength(1)
  })

  test('asks for the refunds of its own tenant alone', async () => {
    const [here, there] = [one, await owing(t)]
    await notify(t, (await order(t, there.caller, there.recordId)).data.orderNo)
    const elsewhere = { tenantId: '000009' }
    await t.db.transaction().execute(async trx => {
      // The keys of a row hold its tenant; here the whole family moves.
      await sql`SET LOCAL session_replication_role = replica`.execute(trx)
      await trx.updateTable('signup').set(elsewhere).where('id', '=', there.signup.id).execute()
      await trx.updateTable('payrecord').set(elsewhere).where('id', '=', there.recordId).execute()
      await trx.updateTable('payorder').set(elsewhere).where('bizId', '=', there.recordId).execute()
    })
    const ids = [here.signup.id, there.signup.id]
    await striking('000000', ids)
    expect(await state()).toMatchObject({ payState: 3, slips: [{ tenantId: '000000', applyUser: '0' }] })
    expect(await standing(t, there.recordId)).toMatchObject({ payState: 1, slips: [] })
    await striking(elsewhere.tenantId, ids)
    expect(await standing(t, there.recordId)).toMatchObject({ payState: 3, slips: [{ ...elsewhere, applyUser: '0' }] })
  })

  test('whose fee was still due owes it again after restoring', async () => {
    one = await owing(t)
    const asks = await reviewer(t, one.exam.id, 1)
    const confirms = await reviewer(t, one.exam.id, 1)
    const act = (what: string, who: Caller) => as(t, who).post(`${sign}/${what}?id=${one.signup.id}`, { reason: '核' })
    await act('cancelQualification', asks)
    await act('cancelQualification', confirms)
    expect(await state()).toMatchObject({ payState: 5, slips: [] })
    expect((await act('restoreQualification', asks)).code).toBe(200)
    expect(await state()).toMatchObject({ payState: 0, slips: [] })
  })
})

test('the books add up after all this, and every way they might not is found', async () => {
  await apply()
  await act('approve')
  const { id } = (await state()).orders[0]!
  const gaps = async () => (await ledgerDiscrepancies(contextOf(t).db)).map(gap => [gap.kind, gap.id])
  expect(await gaps()).toEqual([])
  await t.db.updateTable('payorder').set({ refundAmount: 7999 }).where('id', '=', id).execute()
  expect(await gaps()).toEqual([['refund', id]])
  await t.db.updateTable('payorder').set({ refundAmount: 8000, orderStatus: 1 }).where('id', '=', id).execute()
  expect(await gaps()).toEqual([['record', one.recordId]])
  await t.db.updateTable('payrecord').set({ payOrderId: null, payState: 0 }).where('id', '=', one.recordId).execute()
  expect(await gaps()).toEqual([['order', id]])
})

test('a forged notification changes nothing', async () => {
  await fault({ refundLate: 60 })
  await apply()
  await act('approve')
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/pay/wxpay/refundNotify',
    body: { out_refund_no: 'x' },
  })
  expect([answer.statusCode, answer.json().code]).toEqual([401, 'FAIL'])
  expect((await slip()).refundStatus).toBe(1)
})

test('what money left behind is neither written nor removed by hand', async () => {
  const all = as(t, t.staff)
  const code = async (url: string) => (await all.post(`/api${url}`, { id: '1' })).code
  expect(await code('/blade-payrecord/payrecord/remove?ids=1')).toBe(29003)
  expect(await code('/blade-payOrder/payorder/remove?ids=1')).toBe(29003)
  expect(await code('/blade-payrecordmain/payrecordmain/submit')).toBe(29008)
  expect(await as(t, one.caller).post('/api/blade-payOrder/payorder/remove?ids=1')).toMatchObject({ status: 403 })
})

test.each([
  ['payrecord', '/blade-payrecord/payrecord'],
  ['payorder', '/blade-payOrder/payorder'],
])('of a %s a remark is kept, and nothing else', async (table, path) => {
  const all = as(t, t.staff)
  const read = async () => (await t.pool.query(`SELECT * FROM ${table} ORDER BY id LIMIT 1`)).rows[0]
  const before = await read()
  const body = { ...before, amount: 1, payState: 5, orderStatus: 2, channel: 9, remark: '已电话联系' }
  expect(await all.post(`/api${path}/submit`, { ...body, version: before.version + 1 })).toMatchObject({ code: 29002 })
  expect(await all.post(`/api${path}/submit`, body)).toMatchObject({ code: 200 })
  const { remark, version, updateTime: _at, updateUser: _by, ...rest } = await read()
  expect({ remark, version }).toEqual({ remark: '已电话联系', version: before.version + 1 })
  const { remark: _r, version: _v, updateTime: _t, updateUser: _u, ...old } = before
  expect(rest).toEqual(old)
  expect(await as(t, one.caller).post(`/api${path}/submit`, body)).toMatchObject({ status: 403 })
})
