import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Entity, namesRows, type Resource, readCall, tableOf, transitionsOf } from '#engine'
import { resources } from '#resources'
import { FlowTaskState } from '#schemas/dictionaries'
import { JobWorkflow } from '#schemas/jobs/job-workflow'
import { JobWorkflowNode } from '#schemas/jobs/job-workflow-node'
import { Send } from '#schemas/messages/send'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Sendpay } from '#schemas/messages/sendpay'
import { Exampay } from '#schemas/payment/exampay'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrecordmain } from '#schemas/payment/payrecordmain'
import { Payrefund } from '#schemas/payment/payrefund'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Reconciliationitem } from '#schemas/payment/reconciliationitem'
import { Attach } from '#schemas/resource/attach'
import { Oss } from '#schemas/resource/oss'
import { Sms } from '#schemas/resource/sms'
import { Result } from '#schemas/results/result'
import { Datarequest } from '#schemas/system/datarequest'
import { Idclaim } from '#schemas/system/idclaim'
import { Tenant } from '#schemas/system/tenant'
import { User } from '#schemas/system/user'
import { Userupdateinfo } from '#schemas/system/userupdateinfo'
import { Hook } from '#schemas/webhooks/hook'
import { actionsOf } from '../../src/crud/action.ts'
import { readModel } from '../../src/modules/workflow/rules/read-model.ts'
import { TokenState } from '../../src/modules/workflow/rules/run/state.ts'
import { deployModel } from '../../src/modules/workflow/server/flow-deploy.ts'
import { knownToModels } from '../../src/modules/workflow/server/known.ts'
import { liveFor } from '../../src/platform/database/live.ts'
import { refusalCode } from '../../src/platform/http/server/refusal.ts'
import { shanghai, type TestApp, testApp } from '../helper/app.ts'
import { asCaller, makeDraft } from '../helper/exam-bench.ts'
import { straight } from '../helper/flow-bench.ts'
import { stayLoggedIn } from '../helper/login.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { makeCutExam, makePassed, plan, reduceTimes } from '../helper/reduction-bench.ts'
import { ticketOf } from '../helper/result-bench.ts'
import { insert } from '../helper/sample.ts'
import { drawing, makeStage, passed } from '../helper/seat-bench.ts'
import { give, makeTemplate } from '../helper/send-bench.ts'
import { filesBelow } from '../helper/tree.ts'

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

/** What an act must not do twice: lines, notices and tickets beside the row itself, and what people are told. */
async function traces(): Promise<Record<string, string>> {
  const tables = [
    'event',
    'notice',
    'result_move',
    'resultlog',
    'examinationticket',
    'postreductionname',
    'payrecord',
    'payrefund',
    'payorder',
    'sendledger',
    'flow_activity',
    'flow_instance',
    'seat_draft',
  ]
  const { rows } = await t.pool.query(
    `SELECT ${tables.map(name => `(SELECT count(*) FROM "${name}") AS "${name}"`).join()}`,
  )
  return rows[0]
}

/** A row that an act is done to. */
interface Act {
  body: object
  table: string
  id: string
}

const inQuery = /^\/blade-flow\/(?!work\/complete-task)[^?]+$/

/** Done, done again by the same person, done by another: only the first has an effect. */
async function thrice(path: string, { body, table, id }: Act, refusal: number): Promise<void> {
  // Some calls take what they are about in their address.
  const query = inQuery.test(path) ? `?${new URLSearchParams(body as Record<string, string>)}` : ''
  const call = async (who: Caller) => (await asCaller(t, who).post(`${path}${query}`, query ? {} : body)).code
  const before = await rowOf(table, id)
  expect([path, await call(one)]).toEqual([path, 200])
  const [done, left] = [await rowOf(table, id), await traces()]
  expect(done).not.toEqual(before)
  expect([path, await call(one)]).toEqual([path, 200])
  expect([path, await call(other)]).toEqual([path, refusal])
  expect([await rowOf(table, id), await traces()]).toEqual([done, left])
}

/** Transitions that ask for more than a state; they are among the machines, by another address, or beside their module. */
const guarded: readonly string[] = [
  // Its kind has to know the piece.
  'work-item retry',
  // A run without nodes has ended by then.
  'job-workflow-run retry',
  'examinationitem releaseTicket',
  'examination releaseExam',
  'examination archive',
  'resultappeal correct',
  // Whoever asked has to have the right still.
  'examarchive confirm',
  // Somebody has to be next.
  'promotion confirm',
  // Lists have to have lines, lines a draft, and an answer an outcome.
  'publicity send',
  'publicity confirm',
  'publicityrow omit',
  'publicityrow restore',
  'objection propose',
  'objection revise',
  'sms enable',
  // It has to have a secret, and what is replayed a hook that is on.
  'hook enable',
  'hookdelivery replay',
  // The channel alone pauses a row.
  'sms resume',
  'mail resume',
  'wechat resume',
  'userupdateinfo pass',
  // It asks that no exam of the person is running.
  'datarequest finish',
  // Something has to be due, and people to have known for thirty days.
  'datapurge plan',
  'datapurge confirm',
]

const acts = (resources as readonly Resource[]).flatMap(resource =>
  Object.entries(actionsOf(resource))
    .filter(([name]) => transitionsOf(resource)[name] && !guarded.includes(`${resource.name} ${name}`))
    .map(([name, action]) => [`${resource.name} ${name}`, resource, action] as const),
)

