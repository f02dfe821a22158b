import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Attach } from '#schemas/resource/attach'
import { Result } from '#schemas/results/result'
import type { Signup } from '#schemas/sign-up/signup'
import { shanghai } from '../../../../tests/helper/app.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import {
  as,
  contextOf,
  makeExam,
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
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import { findOrder, setFault } from '../../../platform/channels/pay/sandbox/orders.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { liveIn } from '../../../platform/http/server/live.ts'
import { deletePay } from './fee.ts'
import { closeUnpayable, ensurePayable } from './fee-records.ts'
import { followWindows } from './fee-windows.ts'
import { exempt } from './records.ts'

let t: Awaited<ReturnType<typeof payApp>>

beforeAll(async () => {
  t = await payApp()
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await stayLoggedIn(t)
})

const fee = (id: string, act: 'releasePay' | 'deletePay') =>
  as(t, t.staff).post(`/api/blade-examPay/exampay/${act}?id=${id}`)
/** The id of a paper. */
const proof = async () => (await insert(t.app, Attach)).id
const record = (id: string, act: 'exempt' | 'offlinePay' | 'reopen', body?: object) =>
  as(t, t.staff).post(`/api/blade-payrecord/payrecord/${act}?id=${id}`, body ?? {})
const feeRow = (id: string) => t.db.selectFrom('exampay').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const recordsOf = (itemId: string) =>
  t.db.selectFrom('payrecord').selectAll().where('itemId', '=', itemId).where('isDeleted', '=', 0).execute()
const inTrx = (work: (trx: LiveTrx) => Promise<unknown>) => liveIn(t.app, '000000').transaction().execute(work)
const at = async (time: string) => {
  t.setNow(time)
  await stayLoggedIn(t)
}

describe('releasing a fee', () => {
  test('makes a record for everybody who owes it, and for nobody else', async () => {
    const { exam, stage, fee: setting } = await makeExam(t)
    await insert(t.app, Examitems, { examId: exam.id, code: 'GONE', postStatus: 3, itemIds: '' })
    await insert(t.app, Examitems, { examId: exam.id, code: 'OTHER', itemIds: '1' })
    await insert(t.app, Examitems, { examId: exam.id, code: 'ALL', itemIds: '' })
    const cases: [string, Partial<Signup>, boolean][] = [
      ['approved', {}, true],
      ['moved and approved', { reduceState: 3, code: 'GONE', finalCode: 'ALL' }, true],
      ['not submitted', { signStatus: 0 }, false],
      ['given up', { signStatus: 2 }, false],
      ['waiting', { examine: 0 }, false],
      ['refused', { examine: 2 }, false],
      ['choosing anew', { reduceState: 1 }, false],
      ['of a cancelled position', { code: 'GONE' }, false],
      ['of a position without this stage', { code: 'OTHER' }, false],
      ['deleted', { isDeleted: 1 }, false],
    ]
    const people: ({ name: string } & Awaited<ReturnType<typeof makeSignup>>)[] = []
    for (const [name, more] of cases) people.push({ name, ...(await makeSignup(t, exam.id, more)) })
    expect((await fee(setting.id, 'releasePay')).code).toBe(200)
    const records = await recordsOf(stage.id)
    const found = people.filter(one => records.some(row => row.signupId === one.signup.id)).map(one => one.name)
    expect(found).toEqual(cases.filter(([, , owes]) => owes).map(([name]) => name))
    const main = await t.db
      .selectFrom('payrecordmain')
      .selectAll()
      .where('itemId', '=', stage.id)
      .executeTakeFirstOrThrow()
    expect(main).toMatchObject({ totalNum: 2, paidNum: 0, totalAmount: 16000, mainStatus: 1 })
    const mine = records.find(row => row.signupId === people[0]?.signup.id)
    expect(mine).toMatchObject({ amount: 8000, payState: 0, idCardHash: expect.any(String), code: 'A01' })
    expect(t.app.vault.open(mine?.idCard ?? '')).toBe(t.app.vault.open(people[0]?.signup.idCard ?? ''))
  })

  test('in an exam with two reviews waits for the second', async () => {
    const { exam, stage, fee: setting } = await makeExam(t, { exam: { examineMode: 2 } })
    await makeSignup(t, exam.id, { reviewStatus: 0 })
    const passed = await makeSignup(t, exam.id, { reviewStatus: 1 })
    await fee(setting.id, 'releasePay')
    expect((await recordsOf(stage.id)).map(row => row.signupId)).toEqual([passed.signup.id])
  })

  test('of a later stage asks those on the published list of the stage before', async () => {
    const { exam, stage, fee: setting } = await makeExam(t)
    const next = await insert(t.app, Examinationitem, {
      examId: exam.id,
      needPay: 1,
      itemStatus: 1,
      candidateRule: 2,
      startTime: shanghai('2027-01-10 09:00:00'),
    })
    await t.db.updateTable('examitems').set({ itemIds: '' }).where('examId', '=', exam.id).execute()
    await t.db.updateTable('exampay').set({ itemId: next.id }).where('id', '=', setting.id).execute()
    const [listed, unpublished, out] = await Promise.all([1, 2, 3].map(() => makeSignup(t, exam.id, { payState: 1 })))
    const base = { examId: exam.id, itemId: stage.id }
    await insert(t.app, Result, { ...base, signupId: listed?.signup.id ?? '', isNext: 1, resultStatus: 1 })
    await insert(t.app, Result, { ...base, signupId: unpublished?.signup.id ?? '', isNext: 1, resultStatus: 0 })
    await insert(t.app, Result, { ...base, signupId: out?.signup.id ?? '', isNext: 0, resultStatus: 1 })
    await fee(setting.id, 'releasePay')
    const rows = await recordsOf(next.id)
    expect(rows.map(row => row.signupId)).toEqual([listed?.signup.id])
    expect(await standing(t, rows[0]?.id ?? '')).toMatchObject({ payState: 0, copy: 0 })
  })

  test('twice, or five times at once, makes one batch', async () => {
    const { exam, stage, fee: setting } = await makeExam(t)
    await makeSignup(t, exam.id)
    const all = await Promise.all(Array.from({ length: 5 }, () => fee(setting.id, 'releasePay')))
    expect(all.map(one => one.code)).toEqual([200, 200, 200, 200, 200])
    expect(await recordsOf(stage.id)).toHaveLength(1)
    expect(await t.db.selectFrom('payrecordmain').select('id').where('itemId', '=', stage.id).execute()).toHaveLength(1)
  })

  test('is refused when it makes no sense', async () => {
    const over = await makeExam(t, { fee: { endTime: shanghai(morning) } })
    expect(await fee(over.fee.id, 'releasePay')).toMatchObject({ code: 29005, status: 400 })
    const turned = await makeExam(t, { fee: { startTime: shanghai('2026-12-06 00:00:00') } })
    expect((await fee(turned.fee.id, 'releasePay')).code).toBe(29005)
    const draft = await makeExam(t, { exam: { examStatus: 0 } })
    expect((await fee(draft.fee.id, 'releasePay')).code).toBe(21002)
    const free = await makeExam(t)
    await t.db.updateTable('examinationitem').set({ needPay: 0 }).where('id', '=', free.stage.id).execute()
    expect((await fee(free.fee.id, 'releasePay')).code).toBe(29005)
    expect((await fee('1', 'releasePay')).code).toBe(29001)
    const nobody = await signIn(t, { permissions: ['payrecord'] })
    expect((await as(t, nobody).post(`/api/blade-examPay/exampay/releasePay?id=${free.fee.id}`)).status).toBe(403)
  })
})

