import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OrderStatus, PayChannelNo } from '#schemas/dictionaries'
import { shanghai } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import {
  as,
  contextOf,
  morning,
  notify,
  order,
  owing,
  paidAt,
  payApp,
  payAt,
  standing,
} from '../../../../tests/helper/pay-exam.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import { findOrder, setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import type { PayContext } from './context.ts'
import { expireOrders, pollOrders } from './open-orders.ts'
import { createOrder, queryOrder } from './order.ts'
import { closeOrder } from './order-at-channel.ts'
import { settle } from './settle.ts'

let t: Awaited<ReturnType<typeof payApp>>
let one: Awaited<ReturnType<typeof owing>>

beforeAll(async () => {
  t = await payApp()
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  one = await owing(t)
})

const ask = () => order(t, one.caller, one.recordId)
const query = (orderNo: string) => as(t, one.caller).post('/api/pay/wxpay/queryOrder', { orderNo })
const state = () => standing(t, one.recordId)
const later = async (seconds: number) => {
  t.setNow(new Date(t.app.now().getTime() + seconds * 1000))
  await stayLoggedIn(t)
}
const orderRow = () =>
  t.db.selectFrom('payorder').selectAll().where('bizId', '=', one.recordId).executeTakeFirstOrThrow()
const tell = (orderNo: string, more = {}) =>
  contextOf(t)
    .db.transaction()
    .execute(trx => settle(trx, paidAt(t, orderNo, more), t.app.now(), t.app.extensions.products))

/** The context with a channel that fails in one way, and a count of what it was asked. */
function failing(broken: Partial<PayContext['pay']>): PayContext {
  const ctx = contextOf(t)
  const { pay } = ctx
  const whole = {
    createOrder: pay.createOrder.bind(pay),
    queryOrder: pay.queryOrder.bind(pay),
    closeOrder: pay.closeOrder.bind(pay),
    refund: pay.refund.bind(pay),
    queryRefund: pay.queryRefund.bind(pay),
    tradeBill: pay.tradeBill.bind(pay),
  }
  return { ...ctx, pay: { ...whole, ...broken } }
}
const down = async (): Promise<never> => {
  throw new ChannelError('TRANSPORT', 0, 'down')
}

test('an order is asked about and closed at the channel where it was made', async () => {
  const made = (await ask()).data
  await t.db.updateTable('payorder').set({ channel: PayChannelNo.wechat }).where('orderNo', '=', made.orderNo).execute()
  const calls: string[] = []
  const simulated = t.app.pay.all.get(PayChannelNo.simulated)!
  const channel = {
    ...failing({ createOrder: down, queryRefund: down, tradeBill: down }).pay,
    queryOrder: async (no: string) => {
      calls.push(`query ${no}`)
      return t.app.pay.channel.queryOrder(no)
    },
    closeOrder: async (no: string) => void calls.push(`close ${no}`),
  }
  const elsewhere = failing({ queryOrder: down, closeOrder: down })
  const channels = new Map([...elsewhere.channels, [PayChannelNo.wechat, { ...simulated, channel }]])
  expect(await closeOrder({ ...elsewhere, channels }, await orderRow(), '测试')).toBe(true)
  expect(calls).toEqual([`query ${made.orderNo}`, `close ${made.orderNo}`])
})