describe('transitions', () => {
  const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)
  const isOpen = (value: unknown) => typeof value === 'object' && value !== null && 'not' in value

  test('are many', () => expect(acts.length).toBeGreaterThan(15))

  test.each(acts)('%s', async (_, resource, action) => {
    // Some rows are one of their kind for each sign-up, or for each person.
    const { properties, uniques } = resource.entity as Entity
    const isOfPerson = JSON.stringify(uniques).includes('"userId"')
    const own = {
      ...(properties.signupId && { signupId: String(++serial) }),
      ...(isOfPerson && { userId: String(++serial) }),
    }
    const known = Object.entries(action.when ?? {}).filter(([, value]) => !isOpen(value))
    const state = { ...Object.fromEntries(known.map(([name, value]) => [name, first(value)])) }
    const row = await insert(t.app, resource.entity as Entity, { tenantId: '000000', ...own, ...state } as never)
    const id = String((row as { id: unknown }).id)
    const inputs = Object.fromEntries(
      [...(action.input ?? []), ...Object.keys(action.ask ?? {})].map(name => [name, '说明']),
    )
    const { path, params, fixed } = readCall(action.call)
    const key = params.find(namesRows) ?? 'id'
    const body = { ...inputs, ...fixed, [key]: id }
    await thrice(
      `${resource.path}/${path}`,
      { body, table: tableOf(resource.entity.name), id },
      refusalCode(action.refusal ?? 'row.wrongState'),
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
  (state: object, body: object = {}) =>
  async (): Promise<Act> => {
    const { itemId } = await makeStage(t)
    await stageRow(itemId, state)
    return { body: { itemId, ...body }, table: 'examinationitem', id: itemId }
  }
/** An act from the list of stages. */
const stageRowAct = (state: object) => async (): Promise<Act> => {
  const made = await stageAct(state)()
  return { ...made, body: { id: made.id, ids: made.id } }
}
const withResult =
  (body: object = {}, state: object = {}) =>
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
    return { body: { itemId, ...body }, table: 'result', id: row.id }
  }
const tenant = (tenantStatus: 1 | 2) => async (): Promise<Act> => {
  const { id } = await insert(t.app, Tenant, { tenantStatus, tenantId: `3100${String(++serial).padStart(2, '0')}` })
  return { body: { ids: id }, table: 'tenant', id }
}

/** A payment that stands as told, with its order. */
async function paid(record: object, order: object = {}) {
  const { examId, itemId } = await makeStage(t)
  const signup = await passed(t, examId)
  const main = await insert(t.app, Payrecordmain, { examId, itemId, totalNum: 1, totalAmount: 8000 })
  const facts = { examId, itemId, mainId: main.id, signupId: signup.id, amount: 8000 }
  const payment = await insert(t.app, Payrecord, { ...facts, ...record })
  const state = { bizType: 1, bizId: payment.id, amount: 8000, channel: 2, orderStatus: 1, ...order } as const
  const made = await insert(t.app, Payorder, { ...state, payTime: shanghai('2026-12-19 09:00:00') })
  await t.db.updateTable('payrecord').set({ payOrderId: made.id }).where('id', '=', payment.id).execute()
  return { record: payment, order: made, signup, itemId, examId }
}
const payment =
  (record: object, body: object = {}, order: object = {}) =>
  async (): Promise<Act> => {
    const made = await paid(record, order)
    return { body: { id: made.record.id, ...body }, table: 'payrecord', id: made.record.id }
  }
const slip =
  (refundStatus: 0 | 4, body: object = {}) =>
  async (): Promise<Act> => {
    const { record, order } = await paid({ payState: 3 })
    const facts = { payOrderId: order.id, payRecordId: record.id, refundStatus, applyUser: '1', amount: 8000 } as const
    const { id } = await insert(t.app, Payrefund, facts)
    return { body: { id, ...body }, table: 'payrefund', id }
  }
const refundOf = (key: 'id' | 'orderNo') => async (): Promise<Act> => {
  const { record, order } = await paid({ payState: 1 })
  return { body: { [key]: order[key], reason: '报考有误' }, table: 'payrecord', id: record.id }
}

const refundOfRecord = async (): Promise<Act> => {
  const { record } = await paid({ payState: 1 })
  return { body: { id: record.id, reason: '报考有误' }, table: 'payrecord', id: record.id }
}

/** A sending with one receiver that has all it needs. */
async function sending(state: object, message: object = {}) {
  const template = await makeTemplate(t, { smsCode: `notice${++serial}` })
  const row = await insert(t.app, Send, {
    sendType: 1,
    templateId: template.id,
    content: template.templateContent,
    num: 1,
    segNum: 1,
    planTime: null,
    examId: null,
    packageId: null,
    ...state,
  })
  const line = await insert(t.app, Sendmessage, {
    sendId: row.id,
    params: { name: '张三', examName: '笔试' },
    segments: 1,
    msgStatus: 0,
    retryNum: 0,
    ...message,
  })
  await give(t, 10, String(++serial))
  return { row, line }
}
const send =
  (state: object, body: object = {}) =>
  async (): Promise<Act> => {
    const { row } = await sending(state)
    return { body: { id: row.id, sendId: row.id, ...body }, table: 'send', id: row.id }
  }

/** Deploys a process with one task. @returns its version */
async function deploy(key: string): Promise<string> {
  const xml = straight(key)
  const source = { ...readModel(xml, knownToModels), name: key, category: 1, xml }
  const now = new Date()
  const deploymentId = await t.db
    .transaction()
    .execute(trx => deployModel(liveFor(trx, { tenantId: '000000', userId: null, now: () => now }), now, source))
  const version = t.db.selectFrom('flow_version').select('id').where('deploymentId', '=', deploymentId)
  return (await version.executeTakeFirstOrThrow()).id
}

/** A run of a process that waits at a task for a person, or for whoever of the administrators takes it. */
async function run(who: { assignee?: string; groups?: string[] }) {
  const versionId = await deploy(`run${++serial}`)
  const { rows: runs } = await t.pool.query(
    `INSERT INTO flow_instance ("tenantId", "versionId", "businessTable", "businessId", starter, facts, "createTime")
     VALUES ('000000', $1, 'leave', $2, '1', '{}', now()) RETURNING id`,
    [versionId, serial],
  )
  const instanceId = String(runs[0].id)
  const { rows: tokens } = await t.pool.query(
    `INSERT INTO flow_token ("instanceId", "nodeId", state, "createTime") VALUES ($1, 't', $2, now()) RETURNING id`,
    [instanceId, TokenState.waiting],
  )
  const { rows: tasks } = await t.pool.query(
    `INSERT INTO flow_task ("instanceId", "tokenId", "nodeId", name, assignee, "candidateGroups", state, "createTime")
     VALUES ($1, $2, 't', '审批', $3, $4, $5, now()) RETURNING id`,
    [
      instanceId,
      tokens[0].id,
      who.assignee ?? null,
      who.groups ?? [],
      who.assignee ? FlowTaskState.open : FlowTaskState.claimable,
    ],
  )
  return { instanceId, taskId: String(tasks[0].id) }
}
const deployment = (body: object, key: 'processId' | 'deploymentIds') => async (): Promise<Act> => {
  const versionId = await deploy(`model${++serial}`)
  const version = t.db.selectFrom('flow_version').select('deploymentId').where('id', '=', versionId)
  const { deploymentId } = await version.executeTakeFirstOrThrow()
  return { body: { [key]: deploymentId, ...body }, table: 'flow_deployment', id: deploymentId }
}
const updateRequest = async (): Promise<Act> => {
  const user = await insert(t.app, User, { accountStatus: 1, userType: 2, tenantId: '000000' })
  const wish = { userId: user.id, updateStatus: 0, realName: '李四', idCard: null, cardFront: null, cardBack: null }
  const { id } = await insert(t.app, Userupdateinfo, wish as never)
  return { body: { ids: id }, table: 'userupdateinfo', id }
}

/** Acts written by hand: what is done, and the refusal of whoever comes second. */
const machines: [name: string, path: string, refusal: number, make: () => Promise<Act>][] = [
  [
    'an exam is released',
    `${exam}/releaseExam`,
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
      return { body: { id: row.id }, table: 'examination', id: row.id }
    },
  ],
  [
    'an exam is closed',
    `${exam}/closeExam`,
    29009,
    async () => {
      const { exam: row } = await makeDraft(t, { exam: { examStatus: 1 } })
      return { body: { id: row.id, reason: '疫情' }, table: 'examination', id: row.id }
    },
  ],
  [
    'seats are locked',
    `${exam}/lockAllot`,
    25008,
    async () => {
      const { itemId } = await seated()
      return { body: { itemId }, table: 'examinationitem', id: itemId }
    },
  ],
  ['seats are unlocked', `${exam}/unlockAllot`, 29009, stageAct({ seatStatus: 2 })],
  [
    'a draft is thrown away',
    `${exam}/clearAllot`,
    29009,
    async () => {
      const { itemId } = await seated()
      return { body: { itemId }, table: 'examinationitem', id: itemId }
    },
  ],
  ['tickets are released', `${exam}/releaseTicket`, 29009, stageAct({ seatStatus: 2 })],
  [
    'tickets are recalled',
    `${exam}/recallTicket`,
    29009,
    stageAct({ seatStatus: 2, ticketRelease: 1 }, { reason: '时间有误' }),
  ],
  [
    'a ticket is made void',
    `${exam}/voidTicket`,
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await ticketOf(t, itemId, await passed(t, examId))
      return { body: { ids: id, reason: '信息有误' }, table: 'examinationticket', id }
    },
  ],
  ['results are recalled', `${exam}/recallResult`, 29009, withResult({ reason: '统分有误' }, { resultStatus: 1 })],
  ['results are removed', `${exam}/deleteResult`, 29009, withResult()],
  [
    'a fee is released',
    '/blade-examPay/exampay/releasePay',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      await stageRow(itemId, { needPay: 1, fee: 8000 })
      const { id } = await insert(t.app, Exampay, {
        examId,
        itemId,
        payStatus: 0,
        amount: 8000,
        startTime: shanghai('2026-12-20 00:00:00'),
        endTime: shanghai('2026-12-30 00:00:00'),
      })
      return { body: { id }, table: 'exampay', id }
    },
  ],
  [
    'a fee is recalled',
    '/blade-examPay/exampay/deletePay',
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await insert(t.app, Exampay, { examId, itemId, payStatus: 1, amount: 8000 })
      return { body: { id }, table: 'exampay', id }
    },
  ],
  [
    'a refund is refused',
    '/blade-payOrder/payrefund/reject',
    29009,
    async () => {
      const record = await insert(t.app, Payrecord, { payState: 3 })
      const order = await insert(t.app, Payorder, { bizType: 1, bizId: record.id, orderStatus: 1 })
      const { id } = await insert(t.app, Payrefund, { payOrderId: order.id, payRecordId: record.id, refundStatus: 0 })
      return { body: { id, reason: '材料不符' }, table: 'payrefund', id }
    },
  ],
  [
    'a tenant is removed for good',
    '/blade-system/tenant/remove',
    29001,
    async () => {
      const tenantId = `3100${String(++serial).padStart(2, '0')}`
      const bin = { tenantStatus: 2, recycleUser: '1', recycleTime: shanghai('2026-12-19 09:00:00') } as const
      const made = { ...bin, tenantId, dumpTime: shanghai('2026-12-19 10:00:00') }
      const { id } = await insert(t.app, Tenant, made)
      return { body: { ids: id, confirmNumber: tenantId }, table: 'tenant', id }
    },
  ],
  ['a tenant goes into the bin', '/blade-system/tenant/recycle', 29009, tenant(1)],
  ['a tenant comes back', '/blade-system/tenant/pass', 29009, tenant(2)],
  [
    'two people change places',
    `${exam}/allotSwap`,
    25009,
    async () => {
      const { itemId } = await seated()
      const seat = await t.db
        .selectFrom('seat_draft')
        .selectAll()
        .where('itemId', '=', itemId)
        .executeTakeFirstOrThrow()
      const free = seat.seatNo === 6 ? 5 : 6
      const body = { itemId, signupId: seat.signupId, roomId: seat.roomId, seatNo: free, seen: '' }
      return { body, table: 'examinationitem', id: itemId }
    },
  ],
  [
    'a ticket is issued anew',
    `${exam}/reissueTicket`,
    29009,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await ticketOf(t, itemId, await passed(t, examId))
      return { body: { ids: id, reason: '照片有误' }, table: 'examinationticket', id }
    },
  ],
  [
    'a ticket nobody has seen is removed',
    `${exam}/deleteTicket`,
    29001,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await ticketOf(t, itemId, await passed(t, examId), { ticketStatus: 0 })
      return { body: { ids: id }, table: 'examinationticket', id }
    },
  ],
  [
    'the tickets of a stage are removed',
    `${exam}/deleteTicket`,
    29001,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const { id } = await ticketOf(t, itemId, await passed(t, examId), { ticketStatus: 0 })
      return { body: { itemId }, table: 'examinationticket', id }
    },
  ],
  ['a refund is asked for', '/blade-payOrder/payrefund/apply', 24011, refundOf('orderNo')],
  ['a refund is asked for at its order', '/blade-payOrder/payorder/refund', 24011, refundOf('id')],
  ['a refund is asked for at its fee record', '/blade-payrecord/payrecord/refund', 24011, refundOfRecord],
  ['a refund is approved', '/blade-payOrder/payrefund/approve', 29009, slip(0)],
  ['a refund is paid back by hand', '/blade-payOrder/payrefund/byHand', 29009, slip(4, { remark: '现金' })],
  [
    'an invoice is issued',
    '/blade-payrecord/payrecord/confirmInvoice',
    24015,
    payment({ payState: 1, invoiceStatus: 1 }, { invoiceNo: 'FP1' }),
  ],
  [
    'an invoice is reversed',
    '/blade-payrecord/payrecord/redInvoice',
    29009,
    payment({ payState: 1, invoiceStatus: 2, isInvoice: 1 }),
  ],
  [
    'a fee is waived',
    '/blade-payrecord/payrecord/exempt',
    24004,
    async () => {
      const made = await payment({ payState: 0 }, {}, { orderStatus: 2 })()
      const { id: exemptFile } = await insert(t.app, Attach)
      return { ...made, body: { ...made.body, exemptReason: '低保', exemptFile } }
    },
  ],
  [
    'money is booked that was paid elsewhere',
    '/blade-payrecord/payrecord/offlinePay',
    24003,
    payment({ payState: 0 }, { remark: '收据1号' }, { orderStatus: 2 }),
  ],
  [
    'a closed record is opened again',
    '/blade-payrecord/payrecord/reopen',
    29009,
    async () => {
      const made = await paid({ payState: 5 }, { orderStatus: 2 })
      await stageRow(made.itemId, { needPay: 1, fee: 8000 })
      await insert(t.app, Exampay, {
        examId: made.examId,
        itemId: made.itemId,
        payStatus: 1,
        amount: 8000,
        startTime: shanghai('2026-12-01 00:00:00'),
        endTime: shanghai('2026-12-30 00:00:00'),
      })
      return { body: { id: made.record.id }, table: 'payrecord', id: made.record.id }
    },
  ],
  [
    'a batch of fees is removed',
    '/blade-payrecordmain/payrecordmain/remove',
    29001,
    async () => {
      const { examId, itemId } = await makeStage(t)
      const fee = await insert(t.app, Exampay, { examId, itemId, payStatus: 1, amount: 8000 })
      const { id } = await insert(t.app, Payrecordmain, { examId, itemId, exampayId: fee.id })
      return { body: { ids: id }, table: 'payrecordmain', id }
    },
  ],
  [
    'a difference is decided on',
    '/blade-reconciliation/reconciliationitem/handle',
    24017,
    async () => {
      const day = await insert(t.app, Reconciliation, {
        reconStatus: 2,
        billDate: `2026-11-${(++serial % 20) + 10}`,
      } as never)
      const { id } = await insert(t.app, Reconciliationitem, { reconId: day.id, handleStatus: 0, handleWay: null })
      return { body: { id, handleWay: '已核对' }, table: 'reconciliationitem', id }
    },
  ],
  ['a sending is paid from the balance', '/blade-send/send/useBalance', 27003, send({ sendStatus: 0 })],
  ['a sending without cost is made ready', '/blade-send/send/ready', 27003, send({ sendStatus: 0, segNum: 0 })],
  ['a sending is cancelled', '/blade-send/send/cancel', 27003, send({ sendStatus: 0 })],
  ['a sending goes out', '/blade-send/send/sendMessage', 27003, send({ sendStatus: 2 })],
  [
    'messages are tried again',
    '/blade-sendMessage/sendmessage/resend',
    29009,
    async () => {
      const { line } = await sending({ sendStatus: 5 }, { msgStatus: 3 })
      return { body: { ids: line.id, reason: '空号' }, table: 'sendmessage', id: line.id }
    },
  ],
  [
    'a receiver is taken off',
    '/blade-send/send/deleteMessage',
    29001,
    async () => {
      const { line } = await sending({ sendStatus: 0 })
      return { body: { ids: line.id }, table: 'sendmessage', id: line.id }
    },
  ],
  [
    'all receivers are taken off',
    '/blade-send/send/deleteAll',
    27004,
    async () => {
      const { row, line } = await sending({ sendStatus: 0 })
      return { body: { sendId: row.id }, table: 'sendmessage', id: line.id }
    },
  ],
  [
    'a transfer is confirmed',
    '/blade-sendPay/sendpay/sureSendPay',
    27007,
    async () => {
      const { id } = await insert(t.app, Sendpay, { sendPayStatus: 1, createUser: '1', sendId: null } as never)
      return { body: { id, remark: '已到账' }, table: 'sendpay', id }
    },
  ],
  [
    'a task is claimed',
    '/blade-flow/work/claim-task',
    29010,
    async () => {
      const { taskId } = await run({ groups: ['administrator'] })
      return { body: { taskId }, table: 'flow_task', id: taskId }
    },
  ],
  [
    'a task is done',
    '/blade-flow/work/complete-task',
    29011,
    async () => {
      const { taskId, instanceId } = await run({ assignee: one.userId })
      const body = { taskId, processInstanceId: instanceId, pass: true, comment: '同意' }
      return { body, table: 'flow_task', id: taskId }
    },
  ],
  [
    'a run is ended',
    '/blade-flow/follow/delete-process-instance',
    29009,
    async () => {
      const { instanceId } = await run({ assignee: '1' })
      const body = { processInstanceId: instanceId, deleteReason: '重复提交' }
      return { body, table: 'flow_instance', id: instanceId }
    },
  ],
  ['a process is suspended', '/blade-flow/manager/change-state', 29009, deployment({ state: 'suspend' }, 'processId')],
  ['a deployed process is taken away', '/blade-flow/manager/delete-deployment', 29001, deployment({}, 'deploymentIds')],
  ['a stage is switched off', '/blade-item/examinationitem/disable', 29009, stageRowAct({ itemStatus: 1 })],
  [
    'a webhook is put into use',
    '/blade-develop/hook/enable',
    29009,
    async () => {
      const { id } = await insert(t.app, Hook, { hookStatus: 0, secret: 'x', tenantId: '000000' } as never)
      return { body: { id, ids: id }, table: 'hook', id }
    },
  ],
  [
    'text messages are put into use',
    '/blade-resource/sms/enable',
    29009,
    async () => {
      const { id } = await insert(t.app, Sms, { category: 9, smsStatus: 0, tenantId: '000000' } as never)
      return { body: { id, ids: id }, table: 'sms', id }
    },
  ],
  [
    'a storage is put into use',
    '/blade-resource/oss/enable',
    29009,
    async () => {
      const { id } = await insert(t.app, Oss, { category: 5, ossStatus: 0, tenantId: '000000' } as never)
      return { body: { id, ids: id }, table: 'oss', id }
    },
  ],
  [
    'a locked account is opened',
    '/blade-system/user/unlock',
    29009,
    async () => {
      const lockUntil = shanghai('2099-01-01 00:00:00')
      const { id } = await insert(t.app, User, { accountStatus: 1, userType: 2, tenantId: '000000', lockUntil })
      return { body: { userIds: id }, table: 'user', id }
    },
  ],
  ['a change of data is passed', '/blade-userupdateinfo/userupdateinfo/pass', 29009, updateRequest],
  [
    'a request about personal data is finished',
    '/blade-system/datarequest/finish',
    29009,
    async () => {
      const asked = { requestStatus: 1, requestKind: 3, tenantId: '000000' } as const
      const { id } = await insert(t.app, Datarequest, { ...asked, userId: String(++serial) })
      return { body: { id, reason: '已说明' }, table: 'datarequest', id }
    },
  ],
  [
    'a claim is refused',
    '/blade-system/idclaim/reject',
    29009,
    async () => {
      const { id } = await insert(t.app, Idclaim, { claimStatus: 0, tenantId: '000000' })
      return { body: { id, remark: '材料不符' }, table: 'idclaim', id }
    },
  ],
  [
    'an exam is archived',
    `${exam}/archive`,
    29009,
    async () => {
      const state = { examStatus: 2, closeTime: shanghai('2026-12-19 09:00:00'), publicityEnd: null } as const
      const { exam: row } = await makeDraft(t, { exam: state })
      return { body: { id: row.id }, table: 'examination', id: row.id }
    },
  ],
]