describe('whoever owes later', () => {
  test('gets a record in the transaction that makes the fee due, once, and loses it again', async () => {
    const { exam, stage } = await owing(t)
    const { signup } = await makeSignup(t, exam.id, { examine: 0 })
    await inTrx(trx => ensurePayable(trx, signup.id, t.app.now()))
    expect(await recordsOf(stage.id)).toHaveLength(1)
    await t.db.updateTable('signup').set({ examine: 1 }).where('id', '=', signup.id).execute()
    await Promise.all([1, 2, 3].map(() => inTrx(trx => ensurePayable(trx, signup.id, t.app.now()))))
    const id = await recordOf(t, signup.id)
    expect(await standing(t, id)).toMatchObject({ payState: 0, totals: { totalNum: 2, totalAmount: 16000 } })
    await inTrx(trx => closeUnpayable(trx, signup.id))
    expect(await standing(t, id)).toMatchObject({ payState: 5, copy: 5, totals: { totalNum: 1, totalAmount: 8000 } })
    await inTrx(trx => ensurePayable(trx, signup.id, t.app.now()))
    expect(await standing(t, id)).toMatchObject({ payState: 0, copy: 0, totals: { totalNum: 2 } })
    await t.db.updateTable('signup').set({ examine: 2 }).where('id', '=', signup.id).execute()
    await inTrx(trx => ensurePayable(trx, signup.id, t.app.now()))
    expect(await standing(t, id)).toMatchObject({ payState: 5, totals: { totalNum: 1 } })
  })

  test('is not missed by a release that runs at the same moment', async () => {
    for (let round = 0; round < 8; round++) {
      const { exam, fee: setting } = await makeExam(t)
      const { signup } = await makeSignup(t, exam.id, { examine: 0 })
      const approve = inTrx(async trx => {
        await trx.updateTable('signup').set({ examine: 1 }).where('id', '=', signup.id).execute()
        await new Promise(done => setTimeout(done, round * 3))
        await ensurePayable(trx, signup.id, t.app.now())
      })
      const [released] = await Promise.all([fee(setting.id, 'releasePay'), approve])
      expect(released.code).toBe(200)
      expect(await standing(t, await recordOf(t, signup.id))).toMatchObject({ payState: 0, totals: { totalNum: 1 } })
    }
  })
})