describe('an order', () => {
  test('has the amount and the words of the server, whatever is sent', async () => {
    const made = await as(t, one.caller).post('/api/pay/wxpay/createOrder', {
      payRecordId: one.recordId,
      amount: 1,
      userId: '1',
      orderNo: 'X',
      body: '白菜',
      expireTime: '2099-01-01 00:00:00',
    })
    const expected = { amount: 8000, body: one.fee.payName, expireTime: '2026-12-01 11:00:00', serverTime: morning }
    expect(made).toMatchObject({ code: 200, data: expected })
    expect(await orderRow()).toMatchObject({ userId: one.caller.userId, amount: 8000, channel: 9, orderStatus: 0 })
  })

  test('is the same while it has more than a minute, and then another, the old one closed on both sides', async () => {
    const first = (await ask()).data
    await later(7139)
    expect((await ask()).data).toMatchObject({ orderNo: first.orderNo, codeUrl: first.codeUrl })
    await later(1)
    const second = (await ask()).data
    expect(second.orderNo).not.toBe(first.orderNo)
    expect((await state()).states).toEqual([2, 0])
    expect((await findOrder(t.pool, 'orderNo', first.orderNo))?.state).toBe('CLOSED')
  })

  test('that ran out of time but was paid is not followed by another', async () => {
    const first = (await ask()).data
    await setFault(t.pool, first.orderNo, { times: 0 })
    await payAt(first.codeUrl)
    await later(7150)
    expect(await ask()).toMatchObject({ code: 24003, status: 409 })
    expect(await state()).toMatchObject({ payState: 1, states: [1] })
  })

  test('ends with the window and is not replaced there', async () => {
    await t.db
      .updateTable('exampay')
      .set({ endTime: shanghai('2026-12-01 09:01:30') })
      .where('id', '=', one.fee.id)
      .execute()
    const first = (await ask()).data
    expect(first.expireTime).toBe('2026-12-01 09:01:30')
    await later(60)
    expect((await ask()).data.orderNo).toBe(first.orderNo)
  })

  test.each([
    ['2026-11-30 23:59:59.999', 0, 24002],
    ['2026-12-01 00:00:00.000', 0, 200],
    ['2026-12-05 17:59:59.999', 0, 200],
    ['2026-12-05 18:00:00.000', 0, 24002],
    ['2026-12-05 18:00:59.999', 60, 200],
    ['2026-12-05 18:01:00.000', 60, 24002],
  ])('at %s with %i s of grace: %i', async (time, graceSeconds, code) => {
    await t.db.updateTable('examination').set({ graceSeconds }).where('id', '=', one.exam.id).execute()
    t.setNow(new Date(`${time.replace(' ', 'T')}+08:00`))
    await t.db
      .updateTable('session_token')
      .set({ until: shanghai('2027-01-01 00:00:00') })
      .execute()
    expect((await ask()).code).toBe(code)
  })

  test('is refused when the exam is closed, the record paid, exempt or closed', async () => {
    const set = (payState: 0 | 1 | 2 | 5) =>
      t.db.updateTable('payrecord').set({ payState }).where('id', '=', one.recordId).execute()
    for (const [payState, code] of [
      [1, 24003],
      [2, 24004],
      [5, 24002],
    ] as const) {
      await set(payState)
      expect((await ask()).code).toBe(code)
    }
    await set(0)
    await t.db.updateTable('examination').set({ examStatus: 2 }).where('id', '=', one.exam.id).execute()
    expect((await ask()).code).toBe(24002)
  })

  test('of another person does not exist', async () => {
    const other = await owing(t)
    const made = (await ask()).data
    const missing = await order(t, other.caller, '1')
    expect(missing).toMatchObject({ code: 24001, status: 404 })
    expect(await order(t, other.caller, one.recordId)).toEqual(missing)
    expect(await order(t, other.caller, "1' OR 1=1")).toEqual(missing)
    expect(await as(t, other.caller).post('/api/pay/wxpay/queryOrder', { orderNo: made.orderNo })).toEqual(missing)
    expect(await as(t, t.staff).post('/api/pay/wxpay/queryOrder', { orderNo: made.orderNo })).toMatchObject({
      code: 200,
    })
    expect(await order(t, t.staff, one.recordId)).toMatchObject({ status: 403 })
  })

  test('survives a channel that is away: the same order is finished by the next call', async () => {
    const payer = { tenantId: '000000', userId: one.caller.userId, ip: '' }
    const away = createOrder(failing({ createOrder: down }), payer, one.recordId)
    await expect(away).rejects.toMatchObject({ code: 24006, status: 500 })
    const { orderNo } = await orderRow()
    expect((await ask()).data.orderNo).toBe(orderNo)
    expect((await state()).states).toEqual([0])
  })
})

