import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ExamRole, OrderStatus, PayState, RefundStatus } from '#schemas/dictionaries'
import { ledgerDiscrepancies } from '../../src/modules/payment/server/ledger-check.ts'
import { signedNotify } from '../../src/platform/channels/pay/sandbox/notify.ts'
import { findOrder, setFault } from '../../src/platform/channels/pay/sandbox/orders.ts'
import { sandboxPath } from '../../src/platform/channels/pay/sandbox/plugin.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { appoint } from '../helper/exam-bench.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { accountOf, as, contextOf, makeExam, makeSignup, type Offered, recordOf } from '../helper/pay-exam.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { hoursFromNow, watch } from './watch.ts'

// Candidates pay at the sandbox, every payment is told several times to both servers, and some of the money goes back, while
// servers are killed. Each fee is paid once, our books equal those of the channel, and no more goes back than came.

const [people, atOnce, kills, fee] = [160, 6, 24, 8000]

let t: TestApp
let fleet: Fleet
let finance: Caller
let second: Caller

beforeAll(async () => {
  t = await testApp()
  // Its own jobs and questions to the channel need an address.
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  fleet = await startFleet(t)
  finance = await signIn(t, { role: 'finance' })
  second = await signIn(t, { role: 'admin' })
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

/** Somebody who owes the fee. */
interface Debtor {
  caller: Caller
  recordId: string
  orderNo?: string
}

async function debtors(): Promise<Debtor[]> {
  const made = await makeExam(t, { fee: { startTime: hoursFromNow(-1), endTime: hoursFromNow(24) } })
  await t.pool.query('UPDATE examinationitem SET "startTime" = $2 WHERE id = $1', [made.stage.id, hoursFromNow(100)])
  await appoint(t, made.exam.id, finance, ExamRole.finance)
  const signups = []
  for (let n = 0; n < people; n++) signups.push(await makeSignup(t, made.exam.id))
  expect(await as(t, second).post(`/api/blade-examPay/exampay/releasePay?id=${made.fee.id}`)).toMatchObject({
    code: 200,
  })
  return Promise.all(signups.map(async ({ caller, signup }) => ({ caller, recordId: await recordOf(t, signup.id) })))
}

/** Presses the button of the cashier until the money has moved. */
async function payAtCashier(orderNo: string): Promise<void> {
  for (;;) {
    const order = await findOrder(t.pool, 'orderNo', orderNo)
    if (order?.state === 'SUCCESS') return
    const url = `${fleet.urls[randomInt(2)]}${sandboxPath}/cashier/${order?.pr}`
    await fetch(url, { method: 'POST' }).catch(() => {})
  }
}

const refusedNotifies: string[] = []

/** Tells both servers at one moment that an order was paid; one that is dead does not hear it. */
async function tell(orderNo: string): Promise<void> {
  const order = (await findOrder(t.pool, 'orderNo', orderNo))!
  await Promise.all(
    fleet.urls.map(async url => {
      const { body, headers } = signedNotify(accountOf(t), order, randomUUID(), new Date())
      const answer = await fetch(`${url}/api/pay/wxpay/notify`, { method: 'POST', body, headers }).catch(() => null)
      const text = await answer?.text().catch(() => '')
      if (answer && ![200, 204, 503].includes(answer.status)) refusedNotifies.push(`${answer.status} ${text}`)
    }),
  )
}

const stateOf = async (recordId: string) =>
  (await t.pool.query('SELECT "payState" FROM payrecord WHERE id = $1', [recordId])).rows[0].payState as number

/** Two tabs ask for the order, one pays. */
async function pay(one: Debtor): Promise<void> {
  const { headers } = one.caller
  const ask = (on: number) =>
    fleet.insist<Offered>('/pay/wxpay/createOrder', {
      headers,
      body: { payRecordId: one.recordId },
      freshKeys: true,
      on,
    })
  const [first, other] = await Promise.all([ask(0), ask(1)])
  expect([first.code, other.code, other.data.orderNo]).toEqual([200, 200, first.data.orderNo])
  one.orderNo = first.data.orderNo
  await setFault(t.pool, one.orderNo, { times: 2 })
  await payAtCashier(one.orderNo)
  await tell(one.orderNo)
  const query = { headers, body: { orderNo: one.orderNo }, freshKeys: true }
  await vi.waitFor(
    async () => {
      await fleet.insist('/pay/wxpay/queryOrder', query)
      expect(await stateOf(one.recordId)).toBe(PayState.paid)
    },
    { timeout: 90_000, interval: 200 },
  )
}

/** Finance asks the money back, and two servers are told at one moment that it may go. */
async function giveBack({ orderNo }: Debtor): Promise<void> {
  const base = '/blade-payOrder/payrefund'
  const asked = await fleet.insist(`${base}/apply`, { headers: finance.headers, body: { orderNo, reason: '放弃考试' } })
  expect(asked).toMatchObject({ code: 200 })
  const { rows } = await t.pool.query(
    'SELECT f.id FROM payrefund f JOIN payorder o ON o.id = f."payOrderId" WHERE o."orderNo" = $1',
    [orderNo],
  )
  expect(rows).toHaveLength(1)
  const approve = (on: number) =>
    fleet.insist(`${base}/approve?id=${rows[0].id}`, { headers: second.headers, body: {}, freshKeys: true, on })
  await Promise.all([approve(0), approve(1)])
}

test('payments told many times count once, and our books are those of the channel', async () => {
  const all = await debtors()
  const waiting = [...all]
  const paid: Debtor[] = []
  let refunds = 0
  const candidates = async (load: Load) => {
    while (load.goesOn()) {
      const next = waiting.shift()
      if (next) {
        await pay(next)
        paid.push(next)
        if (randomInt(3) === 0) {
          refunds++
          await giveBack(next)
        }
      } else await tell(paid[randomInt(paid.length)]!.orderNo!)
      load.done()
    }
  }
  const twice = watch(
    t.url,
    `SELECT "bizId" FROM payorder WHERE "orderStatus" IN (${OrderStatus.paid}, ${OrderStatus.partlyRefunded}, ${OrderStatus.refunded})
     GROUP BY 1 HAVING count(*) > 1`,
    [],
    () => false,
  )
  await underKills(
    fleet,
    kills,
    Array.from({ length: atOnce }, () => candidates),
  )
  // What is on its way arrives: notifications that nobody heard are sent again, refunds in doubt are asked about.
  await vi.waitFor(
    async () => {
      await t.pool.query('UPDATE pay_sandbox_notify SET "nextTime" = now() WHERE "nextTime" > now()')
      const { rows } = await t.pool.query('SELECT answer FROM pay_sandbox_notify WHERE "nextTime" IS NOT NULL')
      expect(rows).toEqual([])
    },
    { timeout: 60_000, interval: 3000 },
  )
  await vi.waitFor(
    async () => {
      await t.app.jobs.run('pay-refunds')
      const open = t.db
        .selectFrom('payrefund')
        .select(['refundNo', 'errMsg'])
        .where('refundStatus', '<>', RefundStatus.succeeded)
      expect(await open.execute()).toEqual([])
    },
    { timeout: 120_000, interval: 3000 },
  )

  expect(await twice.end()).toEqual([])
  expect(refusedNotifies).toEqual([])
  expect(await ledgerDiscrepancies(contextOf(t).db)).toEqual([])
  const states = new Map(
    (await t.db.selectFrom('payrecord').select(['id', 'payState']).execute()).map(one => [one.id, one.payState]),
  )
  const isPaid = (one: Debtor) =>
    states.get(one.recordId) === PayState.paid || states.get(one.recordId) === PayState.refunded
  expect(paid.filter(one => !isPaid(one))).toEqual([])
  expect(all.filter(one => !paid.includes(one) && states.get(one.recordId) !== PayState.due)).toEqual([])
  const { rows: books } = await sql<Record<string, number>>`
    SELECT (SELECT count(*) FROM pay_sandbox_order WHERE "successTime" IS NOT NULL)::int AS "channelPaid",
      (SELECT sum(amount) FROM pay_sandbox_order WHERE "successTime" IS NOT NULL)::int AS "channelAmount",
      (SELECT coalesce(sum(amount), 0) FROM pay_sandbox_refund)::int AS "channelBack",
      (SELECT count(*) FROM payorder WHERE "orderStatus" NOT IN (${OrderStatus.unpaid}, ${OrderStatus.closed}))::int AS orders,
      (SELECT sum("paidAmount") FROM payorder)::int AS amount,
      (SELECT coalesce(sum(amount), 0) FROM payrefund)::int AS back,
      (SELECT "paidNum" FROM payrecordmain)::int AS "paidNum",
      (SELECT "paidAmount" FROM payrecordmain)::int AS "paidAmount",
      (SELECT "refundAmount" FROM payrecordmain)::int AS "refundAmount"`.execute(t.db)
  const [count, sum, back] = [paid.length, paid.length * fee, refunds * fee]
  expect(books[0]).toEqual({
    channelPaid: count,
    channelAmount: sum,
    channelBack: back,
    orders: count,
    amount: sum,
    back,
    paidNum: count,
    paidAmount: sum,
    refundAmount: back,
  })
  expect(fleet.faults).toEqual([])
  console.log(`${count} payments, ${refunds} refunds`)
})