describe('recalling a fee', () => {
  test('nobody paid closes the open orders and takes the records away', async () => {
    const one = await owing(t)
    const made = (await order(t, one.caller, one.recordId)).data
    expect((await fee(one.fee.id, 'deletePay')).code).toBe(200)
    expect((await findOrder(t.pool, 'orderNo', made.orderNo))?.state).toBe('CLOSED')
    expect(await recordsOf(one.stage.id)).toEqual([])
    expect(await feeRow(one.fee.id)).toMatchObject({ payStatus: 0, releaseTime: null })
    expect((await order(t, one.caller, one.recordId)).code).toBe(24001)
    expect((await fee(one.fee.id, 'deletePay')).code).toBe(200)
    expect((await fee(one.fee.id, 'releasePay')).code).toBe(200)
    expect((await recordsOf(one.stage.id)).map(row => row.payState)).toEqual([0])
  })

  test('by exam and stage, as the batch’s remove, keeps exemptions', async () => {
    const one = await owing(t)
    await record(one.recordId, 'exempt', { exemptReason: '低保家庭', exemptFile: await proof() })
    const removed = await as(t, t.staff).post(
      `/api/blade-payrecordmain/payrecordmain/remove?examId=${one.exam.id}&itemId=${one.stage.id}`,
    )
    expect(removed.code).toBe(200)
    await fee(one.fee.id, 'releasePay')
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 2, totals: { totalNum: 0, exemptNum: 1 } })
  })

  test('is refused once somebody paid, also when only the channel knows', async () => {
    const one = await owing(t)
    const made = (await order(t, one.caller, one.recordId)).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    expect(await fee(one.fee.id, 'deletePay')).toMatchObject({ code: 24013, status: 409 })
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, states: [1] })
    expect((await fee(one.fee.id, 'deletePay')).code).toBe(24013)
  })

  test('waits for a channel that is away', async () => {
    const one = await owing(t)
    await order(t, one.caller, one.recordId)
    const ctx = contextOf(t)
    const queryOrder = async (): Promise<never> => {
      throw new ChannelError('TRANSPORT', 0, 'down')
    }
    const away = { ...ctx, pay: { ...ctx.pay, queryOrder } as typeof ctx.pay }
    await expect(deletePay(away, t.staff, one.fee.id)).rejects.toMatchObject({ code: 24006 })
    expect(await feeRow(one.fee.id)).toMatchObject({ payStatus: 1 })
  })
})