describe('a query', () => {
  test('finds the money when no notification comes', async () => {
    const made = (await ask()).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    expect((await query(made.orderNo)).data).toMatchObject({ orderStatus: 0, payState: 0, payTime: '' })
    await payAt(made.codeUrl)
    await later(2)
    expect((await query(made.orderNo)).data).toMatchObject({
      orderStatus: 1,
      payState: 1,
      payTime: morning,
      amount: 8000,
    })
    expect(await state()).toMatchObject({ payState: 1, copy: 1, totals: { paidNum: 1, paidAmount: 8000 } })
  })

  test('asks the channel once in two seconds, however many ask', async () => {
    await ask()
    const row = await orderRow()
    let asked = 0
    const { pay } = contextOf(t)
    const ctx = failing({ queryOrder: number => pay.queryOrder(number).finally(() => asked++) })
    await Promise.all(Array.from({ length: 20 }, () => queryOrder(ctx, row)))
    expect(asked).toBe(1)
    await later(1.999)
    await queryOrder(ctx, row)
    expect(asked).toBe(1)
    await later(0.001)
    await queryOrder(ctx, row)
    expect(asked).toBe(2)
  })

  test('of a channel that is away says what is known and decides nothing', async () => {
    await ask()
    expect(await queryOrder(failing({ queryOrder: down }), await orderRow())).toMatchObject({
      orderStatus: 0,
      payState: 0,
    })
  })

  test('says when another amount came', async () => {
    const made = (await ask()).data
    await setFault(t.pool, made.orderNo, { times: 0, amount: 1 })
    await payAt(made.codeUrl)
    expect(await query(made.orderNo)).toMatchObject({ code: 24008, status: 409 })
    const { payState, orders, slips, totals } = await state()
    expect({ payState, paidNum: totals.paidNum }).toEqual({ payState: 0, paidNum: 0 })
    expect(orders[0]).toMatchObject({ orderStatus: 5, exceptReason: '金额不符' })
    expect(slips).toMatchObject([{ amount: 1, reason: '金额不符', refundStatus: 0 }])
  })

  test('is made by the job after 10, 40, 100 seconds', async () => {
    const made = (await ask()).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    const asked: number[] = []
    for (let second = 0; second < 110; second += 5) {
      await pollOrders(contextOf(t))
      const { queryTime } = await orderRow()
      if (queryTime?.getTime() === t.app.now().getTime()) asked.push(second)
      await later(5)
    }
    expect(asked).toEqual([10, 40, 100])
    await payAt(made.codeUrl)
    await later(170)
    expect(await pollOrders(contextOf(t))).toEqual([])
    expect((await state()).payState).toBe(1)
  })
})

