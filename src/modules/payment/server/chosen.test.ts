import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OrderStatus, RefundStatus } from '../../../../schemas/dictionaries.ts'
import { Attach } from '../../../../schemas/resource/attach.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import {
  as,
  makeExam,
  makeSignup,
  morning,
  notify,
  order,
  payApp,
  payAt,
  recordOf,
  standing,
} from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { oneByOne } from './one-by-one.ts'

// What finance does with several rows of a list at once.

let t: Awaited<ReturnType<typeof payApp>>
let finance: Caller
let second: Caller
/** Three people who owe one fee. */
let people: readonly { caller: Caller; signupId: string; recordId: string }[]
let examId: string

beforeAll(async () => {
  t = await payApp()
  finance = await signIn(t, { role: 'finance' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
  const made = await makeExam(t)
  examId = made.exam.id
  const [a, b, c] = [await makeSignup(t, examId), await makeSignup(t, examId), await makeSignup(t, examId)]
  await appoint(t, examId, finance, 4)
  expect((await as(t, t.staff).post(`/api/blade-examPay/exampay/releasePay?id=${made.fee.id}`)).code).toBe(200)
  const withRecord = async ({ caller, signup }: typeof a) => ({
    caller,
    signupId: signup.id,
    recordId: await recordOf(t, signup.id),
  })
  people = [await withRecord(a), await withRecord(b), await withRecord(c)]
})

const ids = () => people.map(one => one.recordId)
const records = '/api/blade-payrecord/payrecord'
type Decided = { ok: string[]; skipped: { id: string; reason: string }[] }
const states = async () => Promise.all(ids().map(async id => (await standing(t, id)).payState))
const payOffline = (at: number) => as(t, t.staff).post(`${records}/offlinePay?id=${ids()[at]}`, { remark: '现金' })

/** Pays at the channel. @returns the number and the id of the order */
async function payAtChannel(at: number): Promise<{ orderNo: string; orderId: string }> {
  const { caller, recordId } = people[at]!
  const { orderNo, codeUrl } = (await order(t, caller, recordId)).data
  await setFault(t.pool, orderNo, { times: 0 })
  await payAt(codeUrl)
  await notify(t, orderNo)
  return { orderNo, orderId: (await standing(t, recordId)).orders[0]!.id }
}

describe('a reminder to pay', () => {
  const remind = (who = finance, of: readonly string[] = ids()) =>
    as(t, who).post<Decided>(`${records}/remind?ids=${of.join()}`)
  const urged = async () =>
    (await t.db.selectFrom('event').select('subjectId').where('code', '=', 'payrecord.urged').execute()).flatMap(one =>
      ids().includes(String(one.subjectId)) ? [String(one.subjectId)] : [],
    )

  test('goes to those who owe, once in six hours; why others are passed over is said', async () => {
    await payOffline(0)
    await t.db.updateTable('signup').set({ signStatus: 2 }).where('id', '=', people[1]!.signupId).execute()
    const [paid, gone, owing] = ids() as [string, string, string]
    const { data } = await remind()
    expect(data).toEqual({
      ok: [owing],
      skipped: [
        { id: paid, reason: '已缴费' },
        { id: gone, reason: '报名已放弃或取消' },
      ],
    })
    expect(await urged()).toEqual([owing])
    expect((await remind(finance, [owing])).data.skipped).toEqual([{ id: owing, reason: '六小时内已催过' }])
    t.setNow('2026-12-01 15:00:01')
    await stayLoggedIn(t)
    expect((await remind(finance, [owing])).data.ok).toEqual([owing])
    expect(await urged()).toEqual([owing, owing])
    t.setNow('2026-12-05 18:00:00')
    await stayLoggedIn(t)
    expect((await remind(finance, [owing])).data.skipped[0]?.reason).toMatch(/^缴费已于.*截止$/)
  })

  test('goes once where two people send it at the same time', async () => {
    const both = await Promise.all([remind(), remind(t.staff)])
    expect(both.map(one => one.data.ok.length).toSorted()).toEqual([0, 3])
    expect((await urged()).toSorted()).toEqual(ids().toSorted())
  })

  test('is not for whoever does not meet one of the rows, or lacks the permission', async () => {
    const stranger = await signIn(t, { role: 'finance' })
    expect((await remind(stranger)).code).toBe(24001)
    expect((await remind(await signIn(t, { permissions: ['payrecord'] }))).code).toBe(403)
    expect(await urged()).toEqual([])
  })
})

describe('fees that are waived together', () => {
  const waive = async (who = finance, more: object = {}) =>
    as(t, who).post(`${records}/exemptMany?ids=${ids().join()}`, {
      exemptReason: '脱贫户',
      exemptFile: (await insert(t.app, Attach)).id,
      ...more,
    })

  test('are waived all, an open order closed, with the history of each', async () => {
    await order(t, people[0]!.caller, ids()[0]!)
    const proof = { exemptFile: (await insert(t.app, Attach)).id }
    expect((await waive(finance, proof)).code).toBe(200)
    expect(await states()).toEqual([2, 2, 2])
    const { record, totals, copy, states: orders } = await standing(t, ids()[0]!)
    expect([record.exemptReason, totals.exemptNum, copy, orders]).toEqual(['脱贫户', 3, 2, [OrderStatus.closed]])
    const history = await as(t, finance).get<{ actName: string }[]>(`${records}/history?id=${ids()[2]}`)
    expect(history.data[0]?.actName).toBe('免缴')
    // Who has done just this may say so again.
    expect((await waive(finance, proof)).code).toBe(200)
    expect((await waive(second, proof)).code).toBe(24004)
  })

  test('stay as they are where one is not owed, and it is named', async () => {
    await payOffline(1)
    await t.db.updateTable('payrecord').set({ name: '陈阿明' }).where('id', '=', ids()[1]!).execute()
    expect(await waive()).toMatchObject({ code: 24003, msg: '「陈阿明」：该项目已缴费' })
    expect(await states()).toEqual([0, 1, 0])
  })

  test('need a reason and a paper, and somebody who meets all of them', async () => {
    expect((await waive(finance, { exemptReason: ' ' })).code).toBe(29005)
    expect((await waive(finance, { exemptFile: undefined })).code).toBe(29005)
    expect((await waive(await signIn(t, { role: 'finance' }))).code).toBe(24001)
    expect((await waive(await signIn(t, { permissions: ['payrecord'] }))).code).toBe(403)
    expect(await states()).toEqual([0, 0, 0])
  })

  test('are waived or paid, whoever is first: never both', async () => {
    const [answer] = await Promise.all([waive(), payOffline(1)])
    expect([
      [200, [2, 2, 2]],
      [24003, [0, 1, 0]],
    ]).toContainEqual([answer.code, await states()])
  })
})

describe('orders that are asked about together', () => {
  const check = (of: readonly string[], who = finance) =>
    as(t, who).post<Decided>(`/api/blade-payOrder/payorder/checkMany?ids=${of.join()}`)

  test('take over what the channel says; offline ones have nothing to ask about', async () => {
    const { caller, recordId } = people[0]!
    const { codeUrl, orderNo } = (await order(t, caller, recordId)).data
    await setFault(t.pool, orderNo, { times: 0 })
    await payAt(codeUrl)
    await payOffline(1)
    const [asked, offline] = await Promise.all([0, 1].map(async at => (await standing(t, ids()[at]!)).orders[0]!.id))
    const { data } = await check([asked!, offline!])
    expect(data).toEqual({
      ok: [asked],
      skipped: [{ id: offline, reason: '线下登记的订单不经支付渠道，没有可查的' }],
    })
    expect((await states())[0]).toBe(1)
    const stranger = await signIn(t, { role: 'finance' })
    expect((await check([asked!], stranger)).code).toBe(24001)
    expect((await check(Array.from({ length: 51 }, (_, n) => String(n + 1)))).code).toBe(24001)
  })

  test('are left alone once the channel does not answer', async () => {
    const asked: string[] = []
    const work = async (id: string) => {
      asked.push(id)
      if (id === '1') throw refuse('row.wrongState')
      if (id === '2') throw refuse('payment.channelUnavailable')
    }
    expect(await oneByOne(['0', '1', '2', '3'], work, '没有应答')).toEqual({
      ok: ['0'],
      skipped: [
        { id: '1', reason: refuse('row.wrongState').message },
        { id: '2', reason: '没有应答' },
        { id: '3', reason: '支付渠道没有应答，没有处理' },
      ],
    })
    expect(asked).toEqual(['0', '1', '2'])
    const many = Array.from({ length: 51 }, (_, n) => String(n))
    await expect(oneByOne(many, work, '')).rejects.toThrow('一次最多50条')
  })
})

describe('refunds that are approved together', () => {
  const refunds = '/api/blade-payOrder/payrefund'
  const approve = (of: readonly string[], who = second) =>
    as(t, who).post<Decided>(`${refunds}/approveMany?ids=${of.join()}`)
  const slip = async (at: number) => (await standing(t, ids()[at]!)).slips.at(-1)!
  const ask = async (at: number, who = finance) => {
    const { orderNo } = await payAtChannel(at)
    expect((await as(t, who).post(`${refunds}/apply`, { orderNo, reason: '放弃考试' })).code).toBe(200)
    return (await slip(at)).id
  }

  test('are never those that one has asked for oneself', async () => {
    const [others, own, rejected] = [await ask(0), await ask(1, second), await ask(2)]
    await as(t, second).post(`${refunds}/reject?id=${rejected}`, { reason: '材料不全' })
    const { data } = await approve([others, own, rejected])
    expect(data.ok).toEqual([others])
    expect(data.skipped.map(one => [one.id, one.reason])).toEqual([
      [own, '申请人与审批人不能相同'],
      [rejected, expect.any(String)],
    ])
    expect([(await slip(0)).refundStatus, (await slip(1)).refundStatus]).toEqual([
      RefundStatus.succeeded,
      RefundStatus.requested,
    ])
    // Approved once, however often and by how many it is said.
    const again = await Promise.all([approve([others]), approve([others])])
    expect(again.map(one => one.data.ok)).toEqual([[others], [others]])
    expect((await approve([others], t.staff)).data.ok).toEqual([])
  })

  test('are for whoever meets all of them and may approve', async () => {
    const one = await ask(0)
    expect((await approve([one], await signIn(t, { role: 'finance' }))).code).toBe(29001)
    expect((await approve([one], await signIn(t, { permissions: ['payrefund'] }))).code).toBe(403)
    expect((await slip(0)).refundStatus).toBe(0)
  })
})

test('the home of whoever owes a fee says how much is to be paid now, until it is', async () => {
  const [one] = people
  const mine = async () => {
    const url = '/api/blade-signup/signup/myExamList'
    const { data } = await t.call<{ records: { nextStep: string; payAmount: number | '' }[] }>({
      url,
      headers: one!.caller.headers,
    })
    return data.records.map(({ nextStep, payAmount }) => [nextStep === 'PAY', payAmount])
  }
  const { amount } = await t.db
    .selectFrom('payrecord')
    .select('amount')
    .where('id', '=', one!.recordId)
    .executeTakeFirstOrThrow()
  expect(Number(amount)).toBeGreaterThan(0)
  expect(await mine()).toEqual([[true, Number(amount)]])
  expect((await payOffline(0)).code).toBe(200)
  expect(await mine()).toEqual([[false, '']])
})
