import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entity, type Resource, readCall, tableOf } from '#engine'
import { resources } from '#resources'
import { Exampay } from '#schemas/pay/exampay'
import { Payorder } from '#schemas/pay/payorder'
import { Payrecord } from '#schemas/pay/payrecord'
import { Payrefund } from '#schemas/pay/payrefund'
import { Result } from '#schemas/result/result'
import { Resultappeal } from '#schemas/result/resultappeal'
import { Sendpay } from '#schemas/send/sendpay'
import { Tenant } from '#schemas/system/tenant'
import { User } from '#schemas/system/user'
import { actionsOf } from '../../src/server/crud/action.ts'
import { shanghai, type TestApp, testApp } from '../helper/app.ts'
import { asCaller, makeDraft } from '../helper/exam-bench.ts'
import { stayLoggedIn } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { makeCutExam, makePassed, plan, reduceTimes } from '../helper/reduction-bench.ts'
import { ticketOf } from '../helper/result-bench.ts'
import { insert } from '../helper/sample.ts'
import { drawing, makeStage, passed } from '../helper/seat-bench.ts'

let t: TestApp
let serial = 10
/** Two who may do the same things. */
let one: Caller
let other: Caller
beforeAll(async () => {
  t = await testApp({ now: drawing })
  one = await signIn(t, { role: 'administrator' })
  other = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

const rowOf = async (table: string, id: string) =>
  (await t.pool.query(`SELECT * FROM "${table}" WHERE id = $1`, [id])).rows[0]

/** What an act must not do twice: lines, notices and tickets beside the row itself. */
async function traces(): Promise<Record<string, string>> {
  const tables = [
    'notice',
    'result_move',
    'resultlog',
    'examinationticket',
    'postreductionname',
    'payrecord',
    'seat_draft',
  ]
  const { rows } = await t.pool.query(
    `SELECT ${tables.map(name => `(SELECT count(*) FROM "${name}") AS "${name}"`).join()}`,
  )
  return rows[0]
}

interface Act {
  path: string
  body: object
  table: string
  id: string
}

/** Done, done again by the same person, done by another: only the first has an effect. */
async function thrice({ path, body, table, id }: Act, refusal: number): Promise<void> {
  const call = async (who: Caller) => (await asCaller(t, who).post(path, body)).code
  const before = await rowOf(table, id)
  expect([path, await call(one)]).toEqual([path, 200])
  const [done, left] = [await rowOf(table, id), await traces()]
  expect(done).not.toEqual(before)
  expect([path, await call(one)]).toEqual([path, 200])
  expect([path, await call(other)]).toEqual([path, refusal])
  expect([await rowOf(table, id), await traces()]).toEqual([done, left])
}

describe('acts whose change is data', () => {
  const acts = (resources as readonly Resource[]).flatMap(resource =>
    Object.entries(actionsOf(resource))
      .filter(([, action]) => action.set && action.when)
      .map(([name, action]) => [`${resource.name} ${name}`, resource, action] as const),
  )
  const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

  test('are many', () => expect(acts.length).toBeGreaterThan(15))

  test.each(acts)('%s', async (_, resource, action) => {
    // Some rows are one of their kind for each sign-up.
    const own = resource.entity.properties.signupId ? { signupId: String(++serial) } : {}
    const state = Object.fromEntries(Object.entries(action.when ?? {}).map(([name, value]) => [name, first(value)]))
    const row = await insert(t.app, resource.entity as Entity, { tenantId: '000000', ...own, ...state } as never)
    const id = String((row as { id: unknown }).id)
    const inputs = Object.fromEntries(
      [...(action.input ?? []), ...Object.keys(action.ask ?? {})].map(name => [name, '说明']),
    )
    const { path, params } = readCall(action.call)
    const key = params.find(name => /^ids?$/.test(name)) ?? 'id'
    const body = { ...inputs, [key]: id }
    await thrice(
      { path: `${resource.path}/${path}`, body, table: tableOf(resource.entity.name), id },
      action.refusal ?? 29009,
    )
  })
})

const exam = '/blade-exam/examination'
const stageRow = (itemId: string, values: object) =>
  t.db.updateTable('examinationitem').set(values).where('id', '=', itemId).execute()
const seated = async () => {
  const made = await makeStage(t)
  await passed(t, made.examId)
  await asCaller(t, other).post(`${exam}/allotSeat`, { itemId: made.itemId })
  return made
}
const stageAct =
  (name: string, state: object, body: object = {}) =>
  async (): Promise<Act> => {
    const { itemId } = await makeStage(t)
    await stageRow(itemId, state)
    return { path: `${exam}/${name}`, body: { itemId, ...body }, table: 'examinationitem', id: itemId }
  }
const withResult =
  (name: string, body: object = {}, state: object = {}) =>
  async (): Promise<Act> => {
    const { examId, itemId } = await makeStage(t)
    const signup = await passed(t, examId)
    await ticketOf(t, itemId, signup)
    const row = await insert(t.app, Result, {
      examId,
      itemId,
      signupId: signup.id,
      score: '60',
      resultFlag: 1,
      ...state,
    })
    if (state) await stageRow(itemId, { resultRelease: (state as { resultStatus?: number }).resultStatus ?? 0 })
    return { path: `${exam}/${name}`, body: { itemId, ...body }, table: 'result', id: row.id }
  }
const account = (accountStatus: 1 | 2, status: 1 | 2) => async (): Promise<Act> => {
  const { id } = await insert(t.app, User, { accountStatus, userType: 2, tenantId: '000000' })
  return { path: '/blade-system/user/changeStatus', body: { id, status }, table: 'user', id }
}
const tenant = (tenantStatus: 1 | 2, name: string) => async (): Promise<Act> => {
  const { id } = await insert(t.app, Tenant, { tenantStatus, tenantId: `3100${String(++serial).padStart(2, '0')}` })
  return { path: `/blade-system/tenant/${name}`, body: { ids: id }, table: 'tenant', id }
}

/** Acts written by hand: what is done, and the refusal of whoever comes second. */
const machines: [name: string, refusal: number, make: () => Promise<Act>][] = [
  [
    'an exam is released',
    29009,
    async () => {
      const { exam: row } = await makeDraft(t, {
        exam: {
          signEndTime: shanghai('2026-12-25 09:00:00'),
          modifyEndTime: shanghai('2026-12-26 09:00:00'),
          examineEndTime: shanghai('2026-12-27 09:00:00'),
          resultTime: null,
        },
      })
      return { path: `${exam}/releaseExam`, body: { id: row.id }, table: 'examination', id: row.id }
    },
  ],
  [
    'an exam is closed',
    29009,
    async () => {
      const { exam: row } = await makeDraft(t, { exam: { examStatus: 1 } })
      return { path: `${exam}/closeExam`, body: { id: row.id, reason: '疫情' }, table: 'examination', id: row.id }
    },
  ],
  [
    'seats are locked',
    25008,
    async () => {
      const { itemId } = await seated()
      return { path: `${exam}/lockAllot`, body: { itemId }, table: 'examinationitem', id: itemId }
    },
  ],
  ['seats are unlocked', 29009, stageAct('unlockAllot', { seatStatus: 2 })],
  [
    'a draft is thrown away',
    29009,
    async () => {
      const { itemId } = await seated()
      return { path: `${exam}/clearAllot`, body: { itemId }, table: 'examinationitem', id: itemId }
    },
  ],
  ['tickets are released', 29009, stageAct('releaseTicket', { seatStatus: 2 })],
  [
    'tickets are recalled',
    29009,
    stageAct('recallTicket', { seatStatus: 2, ticketRelease: 1 }, { reason: '时间有误' }),
  ],
  [
    'a ticket is made void',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await ticketOf(t, itemId, await passed(t, examId))
      return { path: `${exam}/voidTicket`, body: { ids: id, reason: '信息有误' }, table: 'examinationticket', id }
    },
  ],
  ['results are recalled', 29009, withResult('recallResult', { reason: '统分有误' }, { resultStatus: 1 })],
  ['results are removed', 29009, withResult('deleteResult')],
  [
    'an appeal is answered',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await insert(t.app, Resultappeal, { examId, itemId, appealStatus: 0 })
      return {
        path: `/blade-result/resultappeal/handle`,
        body: { id, appealStatus: 1, reply: '无误' },
        table: 'resultappeal',
        id,
      }
    },
  ],
  [
    'a fee is released',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      await stageRow(itemId, { needPay: 1, fee: 8000 })
      const { id } = await insert(t.app, Exampay, {
        ...{ examId, itemId, payStatus: 0, amount: 8000, startTime: shanghai('2026-12-20 00:00:00') },
        endTime: shanghai('2026-12-30 00:00:00'),
      })
      return { path: '/blade-examPay/exampay/releasePay', body: { id }, table: 'exampay', id }
    },
  ],
  [
    'a fee is recalled',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await insert(t.app, Exampay, { examId, itemId, payStatus: 1, amount: 8000 })
      return { path: '/blade-examPay/exampay/deletePay', body: { id }, table: 'exampay', id }
    },
  ],
  [
    'a purchase of messages is closed',
    27007,
    async () => {
      const { id } = await insert(t.app, Sendpay, { sendPayStatus: 0 })
      return { path: '/blade-sendPay/sendpay/close', body: { id }, table: 'sendpay', id }
    },
  ],
  [
    'a transfer is refused',
    27007,
    async () => {
      const { id } = await insert(t.app, Sendpay, { sendPayStatus: 1, createUser: '1' } as never)
      return { path: '/blade-sendPay/sendpay/reject', body: { id, remark: '未到账' }, table: 'sendpay', id }
    },
  ],
  [
    'a refund is refused',
    29009,
    async () => {
      const record = await insert(t.app, Payrecord, { payState: 3 })
      const order = await insert(t.app, Payorder, { bizType: 1, bizId: record.id, orderStatus: 1 })
      const { id } = await insert(t.app, Payrefund, { payOrderId: order.id, payRecordId: record.id, refundStatus: 0 })
      return { path: '/blade-payOrder/payrefund/reject', body: { id, reason: '材料不符' }, table: 'payrefund', id }
    },
  ],
  ['an account is switched off', 29009, account(1, 2)],
  ['an account is switched on', 29009, account(2, 1)],
  ['a tenant goes into the bin', 29009, tenant(1, 'recycle')],
  ['a tenant comes back', 29009, tenant(2, 'pass')],
]