describe('a notification', () => {
  test('pays, and says nothing new the second time', async () => {
    const { orderNo } = (await ask()).data
    const first = await notify(t, orderNo)
    expect([first.statusCode, first.body]).toEqual([200, ''])
    const before = await state()
    expect(before).toMatchObject({ payState: 1, copy: 1, states: [1], totals: { paidNum: 1, paidAmount: 8000 } })
    expect((await notify(t, orderNo)).statusCode).toBe(200)
    expect(await state()).toEqual(before)
  })

  test('that is forged changes nothing', async () => {
    const { orderNo } = (await ask()).data
    const url = '/api/pay/wxpay/notify'
    const forged = await t.app.inject({ method: 'POST', url, body: { orderNo } })
    expect([forged.statusCode, forged.json()]).toEqual([401, { code: 'FAIL', message: '验签失败' }])
    const stranger = await notify(t, orderNo, { mchid: '1900000001' })
    expect(stranger.statusCode).toBe(401)
    expect((await state()).payState).toBe(0)
  })

  test('about an order nobody knows is answered and kept', async () => {
    const { orderNo } = (await ask()).data
    expect((await notify(t, orderNo, { orderNo: 'JF00000000' })).statusCode).toBe(200)
    const kept = await t.db.selectFrom('pay_notify').selectAll().where('orderNo', '=', 'JF00000000').execute()
    expect(kept).toMatchObject([{ outcome: 'unknown', amount: 8000 }])
    expect(JSON.parse(kept[0]?.raw ?? '')).toHaveProperty('resource.ciphertext')
  })

  test('for a closed order pays all the same', async () => {
    const { orderNo } = (await ask()).data
    expect(await closeOrder(contextOf(t), await orderRow(), '测试')).toBe(true)
    await notify(t, orderNo)
    const { payState, orders } = await state()
    expect(payState).toBe(1)
    expect(orders[0]).toMatchObject({ orderStatus: 1, exceptReason: '关闭后到账' })
  })

  test('of a second payment makes a refund slip', async () => {
    const first = (await ask()).data
    await closeOrder(contextOf(t), await orderRow(), '测试')
    const second = (await ask()).data
    await notify(t, second.orderNo)
    await notify(t, first.orderNo)
    const { states, slips, totals, orders, record } = await state()
    expect(states).toEqual([5, 1])
    expect(orders[0]?.exceptReason).toBe('重复支付')
    expect(slips).toMatchObject([{ payOrderId: orders[0]?.id, amount: 8000, refundStatus: 0, reason: '重复支付' }])
    expect([totals.paidNum, totals.paidAmount, record.payOrderId]).toEqual([1, 8000, orders[1]?.id])
  })

  test.each([
    ['2026-12-05 18:29:59', 1, 1, 0],
    ['2026-12-05 18:30:00', 5, 5, 1],
  ])('for a closed record, paid at %s: record %i, order %i, %i slips', async (time, payState, orderStatus, slips) => {
    const { orderNo } = (await ask()).data
    await t.db.updateTable('payrecord').set({ payState: 5 }).where('id', '=', one.recordId).execute()
    await tell(orderNo, { successTime: shanghai(time) })
    const found = await state()
    expect([found.payState, found.states[0], found.slips.length]).toEqual([payState, orderStatus, slips])
  })

  test('for a record whose sign-up was struck off makes a refund slip', async () => {
    const { orderNo } = (await ask()).data
    await t.db.updateTable('payrecord').set({ payState: 5 }).where('id', '=', one.recordId).execute()
    await t.db.updateTable('signup').set({ signStatus: 9 }).where('id', '=', one.signup.id).execute()
    await tell(orderNo)
    expect(await state()).toMatchObject({ payState: 5, states: [5], slips: [{ reason: '关闭后到账' }] })
  })
})