describe('acts written by hand', () => {
  test.each(machines)('%s: %s, by another %i', async (_, path, refusal, make) => thrice(path, await make(), refusal))
})

describe('results', () => {
  test.each([
    ['after the stage', '2027-01-15 09:00:00', [29009]],
    ['while it is still held, by two', '2026-12-26 10:00:00', []],
  ])('are released %s', async (_, now, refusals) => {
    const { body, id } = await withResult({ reason: '提前公布' })()
    await t.db
      .updateTable('examinationitem')
      .set({ startTime: shanghai('2026-12-26 09:00:00'), endTime: shanghai('2026-12-26 11:30:00') })
      .where('id', '=', (body as { itemId: string }).itemId)
      .execute()
    t.setNow(now)
    await stayLoggedIn(t)
    const call = async (who: Caller) => (await asCaller(t, who).post(`${exam}/releaseResult`, body)).code
    expect([await call(one), await call(one)]).toEqual([200, 200])
    if (refusals.length === 0) expect([await call(other), await call(other)]).toEqual([200, 200])
    const left = [await rowOf('result', id), await traces()]
    expect(left[0]).toMatchObject({ resultStatus: 1 })
    const third = refusals.length === 0 ? await signIn(t, { role: 'administrator' }) : other
    expect([await call(one), await call(third)]).toEqual([200, 29009])
    expect([await rowOf('result', id), await traces()]).toEqual(left)
    t.setNow(drawing)
    await stayLoggedIn(t)
  })

  test('planned to come out are called off once', async () => {
    const { body } = await withResult({ reason: '有误' })()
    const { itemId } = body as { itemId: string }
    await t.db
      .insertInto('result_move')
      .values({ itemId, kind: 'release', userId: '1', time: null, dueTime: shanghai('2027-02-01 09:00:00') })
      .execute()
    const call = async (who: Caller) => (await asCaller(t, who).post(`${exam}/recallResult`, body)).code
    expect([await call(one), await call(one), await call(other)]).toEqual([200, 200, 29009])
  })
})