describe('acts written by hand', () => {
  test.each(machines)('%s: by another %i', async (_, refusal, make) => thrice(await make(), refusal))
})

describe('reduction', () => {
  async function decided() {
    t.setNow(reduceTimes.computing)
    await stayLoggedIn(t)
    const { exam: row, staff, admin } = await makeCutExam(t)
    const people = [await makePassed(t, row.id, 'A01'), await makePassed(t, row.id, 'B01')]
    await plan(t, staff, row.id, 'compute')
    const list = ['A01', 'B01', 'B02'].map(code => ({ code, decision: 3, basis: '未达开考比例' }))
    return { examId: row.id, staff, admin, people, list }
  }

  test('a plan is confirmed once', async () => {
    const { examId, staff, admin, list } = await decided()
    expect((await plan(t, staff, examId, 'save', { list })).code).toBe(200)
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(200)
    const left = await traces()
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(200)
    expect((await plan(t, one, examId, 'confirm')).code).toBe(23008)
    expect(await traces()).toEqual(left)
  })

  test('somebody is put on the list and taken off it once', async () => {
    const { examId, people } = await decided()
    const [person] = people
    const call = async (who: Caller, name: string, body: object) =>
      (await asCaller(t, who).post(`/blade-signup/signup/${name}`, body)).code
    const join = { examId, signupIds: [person!.id] }
    expect(await call(one, 'joinPostReductionNameList', join)).toBe(200)
    const left = await traces()
    expect(await call(one, 'joinPostReductionNameList', join)).toBe(200)
    expect(await call(other, 'joinPostReductionNameList', join)).toBe(23004)
    expect(await traces()).toEqual(left)
    const off = { signupId: person!.id }
    expect(await call(one, 'removeNameList', off)).toBe(200)
    expect(await call(one, 'removeNameList', off)).toBe(200)
    expect(await call(other, 'removeNameList', off)).toBe(23002)
  })
})