describe('a message that contradicts an earlier one', () => {
  const wrongThen = async (more: object) => {
    const { orderNo } = (await ask()).data
    expect(await tell(orderNo, { amount: 1 })).toBe('exception')
    return { orderNo, outcome: await tell(orderNo, more) }
  }

  test('with the right amount heals the order, and its slip is withdrawn', async () => {
    const { orderNo } = (await ask()).data
    await notify(t, orderNo, { amount: 1 })
    expect(await query(orderNo)).toMatchObject({ code: 24008 })
    expect((await notify(t, orderNo)).statusCode).toBe(200)
    const { payState, orders, slips, totals } = await state()
    expect([payState, totals.paidNum, totals.paidAmount]).toEqual([1, 1, 8000])
    expect(orders[0]).toMatchObject({ orderStatus: 1, exceptReason: null, paidAmount: 8000 })
    expect(slips).toMatchObject([{ refundStatus: 5, errMsg: '渠道更正了金额，款项已计入缴费' }])
    expect(await query(orderNo)).toMatchObject({ code: 200, data: { orderStatus: 1, payState: 1 } })
    expect(await tell(orderNo)).toBe('again')
  })

  test('with the same wrong amount says nothing new, with another wrong amount corrects the slip', async () => {
    const { orderNo, outcome } = await wrongThen({ amount: 1 })
    expect(outcome).toBe('again')
    expect(await tell(orderNo, { amount: 2 })).toBe('exception')
    const { states, slips } = await state()
    expect([states, slips.map(slip => [slip.amount, slip.refundStatus])]).toEqual([[5], [[2, 0]]])
  })

  test('is found by 查单, because the channel itself is asked', async () => {
    const { orderNo } = (await ask()).data
    await setFault(t.pool, orderNo, { times: 0 })
    await payAt((await ask()).data.codeUrl)
    const { transactionId } = (await findOrder(t.pool, 'orderNo', orderNo))!
    await tell(orderNo, { amount: 1, transactionId })
    const { id } = await orderRow()
    const check = await as(t, t.staff).post(`/api/blade-payOrder/payorder/check?id=${id}`)
    expect(check.data).toEqual({ channelState: 'SUCCESS', action: 'paid' })
    expect(await state()).toMatchObject({ payState: 1, states: [1] })
  })

  test('finds what came before this was kept on the order', async () => {
    const { orderNo } = (await ask()).data
    await tell(orderNo, { amount: 1 })
    await t.db.updateTable('payorder').set({ paidAmount: null }).where('orderNo', '=', orderNo).execute()
    await t.pool.query(readFileSync('src/platform/database/migrations/260-paid-amount.sql', 'utf8'))
    expect(await orderRow()).toMatchObject({ paidAmount: 1 })
  })

  test('when the record has been paid otherwise leaves a slip of all that came', async () => {
    const first = (await ask()).data
    await tell(first.orderNo, { amount: 1 })
    const second = (await ask()).data
    expect(await tell(second.orderNo)).toBe('paid')
    expect(await tell(first.orderNo)).toBe('exception')
    const { states, slips, totals } = await state()
    expect([states, totals.paidNum]).toEqual([[5, 1], 1])
    expect(slips).toMatchObject([{ amount: 8000, reason: '重复支付', refundStatus: 0 }])
  })

  test('after the refund was approved says what is left to do, and what is left can go back', async () => {
    const { orderNo } = (await ask()).data
    await setFault(t.pool, orderNo, { times: 0, amount: 1 })
    await payAt((await ask()).data.codeUrl)
    await query(orderNo)
    const { slips } = await state()
    const approve = (id = '') => as(t, t.staff).post(`/api/blade-payOrder/payrefund/approve?id=${id}`)
    expect(await approve(slips[0]?.id)).toMatchObject({ data: { message: '退款成功' } })
    expect((await state()).states).toEqual([3])
    const transactionId = (await orderRow()).transactionId
    expect(await tell(orderNo, { transactionId })).toBe('exception')
    const row = await orderRow()
    expect(row).toMatchObject({ orderStatus: 4, paidAmount: 8000, refundAmount: 1 })
    expect(row.exceptReason).toBe('金额不符；渠道更正为80.00元，原退款已审批，请核对后申请退还余款')
    expect(await tell(orderNo, { transactionId })).toBe('again')
    const applied = await as(t, t.staff).post(`/api/blade-payOrder/payorder/refund?id=${row.id}`, { reason: '余款' })
    expect(applied.code).toBe(200)
    expect((await state()).slips.at(-1)).toMatchObject({ amount: 7999, refundStatus: 0 })
  })

  test('with another transaction number asks for a person, once', async () => {
    const { orderNo, outcome } = await wrongThen({ transactionId: '42OTHER' })
    expect(outcome).toBe('exception')
    const expected = '金额不符；渠道又报渠道订单号 42OTHER，请查单后人工核对'
    expect((await state()).orders[0]).toMatchObject({ orderStatus: 5, exceptReason: expected })
    expect(await tell(orderNo, { transactionId: '42OTHER' })).toBe('again')
    expect(await query(orderNo)).toMatchObject({ code: 24008 })
  })

  test('about a paid order changes nothing and asks for a look', async () => {
    const { orderNo } = (await ask()).data
    await tell(orderNo)
    const before = await state()
    expect(await tell(orderNo, { amount: 1 })).toBe('exception')
    expect(await state()).toEqual(before)
  })
})

