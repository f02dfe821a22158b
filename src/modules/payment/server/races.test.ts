import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Attach } from '#schemas/resource/attach'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  accountOf,
  as,
  contextOf,
  notify,
  order,
  owing,
  paidAt,
  payApp,
  payAt,
  standing,
} from '../../../../tests/helper/pay-exam.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { lockDouble } from '../../../../tests/helper/without-locks.ts'
import { signedNotify } from '../../../platform/channels/pay/sandbox/notify.ts'
import { findOrder, type SandboxOrder } from '../../../platform/channels/pay/sandbox/orders.ts'
import { liveAcross } from '../../../platform/database/live.ts'
import { liveIn } from '../../../platform/http/server/live.ts'
import { closeUnpayable } from './fee-records.ts'
import { closeOrder } from './order-at-channel.ts'
import { exempt, offlinePay } from './records.ts'
import { applyRefund } from './refund.ts'
import { refundPaid } from './refund-paid.ts'
import { settle } from './settle.ts'

let t: Awaited<ReturnType<typeof payApp>>
let twin: TestApp

beforeAll(async () => {
  t = await payApp()
  twin = await testApp({ url: t.url, now: t.app.now() })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

describe('one payment told a hundred times', () => {
  test('to two servers, by notifications and questions, counts once', async () => {
    const one = await owing(t)
    const made = (await order(t, one.caller, one.recordId)).data
    await payAt(made.codeUrl)
    const query = () => as(t, one.caller).post('/api/pay/wxpay/queryOrder', { orderNo: made.orderNo })
    const transactionId = (await findOrder(t.pool, 'orderNo', made.orderNo))?.transactionId
    // The channel comes again when it is told to: all wait for one row, and some for longer than anybody may.
    const tell = async (n: number) => {
      for (let tries = 0; ; tries++) {
        const answer = await notify(n % 2 ? t : twin, made.orderNo, { transactionId })
        if (answer.statusCode !== 500 || tries === 5) return answer
      }
    }
    const told = times(100, tell)
    const [answers, queries] = await Promise.all([told, times(20, query)])
    expect(new Set(answers.map(one => (one.statusCode === 200 ? 200 : one.body)))).toEqual(new Set([200]))
    expect(new Set(queries.map(one => one.code))).toEqual(new Set([200]))
    const expected = {
      payState: 1,
      copy: 1,
      states: [1],
      slips: [],
      totals: { paidNum: 1, paidAmount: 8000, totalNum: 1 },
    }
    expect(await standing(t, one.recordId)).toMatchObject(expected)
    const { rows } = await t.pool.query(
      `SELECT "subjectId" FROM event WHERE code = 'payrecord.paid' AND "subjectId" = $1`,
      [one.recordId],
    )
    expect(rows).toHaveLength(1)
  })

  test('in the very same bytes counts once, and the copies are refused', async () => {
    const one = await owing(t)
    const { orderNo } = (await order(t, one.caller, one.recordId)).data
    const known = (await findOrder(t.pool, 'orderNo', orderNo)) as SandboxOrder
    const paid: SandboxOrder = { ...known, state: 'SUCCESS', transactionId: `42${orderNo}`, successTime: t.app.now() }
    const { body, headers } = signedNotify(accountOf(t), paid, 'EV', t.app.now())
    const answers = await times(40, n =>
      (n % 2 ? t : twin).app.inject({ method: 'POST', url: '/api/pay/wxpay/notify', body, headers }),
    )
    expect(answers.filter(one => one.statusCode === 200)).toHaveLength(1)
    expect(answers.filter(one => one.statusCode === 401)).toHaveLength(39)
    expect(await standing(t, one.recordId)).toMatchObject({ payState: 1, totals: { paidNum: 1 } })
  })
})

interface Locks {
  unlocked: boolean
}

/** The database with or without its locks, which waits when it has read whether the channel's number is used elsewhere. */
const slowDb = ({ unlocked }: Locks, pause: () => Promise<unknown> = () => sleep(150)) =>
  liveAcross(lockDouble(t, { unlocked, after: /"transactionId" = /, pause }), { now: t.app.now })

describe('the lock on a record', () => {
  /** Two orders of one record, both paid, told at the same moment, each having read before the other writes. */
  async function twoPayments(probe: Locks) {
    const one = await owing(t)
    const first = (await order(t, one.caller, one.recordId)).data
    await t.db.updateTable('payorder').set({ orderStatus: 2 }).where('orderNo', '=', first.orderNo).execute()
    const second = (await order(t, one.caller, one.recordId)).data
    const pay = (orderNo: string) =>
      slowDb(probe)
        .transaction()
        .execute(trx => settle(trx, paidAt(t, orderNo), t.app.now(), t.app.extensions.products))
    const results = await Promise.allSettled([pay(first.orderNo), pay(second.orderNo)])
    const outcomes = results.map(one => (one.status === 'fulfilled' ? one.value : 'broken'))
    return { outcomes: outcomes.toSorted(), ...(await standing(t, one.recordId)) }
  }

  test('makes two payments at one moment one payment and one refund slip', async () => {
    const { outcomes, states, slips, totals } = await twoPayments({ unlocked: false })
    expect(outcomes).toEqual(['exception', 'paid'])
    expect([states.toSorted(), slips.length, totals.paidNum]).toEqual([[1, 5], 1, 1])
  })

  test('is needed: without it the second payment is lost sight of', async () => {
    const { outcomes, slips } = await twoPayments({ unlocked: true })
    expect(outcomes).toEqual(['broken', 'paid'])
    expect(slips).toEqual([])
  })

  test('lets many calls at once make one order', async () => {
    const one = await owing(t)
    const all = await times(30, () => order(t, one.caller, one.recordId))
    expect(all.map(made => made.code)).toEqual(Array(30).fill(200))
    expect(new Set(all.map(made => made.data.orderNo)).size).toBe(1)
    expect((await standing(t, one.recordId)).states).toEqual([0])
  })
})

describe('the lock on a transaction number', () => {
  /** Two orders told the same number at one moment, each having looked before the other writes. */
  async function sameNumber(probe: Locks) {
    const people = [await owing(t), await owing(t)]
    const orders = await Promise.all(people.map(one => order(t, one.caller, one.recordId)))
    const transactionId = `42X${orders[0]?.data.orderNo}`
    const pay = (orderNo: string) =>
      slowDb(probe)
        .transaction()
        .execute(trx => settle(trx, paidAt(t, orderNo, { transactionId }), t.app.now(), t.app.extensions.products))
    const results = await Promise.allSettled(orders.map(made => pay(made.data.orderNo)))
    const outcomes = results.map(one => (one.status === 'fulfilled' ? one.value : 'broken'))
    const states = await Promise.all(people.map(async one => (await standing(t, one.recordId)).states))
    return { outcomes: outcomes.toSorted(), states: states.flat().toSorted() }
  }

  test('lets one order have it and makes the other an exception', async () => {
    expect(await sameNumber({ unlocked: false })).toEqual({ outcomes: ['exception', 'paid'], states: [1, 5] })
  })

  test('is needed: without it the second message fails and is told again for ever', async () => {
    expect(await sameNumber({ unlocked: true })).toEqual({ outcomes: ['broken', 'paid'], states: [0, 1] })
  })
})

describe('a corrected amount and the approval of its refund at one moment', () => {
  /** A wrong amount was told; the right one comes while somebody approves the refund. */
  async function correctedMeanwhile(probe: Locks) {
    const one = await owing(t)
    const { orderNo } = (await order(t, one.caller, one.recordId)).data
    await contextOf(t)
      .db.transaction()
      .execute(trx => settle(trx, paidAt(t, orderNo, { amount: 1 }), t.app.now(), t.app.extensions.products))
    const slip = (await standing(t, one.recordId)).slips[0]!
    let approve: Promise<{ code: number }> | undefined
    const pause = () => {
      approve ??= as(t, t.staff).post(`/api/blade-payOrder/payrefund/approve?id=${slip.id}`)
      // Where nothing holds it up it ends meanwhile.
      return probe.unlocked ? approve : sleep(150)
    }
    const outcome = await slowDb(probe, pause)
      .transaction()
      .execute(trx => settle(trx, paidAt(t, orderNo), t.app.now(), t.app.extensions.products))
      .catch(() => 'broken')
    const code = (await approve)?.code
    const { payState, slips } = await standing(t, one.recordId)
    return { outcome, code, payState, slips }
  }

  test('either counts or goes back, never both', async () => {
    const { outcome, code, payState, slips } = await correctedMeanwhile({ unlocked: false })
    expect([outcome, code, payState, slips.map(slip => slip.refundStatus)]).toEqual(['paid', 29009, 1, [5]])
  })

  test('needs the lock: without it the approval gets in between', async () => {
    const { code, slips } = await correctedMeanwhile({ unlocked: true })
    expect(code).not.toBe(29009)
    expect(slips[0]?.refundStatus).not.toBe(5)
  })
})

const actor = { tenantId: '000000', userId: '1' }

describe('striking off and an application for a refund at one moment', () => {
  /** Both ask for the same money, each having looked for slips before the other writes. */
  async function bothAsk(probe: Locks) {
    const one = await owing(t)
    const { orderNo } = (await order(t, one.caller, one.recordId)).data
    await notify(t, orderNo)
    const slow = lockDouble(t, { ...probe, after: /from "payrefund"/, pause: () => sleep(150) })
    const struck = liveIn({ db: slow, now: t.app.now }, actor.tenantId)
      .transaction()
      .execute(trx => refundPaid(trx, [one.signup.id], '取消资格', t.app.now()))
    const row = (await standing(t, one.recordId)).orders[0]!
    const applied = sleep(60).then(() =>
      applyRefund(contextOf(t), actor, row.id, { reason: '放弃考试', mayDivide: false }),
    )
    await Promise.allSettled([struck, applied])
    return (await standing(t, one.recordId)).slips.length
  }

  test('make one slip', async () => expect(await bothAsk({ unlocked: false })).toBe(1))

  test('need the lock: without it the same money is asked for twice', async () =>
    expect(await bothAsk({ unlocked: true })).toBe(2))
})

describe('money and something else at the same moment', () => {
  type Other = (one: Awaited<ReturnType<typeof owing>>) => Promise<unknown>
  const others: [string, Other][] = [
    [
      'exemption',
      async one =>
        exempt(contextOf(t), actor, [one.recordId], { reason: '低保', file: (await insert(t.app, Attach)).id }),
    ],
    ['booking offline', one => offlinePay(contextOf(t), actor, one.recordId, '收据')],
    [
      'closing the order',
      async one => {
        const row = await t.db
          .selectFrom('payorder')
          .selectAll()
          .where('bizId', '=', one.recordId)
          .executeTakeFirstOrThrow()
        await closeOrder(contextOf(t), row, '测试')
      },
    ],
    [
      'striking off',
      one =>
        liveIn(t.app, actor.tenantId)
          .transaction()
          .execute(async trx => {
            await trx.updateTable('signup').set({ signStatus: 9 }).where('id', '=', one.signup.id).execute()
            await closeUnpayable(trx, one.signup.id)
            await refundPaid(trx, [one.signup.id], '取消资格', t.app.now())
          }),
    ],
  ]

  test.each(others)('payment × %s: every fen is accounted for', async (_name, other) => {
    const one = await owing(t)
    const records = [one]
    for (let n = 1; n < 8; n++) records.push(await owing(t))
    for (const each of records) {
      const made = (await order(t, each.caller, each.recordId)).data
      const delay = () => sleep(Math.random() * 30)
      const pay = delay().then(() => payAt(made.codeUrl))
      await Promise.allSettled([pay, delay().then(() => other(each))])
      const sandbox = await findOrder(t.pool, 'orderNo', made.orderNo)
      const came = sandbox?.state === 'SUCCESS' ? 8000 : 0
      if (came) await notify(t, made.orderNo, { transactionId: sandbox?.transactionId ?? '' })
      const { payState, copy, totals, orders, slips } = await standing(t, each.recordId)
      const offline = orders.filter(row => row.channel === 2).length * 8000
      const toReturn = slips.reduce((sum, slip) => sum + slip.amount, 0)
      expect(came + offline).toBe((payState === 1 ? 8000 : 0) + toReturn)
      const paid = payState === 1 || payState === 3
      expect(orders.filter(row => row.orderStatus === 1)).toHaveLength(paid ? 1 : 0)
      expect([totals.paidNum, totals.paidAmount, copy]).toEqual(paid ? [1, 8000, payState] : [0, 0, payState])
    }
  })
})