test('a refund that was tried again and is over answers its outcome to who has done it', async () => {
  const { record, order } = await paid({ payState: 1 })
  const state = {
    refundStatus: 3,
    updateUser: one.userId,
    errMsg: '渠道已关闭退款',
    applyUser: '1',
    amount: 8000,
  } as const
  const { id } = await insert(t.app, Payrefund, { payOrderId: order.id, payRecordId: record.id, ...state } as never)
  const call = async (who: Caller) => (await asCaller(t, who).post('/blade-payOrder/payrefund/retry', { id })).code
  expect([await call(one), await call(other)]).toEqual([200, 29009])
})

test('an invoice that is asked for twice with the same title is written once', async () => {
  const { body, id } = await payment({ payState: 1, invoiceStatus: 0 }, { invoiceType: 1, invoiceTitle: '张三' })()
  const call = async () => (await asCaller(t, one).post('/blade-payrecord/payrecord/applyInvoice', body)).code
  expect(await call()).toBe(200)
  const asked = await rowOf('payrecord', id)
  expect([await call(), await rowOf('payrecord', id)]).toEqual([200, asked])
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

/** Resources whose rows are removed by calls of their own, which stand among the machines. */
const byHand = ['signup', 'payrecordmain']

/** What rows must be like that nothing stands against removing them. */
const freely: Readonly<Record<string, () => Promise<object>>> = {
  examitems: async () => ({ examId: (await makeDraft(t)).exam.id, code: `F${++serial}` }),
  examsignitems: async () => ({ examId: (await makeDraft(t)).exam.id }),
  examsignfiles: async () => ({ examId: (await makeDraft(t)).exam.id }),
  examinetip: async () => ({ userId: one.userId }),
  result: async () => {
    const { examId, itemId } = await makeStage(t)
    return { examId, itemId, signupId: (await passed(t, examId)).id }
  },
  sendmessage: async () => ({ sendId: (await sending({ sendStatus: 0 })).row.id }),
  sendpay: async () => ({ sendPayStatus: 3, sendId: null }),
  'flow-deployment': async () => ({ deployTime: null }),
  'job-workflow-node': async () => {
    const { id: workflowId } = await insert(t.app, JobWorkflow)
    await insert(t.app, JobWorkflowNode, { workflowId })
    return { workflowId }
  },
}

const removable = (resources as readonly Resource[]).filter(
  resource => resource.can.includes('remove') && !resource.instead.remove && !byHand.includes(resource.name),
)

describe('removing', () => {
  test('is offered for many', () => expect(removable.length).toBeGreaterThan(40))

  test.each(removable.map(resource => [resource.name, resource] as const))('%s', async (name, resource) => {
    const entity = resource.entity as Entity
    const row = (await insert(t.app, entity, { tenantId: '000000', ...(await freely[name]?.()) } as never)) as {
      id: string
    }
    const { path, params } = readCall(resource.calls.remove)
    const [key = 'ids'] = params
    await thrice(
      `${resource.path}/${path}?${key}=${row.id}`,
      { body: {}, table: tableOf(entity.name), id: row.id },
      29001,
    )
  })
})

/** What keeps a call that changes something out of the table above. */
const reasons = {
  reads: 'nothing of the business changes',
  makes: 'it makes something new each time; the Idempotency-Key says that one is meant',
  sets: 'it sets values, whatever they were: the last one counts, and doing it again changes nothing',
  own: 'it is about what belongs to the caller; nobody else can meet it',
  asks: 'another system is asked, by whoever may; its answer decides',
  session: 'it is about who is signed in',
  refused: 'rows of this kind are never removed: the call always refuses, and says what to do instead',
  sheet: 'rows of a workbook are looked at one by one; the same file within ten minutes is refused (29006)',
  same: 'it is another address of an act that stands in the table',
  again: 'what it begins anew may have ended by then; the tests of workflows do it again',
  kinds: 'what it does is said by the kind of the piece; the tests of the queue do it again',
} as const

/** Calls that stand apart from the table, with the reason; the first that fits counts. */
const apart: readonly (readonly [address: RegExp, because: keyof typeof reasons])[] = [
  [/^\/sandbox\//, 'asks'],
  [/\/oauth\//, 'session'],
  [/\/work-item\/retry$/, 'kinds'],
  [/\/channel\/:accountId\/:secret$/, 'asks'],
  [/\/wechat\/callback\/:wechatId$/, 'asks'],
  [/\/pay\/wxpay\/(notify|refundNotify|queryOrder)$/, 'asks'],
  [/\/(submit|submit-list|save|update|saveUser)$/, 'sets'],
  [/\/userupdateinfo\/remove$/, 'own'],
  [/\/own-data\/(export|download|withdraw-consent)$/, 'own'],
  [/\/datarequest\/(ask|withdraw)$/, 'own'],
  [/\/preference\/change$/, 'own'],
  [/\/user\/(choose-channel|confirm-email|confirm-wechat(-visit)?|unbind-wechat)$/, 'own'],
  [/\/user\/(send-email-code|begin-wechat)$/, 'asks'],
  [/\/savedview\/(keep|drop)$/, 'own'],
  [/\/savedview\/share$/, 'sets'],
  [/\/signup\/text$/, 'makes'],
  [/\/blade-result\/resultappeal\/submit$/, 'own'],
  [/\/(arrange|grant|add-role|package-setting|setting|update-platform)$/, 'sets'],
  [/\/(examitems|examuser|examroom|user)\/change$/, 'sets'],
  [/\/(examuser|checkIn)\/(appoint|dismiss)$/, 'sets'],
  [/\/(ticket\/\w+\/)?allotSeat$/, 'sets'],
  [/\/makeNext$/, 'sets'],
  [/\/(oss|sms|mail|wechat|oauth-source|datasource|job-server|data-scope)\/(debug|test)$/, 'reads'],
  [/\/tenant\/datasource$/, 'reads'],
  [/\/(getResultTemplate|getSchoolExcel|exportSendTemplate|getMessages|getSend\w+Packages|getSendInfo)$/, 'reads'],
  [/\/(getSendPackages|getSendTemplate|precheck|reveal|claim-state|find-account)$/, 'reads'],
  [/\/(exportFilesForUser|exportPDFView|exportSignUp|exportSignUpEach)$/, 'reads'],
  [/\/noticeread\/export$/, 'reads'],
  [/\/exportpaymain\/verify$/, 'reads'],
  [/\/(import|importResult|importSchool|importTicket|importExempt|importInvoice|importMessage|import-user)$/, 'sheet'],
  [/\/reconciliation\/(again|bringBill|importBill|run)$/, 'asks'],
  [/\/payorder\/(check|checkMany)$/, 'asks'],
  [/\/send\/(checkOrder|getSendPayQrcode)$/, 'asks'],
  [/\/wxpay\/createOrder$/, 'asks'],
  [/\/job-(info|server)\/(run|run-paused|sync)$/, 'asks'],
  [/\/job-workflow\/run$/, 'makes'],
  [/\/job-workflow-run\/retry$/, 'again'],
  [/\/(copyExam|examination\/begin|copyFrom|addFromLibrary|fillMessages)$/, 'makes'],
  [/\/code\/(copy|gen-code)$/, 'makes'],
  [/\/exportpaymain\/create$/, 'makes'],
  [/\/(register|register-guest|user\/claim)$/, 'makes'],
  [/\/(start-process|deploy-upload|model\/deploy)$/, 'makes'],
  [/\/(upload|sign|arrived|put-file|put-file-attach|endpoint\/send-message|remind)$/, 'makes'],
  [/\/(readNotice|readNotify|sureNotify|readAllNotices|start-step)$/, 'own'],
  [/\/inbox\/(read|readAll)$/, 'own'],
  [/\/inbox\/(choose|plan|limit|words)$/, 'sets'],
  [/\/public\/objection\/file$/, 'makes'],
  [/\/examination\/archiveWhole$/, 'makes'],
  [/\/public\/objection\/(look|withdraw)$/, 'own'],
  [/\/(sms|mail|wechat)\/resume$/, 'sets'],
  [/\/hook\/test$/, 'asks'],
  [/\/hook\/(issue|rotate)$/, 'makes'],
  [/\/hookdelivery\/(replay|replayFailed)$/, 'sets'],
  [/\/datapurge\/(recount|resume)$/, 'sets'],
  [/\/draft\/remove$/, 'own'],
  [/\/exporttask\/(cancel|retry|seen)$/, 'own'],
  [/\/user\/(update-info|update-password|userUpdate|find-password|second-factor\/\w+)$/, 'own'],
  [/\/(savePicAndDownInfo|saveTicketDownInfo|changeAdjust)$/, 'own'],
  [/\/signup\/(withdraw|giveUp|remove)$/, 'own'],
  [/\/resultappeal\/withdraw$/, 'own'],
  [/\/checkIn\/(sync|clearRehearsal)$/, 'sets'],
  [/\/(reset-password|reset-factor)$/, 'makes'],
  [/\/examine\/claim$/, 'sets'],
  [/\/items\/changeStatus$/, 'sets'],
  [/\/role\/changeIsBack$/, 'sets'],
  [/\/sendpay\/voucher$/, 'sets'],
  [/\/(payrecord|payorder|exportpaymain|exportpay|noticeread|notifyread)\/remove$/, 'refused'],
  [/\/examinationitem\/(releasePay|recallPay|releaseTicket|releaseResult|recallResult)$/, 'same'],
  [/\/result\/(deleteResult|recallResult|releaseResult)$/, 'same'],
  [/\/examinationticket\/(reissueTicket|voidTicket)$/, 'same'],
  [/\/signup\/revoke$/, 'same'],
  [/\/process\/cancel-process-instance$/, 'own'],
  [/\/work\/read-copy$/, 'own'],
  [/\/follow\/set-variable$/, 'sets'],
]

/** Acts that are done thrice in tests of their own. */
const elsewhere: readonly (readonly [address: RegExp, file: string, title: string])[] = [
  [/\/signup\/(joinPostReductionNameList|removeNameList|savePostReductionInfoByExamId)$/, 'repeats', 'reduction'],
  [/\/postreductionname\/removeName$/, 'repeats', 'reduction'],
  [/\/examination\/releaseResult$/, 'repeats', 'are released %s'],
  [/\/payrefund\/retry$/, 'repeats', 'a refund that was tried again'],
  [/\/payrecord\/exemptMany$/, 'chosen', 'are waived all, an open order closed, with the history of each'],
  [/\/payrefund\/approveMany$/, 'chosen', 'are never those that one has asked for oneself'],
  [/\/payrecord\/applyInvoice$/, 'repeats', 'an invoice that is asked for twice'],
  [/\/idclaim\/pass$/, 'id-claim', 'of two who decide at once one does; the same person may repeat it'],
  [/\/payorder\/close$/, 'order', 'by staff closes at the channel too, and twice is once'],
  [/\/examine\/(examine|examineBatch)$/, 'review', 'answers success when the same person says the same again'],
  [/\/examine\/reviewInfo$/, 'review', 'said again by the same person is no conflict'],
  [/\/examine\/revoke$/, 'review', 'answers success to the one who has done it, and a refusal to others'],
  [/\/signup\/keepQualification$/, 'review', 'what was asked for may drop instead, once'],
  [/\/signup\/(cancelQualification|restoreQualification)$/, 'review', 'those who did it may say so again, nobody else'],
  [
    /\/work\/(unclaim|back|transfer|delegate|resolve|withdraw)-task$/,
    'flow-office',
    'said again by the same person is done once',
  ],
  [/\/work\/(add|remove)-sign$/, 'flow-office', 'said again by the same person is done once'],
  [/\/process\/urge$/, 'flow-office', 'asks to hurry once in ten minutes'],
  [/\/follow\/(retry|continue)$/, 'flow-cases', 'is tried again once'],
  [
    /\/publicity\/(send|confirm|rebuild)$/,
    'publicity',
    'what is handed on or confirmed again by the same person stays as it is',
  ],
  [
    /\/publicityrow\/(remove|omit|restore)$/,
    'publicity',
    'what is handed on or confirmed again by the same person stays as it is',
  ],
  [
    /\/objection\/(propose|revise)$/,
    'publicity',
    'is filed with a receipt, handled by two people, and answered to whoever has the number',
  ],
  [
    /\/datapurge\/(plan|confirm)$/,
    'purge',
    'does what was counted, goes on after a kill, leaves figures and chains as they were, and nothing to be found',
  ],
  [/\/menu\/tidy$/, 'tidy-menus', 'is not moved where somebody has moved it since it was looked at'],
  [/\/begin(Written|Both|Usual)$/, 'exam-begin', 'gives %s its first rows once, to whoever may'],
  [/\/examarchive\/confirm$/, 'archives', 'takes two people: whoever asked neither confirms nor asks anew'],
  [
    /\/promotion\/(ask|confirm)$/,
    'promotion',
    'goes to the next in rank when two people want it, who is told and has a time to confirm of the own',
  ],
  [
    /\/signup\/confirm$/,
    'shortlist',
    'a place is confirmed once; the same answer again is no conflict, the other one is refused',
  ],
  [/\/signup\/savePostReductionInfo$/, 'reduction-choice', 'is done once; the same again changes nothing'],
]

describe('every call that changes something', () => {
  const path = (url: string) => url.replace(/^\/api/, '').replace(/\?.*$/, '')
  const tested = new Set([
    ...acts.map(([, resource, action]) => `${resource.path}/${readCall(action.call).path}`),
    ...machines.map(([, url]) => path(url)),
    ...removable.map(resource => `${resource.path}/${readCall(resource.calls.remove).path}`),
  ])
  const others = [...apart, ...elsewhere].map(([address]) => address)
  const calls = () => [
    ...new Set(t.app.routeTable.filter(({ method }) => method === 'POST').map(({ url }) => path(url))),
  ]

  test('is done thrice, or stands apart with its reason', () => {
    const missing = calls().filter(url => !tested.has(url) && !others.some(address => address.test(url)))
    expect(missing).toEqual([])
  })

  test('has one line only, and no line is for a call that is not there', () => {
    const untested = calls().filter(url => !tested.has(url))
    const idle = others.filter(address => !untested.some(url => address.test(url)))
    expect(idle).toEqual([])
    expect([...tested].filter(url => !calls().includes(url))).toEqual([])
  })

  test.each(elsewhere)('%s is done thrice in %s', async (_, file, title) => {
    const found = filesBelow('src', 'tests').filter(one => one.endsWith(`/${file}.test.ts`))
    const texts = await Promise.all(found.map(one => readFile(one, 'utf8')))
    expect(texts.join('\n')).toContain(title)
  })
})
