import type { AnswerOf } from '#engine'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  ExampayStatus,
  ExamStatus,
  ItemRange,
  PayState,
  ReduceState,
  SignStatus,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Exampay } from '#schemas/payment/exampay'
import { Signup } from '#schemas/sign-up/signup'
import type { startPayment } from '../../src/modules/payment/contract.ts'
import { payContext } from '../../src/modules/payment/server/context.ts'
import pay from '../../src/modules/payment/server/routes/index.ts'
import type { ChannelOrder } from '../../src/platform/channels/pay/channel.ts'
import { sandboxMerchant } from '../../src/platform/channels/pay/sandbox/merchant.ts'
import { signedNotify } from '../../src/platform/channels/pay/sandbox/notify.ts'
import { findOrder, type SandboxOrder } from '../../src/platform/channels/pay/sandbox/orders.ts'
import { routes } from '../../src/server/routes.ts'
import { type TestApp, testApp } from './app.ts'
import { type Caller, signIn } from './person.ts'
import { insert, type Overrides } from './sample.ts'

/** When the tests begin. */
export const morning = '2026-12-01 09:00:00'

/** A server that listens, as its sandbox needs it, with somebody who may do everything about payment. */
export async function payApp(): Promise<TestApp & { staff: Caller }> {
  if (!routes.includes(pay)) routes.push(pay)
  const t = await testApp({ now: morning })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...t, staff: await signIn(t, { role: 'admin' }) }
}

/** A released exam with one charged stage, one position and a fee not yet released. */
export async function makeExam(
  t: TestApp,
  more: { exam?: Overrides<typeof Examination>; fee?: Overrides<typeof Exampay> } = {},
) {
  const exam = await insert(t.app, Examination, {
    examStatus: ExamStatus.released,
    examineMode: ExamineMode.single,
    needPay: 1,
    graceSeconds: 0,
    ...more.exam,
  })
  const stage = await insert(t.app, Examinationitem, {
    examId: exam.id,
    itemName: '笔试',
    needPay: 1,
    itemStatus: EnableStatus.enabled,
    candidateRule: ItemRange.allValid,
    startTime: new Date('2026-12-20T09:00:00+08:00'),
  })
  const position = await insert(t.app, Examitems, { examId: exam.id, code: 'A01', itemIds: stage.id })
  const fee = await insert(t.app, Exampay, {
    examId: exam.id,
    itemId: stage.id,
    payName: '2026年公开招聘 笔试考务费',
    amount: 8000,
    payStatus: ExampayStatus.draft,
    startTime: new Date('2026-12-01T00:00:00+08:00'),
    endTime: new Date('2026-12-05T18:00:00+08:00'),
    ...more.fee,
  })
  return { exam, stage, position, fee }
}

/** A candidate with an approved sign-up. */
export async function makeSignup(t: TestApp, examId: string, more: Overrides<typeof Signup> = {}) {
  const caller = await signIn(t, { role: 'candidate' })
  const signup = await insert(t.app, Signup, {
    examId,
    userId: caller.userId,
    code: 'A01',
    signStatus: SignStatus.submitted,
    examine: ExamineStatus.approved,
    reduceState: ReduceState.none,
    payState: PayState.due,
    content: {},
    files: [],
    ...more,
  })
  return { caller, signup }
}

/** Calls a route as somebody. */
export function as(t: TestApp, { headers }: Caller) {
  return {
    get: <T = Record<string, unknown>>(url: string) => t.call<T>({ method: 'GET', url, headers }),
    post: <T = Record<string, unknown>>(url: string, body?: object) =>
      t.call<T>({ method: 'POST', url, headers, ...(body && { body }) }),
  }
}

/** A released fee with one candidate who owes it. */
export async function owing(t: TestApp & { staff: Caller }, more: Parameters<typeof makeExam>[1] = {}) {
  const made = await makeExam(t, more)
  const { caller, signup } = await makeSignup(t, made.exam.id)
  const released = await as(t, t.staff).post(`/api/blade-examPay/exampay/releasePay?id=${made.fee.id}`)
  if (released.code !== 200) throw new Error(JSON.stringify(released))
  return { ...made, caller, signup, recordId: await recordOf(t, signup.id) }
}

/** The id of the record of a sign-up. */
export async function recordOf(t: TestApp, signupId: string): Promise<string> {
  const row = await t.db
    .selectFrom('payrecord')
    .select('id')
    .where('signupId', '=', signupId)
    .where('isDeleted', '=', 0)
    .executeTakeFirstOrThrow()
  return row.id
}

/** An order as the candidate gets it. */
export type Offered = AnswerOf<typeof startPayment>

/** Asks for an order as the candidate. */
export const order = (t: TestApp, caller: Caller, payRecordId: string) =>
  as(t, caller).post<Offered>('/api/pay/wxpay/createOrder', { payRecordId })

/** Pays at the cashier; the notification goes its way by itself. */
export const payAt = async (codeUrl: string): Promise<string> => (await fetch(codeUrl, { method: 'POST' })).text()

/** What stands about a record: its state, its batch's counters, its orders, slips and the sign-up's copy. */
export async function standing(t: TestApp, recordId: string) {
  const record = await t.db.selectFrom('payrecord').selectAll().where('id', '=', recordId).executeTakeFirstOrThrow()
  const totals = await t.db
    .selectFrom('payrecordmain')
    .select(['totalNum', 'paidNum', 'exemptNum', 'totalAmount', 'paidAmount', 'refundAmount'])
    .where('id', '=', record.mainId)
    .executeTakeFirstOrThrow()
  const orders = await t.db.selectFrom('payorder').selectAll().where('bizId', '=', recordId).orderBy('id').execute()
  const slips = await t.db.selectFrom('payrefund').selectAll().where('payRecordId', '=', recordId).execute()
  const signup = await t.db
    .selectFrom('signup')
    .select('payState')
    .where('id', '=', record.signupId)
    .executeTakeFirstOrThrow()
  const states = orders.map(one => one.orderStatus)
  return { payState: record.payState, copy: signup.payState, totals, orders, states, slips, record }
}

/** The sandbox's account of a server under test. */
export function accountOf({ app: { secrets } }: TestApp) {
  return sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
}

/** Sends the server a genuine notification about an order as the sandbox has it, each time signed anew. */
export async function notify(t: TestApp, orderNo: string, change: Partial<SandboxOrder> = {}) {
  const known = await findOrder(t.pool, 'orderNo', orderNo)
  const paid = { ...known, state: 'SUCCESS', transactionId: `42${orderNo}`, successTime: t.app.now(), ...change }
  const { body, headers } = signedNotify(accountOf(t), paid as SandboxOrder, crypto.randomUUID(), t.app.now())
  return t.app.inject({ method: 'POST', url: '/api/pay/wxpay/notify', body, headers })
}

/** What the channel would say about an order that was paid. */
export const paidAt = (t: TestApp, orderNo: string, more: Partial<ChannelOrder> = {}): ChannelOrder => ({
  state: 'SUCCESS',
  orderNo,
  transactionId: `42${orderNo}`,
  amount: 8000,
  payerId: 'o1',
  successTime: t.app.now(),
  appid: '',
  mchid: '',
  ...more,
})

/** The functions' context with the server's own channel. */
export const contextOf = (t: TestApp) => payContext(t.app)