describe('a record', () => {
  test('is exempted with a reason, its open order closed', async () => {
    const one = await owing(t)
    const made = (await order(t, one.caller, one.recordId)).data
    const exemptFile = await proof()
    expect((await record(one.recordId, 'exempt', { exemptReason: ' ', exemptFile })).code).toBe(29005)
    expect(await record(one.recordId, 'exempt', { exemptReason: '低保家庭' })).toMatchObject({
      code: 29005,
      data: [{ field: 'exemptFile' }],
    })
    await expect(
      exempt(contextOf(t), { tenantId: '000000', userId: '1' }, [one.recordId], { reason: '低保' }),
    ).rejects.toMatchObject({
      code: 29005,
    })
    expect((await standing(t, one.recordId)).payState).toBe(0)
    const reason = { exemptReason: '低保家庭', exemptFile }
    expect((await record(one.recordId, 'exempt', reason)).code).toBe(200)
    expect((await record(one.recordId, 'exempt', reason)).code).toBe(200)
    expect((await record(one.recordId, 'exempt', { exemptReason: '别的', exemptFile })).code).toBe(24004)
    const expected = { totalNum: 0, exemptNum: 1, totalAmount: 0, paidNum: 0 }
    const found = await standing(t, one.recordId)
    expect(found).toMatchObject({ payState: 2, copy: 2, states: [2], totals: expected })
    expect(found.record).toMatchObject({ exemptReason: '低保家庭', exemptFile })
    expect((await findOrder(t.pool, 'orderNo', made.orderNo))?.state).toBe('CLOSED')
    expect((await order(t, one.caller, one.recordId)).code).toBe(24004)
    await notify(t, made.orderNo)
    expect(await standing(t, one.recordId)).toMatchObject({
      payState: 2,
      states: [5],
      slips: [{ reason: '免缴后到账' }],
    })
  })

  test('that was paid is neither exempted nor booked', async () => {
    const one = await owing(t)
    const made = (await order(t, one.caller, one.recordId)).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    expect(await record(one.recordId, 'exempt', { exemptReason: '低保', exemptFile: await proof() })).toMatchObject({
      code: 24003,
      status: 409,
    })
    expect((await record(one.recordId, 'offlinePay', { remark: '收据1号' })).code).toBe(24003)
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, states: [1], totals: { paidNum: 1 } })
  })

  test('is booked as paid with its voucher', async () => {
    const one = await owing(t)
    expect((await record(one.recordId, 'offlinePay', {})).code).toBe(29005)
    expect((await record(one.recordId, 'offlinePay', { remark: '收据1号' })).code).toBe(200)
    const found = await standing(t, one.recordId)
    expect(found).toMatchObject({ payState: 1, copy: 1, states: [1], totals: { paidNum: 1, paidAmount: 8000 } })
    expect(found.orders[0]).toMatchObject({ channel: 2, body: '线下缴费：收据1号', id: found.record.payOrderId })
    expect((await record(one.recordId, 'offlinePay', { remark: '收据1号' })).code).toBe(200)
    expect((await record(one.recordId, 'offlinePay', { remark: '收据2号' })).code).toBe(24003)
    expect((await standing(t, one.recordId)).orders).toHaveLength(1)
  })

  test('of somebody else’s tenant does not exist', async () => {
    const one = await owing(t)
    const stranger = await signIn(t, { role: 'other_admin', tenantId: '000009', permissions: ['payrecord_exempt'] })
    const url = (id: string) => `/api/blade-payrecord/payrecord/exempt?id=${id}`
    const body = { exemptReason: 'x', exemptFile: await proof() }
    const missing = await as(t, stranger).post(url('1'), body)
    expect(missing).toMatchObject({ code: 24001, status: 404 })
    expect(await as(t, stranger).post(url(one.recordId), body)).toEqual(missing)
  })
})

describe('the end of a window', () => {
  test('closes what is unpaid, after asking the channel once more; a longer one opens it again', async () => {
    const one = await owing(t)
    const other = await makeSignup(t, one.exam.id)
    await inTrx(trx => ensurePayable(trx, other.signup.id, t.app.now()))
    const otherId = await recordOf(t, other.signup.id)
    await at('2026-12-05 17:59:00')
    const made = (await order(t, one.caller, one.recordId)).data
    await setFault(t.pool, made.orderNo, { times: 0 })
    await payAt(made.codeUrl)
    await order(t, other.caller, otherId)
    await at('2026-12-05 17:59:59')
    await followWindows(contextOf(t))
    expect(await standing(t, otherId)).toMatchObject({ payState: 0 })
    await at('2026-12-05 18:00:00')
    expect(await followWindows(contextOf(t))).toEqual([])
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, states: [1] })
    const closed = { payState: 5, copy: 5, states: [2], totals: { totalNum: 1, paidNum: 1, paidAmount: 8000 } }
    expect(await standing(t, otherId)).toMatchObject(closed)
    expect(await feeRow(one.fee.id)).toMatchObject({ payStatus: 2 })

    expect(await record(otherId, 'reopen')).toMatchObject({ code: 24002 })
    await t.db
      .updateTable('exampay')
      .set({ endTime: shanghai('2026-12-06 18:00:00') })
      .where('id', '=', one.fee.id)
      .execute()
    expect((await record(otherId, 'reopen')).code).toBe(200)
    expect((await record(otherId, 'reopen')).code).toBe(200)
    expect((await record(one.recordId, 'reopen')).code).toBe(24003)
    expect(await feeRow(one.fee.id)).toMatchObject({ payStatus: 1 })
    expect((await order(t, other.caller, otherId)).code).toBe(200)
  })

  test('shows in what a candidate sees', async () => {
    const one = await owing(t)
    const unpaid = () => as(t, one.caller).get<object[]>('/api/blade-signup/signup/getMyUnpaid')
    const mine = () => as(t, one.caller).get<object[]>('/api/blade-payrecord/payrecord/getMyPayList')
    expect((await unpaid()).data).toMatchObject([{ id: one.recordId, amount: 8000, itemName: '笔试' }])
    expect((await mine()).data).toMatchObject([
      { canPay: true, windowState: 'open', payTime: '', endTime: '2026-12-05 18:00:00' },
    ])
    await at('2026-12-05 18:00:00')
    expect((await unpaid()).data).toEqual([])
    const block = '缴费已于2026-12-05 18:00:00截止'
    expect((await mine()).data).toMatchObject([{ canPay: false, windowState: 'closed', block }])
    expect((await as(t, t.staff).get('/api/blade-signup/signup/getMyUnpaid')).status).toBe(403)
  })
})