describe('a transaction number that another order has', () => {
  test('is an outcome: the notification is answered and kept, the order says what to do', async () => {
    const other = await owing(t)
    const first = (await order(t, other.caller, other.recordId)).data
    await notify(t, first.orderNo, { transactionId: '42SAME' })
    const { orderNo } = (await ask()).data
    const answer = await notify(t, orderNo, { transactionId: '42SAME' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    const { payState, orders, slips } = await state()
    expect([payState, slips]).toEqual([0, []])
    expect(orders[0]).toMatchObject({ orderStatus: 5, transactionId: null, paidAmount: 0 })
    expect(orders[0]?.exceptReason).toBe(`渠道订单号重复，已用于订单 ${first.orderNo}，请查单后人工核对`)
    const kept = await t.db.selectFrom('pay_notify').selectAll().where('orderNo', '=', orderNo).execute()
    expect(kept).toMatchObject([{ outcome: 'exception', transactionId: '42SAME' }])
    expect(await standing(t, other.recordId)).toMatchObject({ payState: 1, states: [1] })
    expect((await notify(t, orderNo, { transactionId: '42SAME' })).statusCode).toBe(200)
    const refund = { reason: '退款' }
    const row = await orderRow()
    expect(await as(t, t.staff).post(`/api/blade-payOrder/payorder/refund?id=${row.id}`, refund)).toMatchObject({
      code: 24010,
    })
    expect(await tell(orderNo, { transactionId: '42RIGHT' })).toBe('paid')
    expect(await state()).toMatchObject({ payState: 1, states: [1], slips: [] })
  })

  test('of an exception that has one is not taken over', async () => {
    const other = await owing(t)
    const first = (await order(t, other.caller, other.recordId)).data
    await tell(first.orderNo, { transactionId: '42TWICE' })
    const { orderNo } = (await ask()).data
    await tell(orderNo, { amount: 1 })
    expect(await tell(orderNo, { transactionId: '42TWICE' })).toBe('exception')
    expect(await state()).toMatchObject({ states: [5], slips: [{ amount: 1, refundStatus: 0 }] })
    expect(await tell(orderNo, { transactionId: '42TWICE' })).toBe('again')
  })
})

describe('closing', () => {
  const close = async () => as(t, t.staff).post(`/api/blade-payOrder/payorder/close?id=${(await orderRow()).id}`)
  const check = async () => as(t, t.staff).post(`/api/blade-payOrder/payorder/check?id=${(await orderRow()).id}`)

  test('by staff closes at the channel too, and twice is once', async () => {
    const made = (await ask()).data
    expect((await check()).data).toEqual({ channelState: 'NOTPAY', action: 'open' })
    expect((await close()).code).toBe(200)
    expect((await close()).code).toBe(200)
    const other = await signIn(t, { role: 'administrator' })
    const again = as(t, other).post(`/api/blade-payOrder/payorder/close?id=${(await orderRow()).id}`)
    expect((await again).code).toBe(29009)
    expect(await payAt(made.codeUrl)).toContain('订单已关闭')
    expect((await state()).states).toEqual([2])
    expect((await check()).data).toEqual({ channelState: 'CLOSED', action: 'again' })
  })

  test('what was paid meanwhile is refused, and the money counts', async () => {
    const made = (await ask()).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    expect(await close()).toMatchObject({ code: 24009, status: 409 })
    expect(await state()).toMatchObject({ payState: 1, states: [1] })
    expect(await close()).toMatchObject({ code: 24009 })
  })

  test('what is paid between question and closing counts as well', async () => {
    const made = (await ask()).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    const { pay } = contextOf(t)
    const ctx = failing({
      closeOrder: async number => {
        await payAt(made.codeUrl)
        return pay.closeOrder(number)
      },
    })
    expect(await closeOrder(ctx, await orderRow(), '测试')).toBe(false)
    expect(await state()).toMatchObject({ payState: 1, states: [1] })
  })

  test('needs an answer of the channel', async () => {
    await ask()
    const row = await orderRow()
    await expect(closeOrder(failing({ queryOrder: down }), row, '测试')).rejects.toMatchObject({ code: 24006 })
    await expect(closeOrder(failing({ closeOrder: down }), row, '测试')).rejects.toMatchObject({ code: 24006 })
    expect((await state()).states).toEqual([0])
  })

  test('an order the channel never heard of ends here', async () => {
    await createOrder(
      failing({ createOrder: down }),
      { tenantId: '000000', userId: one.caller.userId, ip: '' },
      one.recordId,
    ).catch(() => {})
    expect((await close()).code).toBe(200)
    expect((await state()).states).toEqual([2])
  })

  test('is done by the job for all that the channel answers for, whatever it does not answer for', async () => {
    const people = [one, ...(await Promise.all(Array.from({ length: 9 }, () => owing(t))))]
    const numbers: string[] = []
    for (const { caller, recordId } of people) numbers.push((await order(t, caller, recordId)).data.orderNo)
    const last = numbers.at(-1)!
    await t.pool.query(`UPDATE payorder SET "expireTime" = "expireTime" + interval '1 second' WHERE "orderNo" = $1`, [
      last,
    ])
    await later(7201)
    const { pay } = contextOf(t)
    const ctx = failing({ queryOrder: async no => (no === last ? pay.queryOrder(no) : down()) })
    const stateOf = async () => {
      const row = t.db.selectFrom('payorder').select('orderStatus').where('orderNo', '=', last)
      return (await row.executeTakeFirstOrThrow()).orderStatus
    }
    for (let run = 0; run < 3; run++) {
      await later(60)
      await expireOrders(ctx)
    }
    expect(await stateOf()).toBe(OrderStatus.closed)
  })

  test('is done by the job at a channel that answers while another is down', async () => {
    const people = [one, ...(await Promise.all(Array.from({ length: 6 }, () => owing(t))))]
    const numbers: string[] = []
    for (const { caller, recordId } of people) numbers.push((await order(t, caller, recordId)).data.orderNo)
    const last = numbers.pop()!
    await t.db.updateTable('payorder').set({ channel: PayChannelNo.wechat }).where('orderNo', 'in', numbers).execute()
    await later(7200)
    const ctx = contextOf(t)
    const { pay: dead } = failing({ queryOrder: down })
    const simulated = t.app.pay.all.get(PayChannelNo.simulated)!
    const channels = new Map([...ctx.channels, [PayChannelNo.wechat, { ...simulated, channel: dead }]])
    await expireOrders({ ...ctx, channels })
    const rows = t.db.selectFrom('payorder').select('orderStatus').where('orderNo', '=', last)
    expect(await rows.execute()).toEqual([{ orderStatus: OrderStatus.closed }])
  })

  test('is done by the job when time is up, never before, never when paid', async () => {
    const made = (await ask()).data
    const other = await owing(t)
    const paid = (await order(t, other.caller, other.recordId)).data
    await setFault(t.pool, paid.orderNo, { times: 0 })
    await payAt(paid.codeUrl)
    await later(7199)
    await expireOrders(contextOf(t))
    expect((await findOrder(t.pool, 'orderNo', made.orderNo))?.state).toBe('NOTPAY')
    await later(1)
    expect(await expireOrders(contextOf(t))).toEqual([])
    expect((await state()).orders[0]).toMatchObject({ orderStatus: 2, closeReason: '超时未支付' })
    expect(await standing(t, other.recordId)).toMatchObject({ payState: 1, states: [1] })
  })
})
