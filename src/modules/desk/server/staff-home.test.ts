import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCall } from '#engine'
import { resources, views } from '#resources'
import { startSteps } from '#resources/start-list'
import { countedTodos } from '#resources/todos'
import { Auditlog } from '#schemas/audit/auditlog'
import { LogError } from '#schemas/audit/log-error'
import { DeliveryState, ExamRole, ExamUnready, PurgeStatus } from '#schemas/dictionaries'
import { Datapurge } from '#schemas/exams/datapurge'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examroom } from '#schemas/exams/examroom'
import { Examuser } from '#schemas/exams/examuser'
import { Send } from '#schemas/messages/send'
import { Sendledger } from '#schemas/messages/sendledger'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Notice } from '#schemas/notices/notice'
import { Noticeread } from '#schemas/notices/noticeread'
import { Delivery } from '#schemas/notifications/delivery'
import { Exampay } from '#schemas/payment/exampay'
import { Exportpay } from '#schemas/payment/exportpay'
import { Exportpaymain } from '#schemas/payment/exportpaymain'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { Payrefund } from '#schemas/payment/payrefund'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Postreduction } from '#schemas/reduction/postreduction'
import { Mail } from '#schemas/resource/mail'
import { Sms } from '#schemas/resource/sms'
import { Datarequest } from '#schemas/system/datarequest'
import { User } from '#schemas/system/user'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { applicant, get, makeExam, put, signApp, submit } from '../../../../tests/helper/sign-bench.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

interface Home {
  notices: { title: string; read: number }[]
  todo: { code: string; title: string; num: number; oldest: string; overdue: number; due: string; opens: string }[]
  exams: {
    id: string
    phases: string[]
    deadline: { label: string } | null
    signed: number | ''
    today: number | ''
    waiting: number | ''
  }[]
}
const home = async (who: Caller) => (await get<Home>(t, who, '/api/blade-desk/home/staff')).data

/** Somebody with one right, appointed to an exam: 2 first, 3 second review. */
async function staffOf(examId: string, examRole: 2 | 3, right: string): Promise<Caller> {
  const who = await signIn(t, { role: `home_${right}`, permissions: ['examine_list', right] })
  await insert(t.app, Examuser, { examId, userId: who.userId, examRole, enable: 1 })
  return who
}

test('a reviewer is told what waits in assigned exams, and nothing of others', async () => {
  const { exam } = await makeExam(t, { exam: { examineMode: 2 } })
  const [first, second] = [await staffOf(exam.id, 2, 'examine_act'), await staffOf(exam.id, 3, 'examine_recheck')]
  const stranger = await signIn(t, { role: 'reviewer' })
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  expect(await home(first)).toMatchObject({
    todo: [{ code: 'examine', num: 1 }],
    exams: [{ id: exam.id, phases: expect.arrayContaining(['报名中']), signed: 1, today: 1, waiting: 1 }],
  })
  expect(await home(second)).toMatchObject({ todo: [] })
  expect(await home(stranger)).toMatchObject({ todo: [], exams: [] })
  await put(t, id, { examine: 1 })
  expect((await home(first)).todo).toEqual([])
  expect((await home(second)).todo).toMatchObject([{ code: 'review', num: 1, overdue: 0, opens: '/examine/review' }])
})

test('what was handed in again waits apart from what came for the first time', async () => {
  const { exam } = await makeExam(t)
  const first = await staffOf(exam.id, 2, 'examine_act')
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  await submit(t, await applicant(t), exam.id)
  await t.db.updateTable('signup').where('id', '=', id).set({ examineTime: t.app.now() }).execute()
  const { todo } = await home(first)
  const lines = todo.map(({ code, num, opens }) => [code, num, opens])
  expect(lines.toSorted()).toEqual([
    ['again', 1, '/examine/list?chip=again'],
    ['examine', 1, '/examine/list?chip=fresh'],
  ])
  for (const { num, opens } of todo) {
    const { data } = await get<{ total: number }>(
      t,
      first,
      `/api/blade-signup/examine/getExamineList?part=wait&${opens.split('?')[1]}`,
    )
    expect(data.total).toBe(num)
  }
})

test('an exam that has not ready what begins soon waits for its managers, with what it is', async () => {
  const { exam } = await makeExam(t, {
    exam: { ticketStartTime: new Date(t.app.now().getTime() + 47 * 3_600_000), publicityStart: null },
  })
  const far = new Date(t.app.now().getTime() + 20 * 86_400_000)
  const { id } = await insert(t.app, Examinationitem, {
    examId: exam.id,
    itemStatus: 1,
    startTime: far,
    endTime: far,
    needSeat: 1,
    needTicket: 1,
    seatStatus: 1,
    ticketRelease: 0,
    ticketStartTime: null,
  })
  const manager = await signIn(t, { role: 'home_manager', permissions: ['wel', 'examination', 'examination_edit'] })
  await appoint(t, exam.id, manager)
  const found = async () => {
    const { todo } = await home(manager)
    const { data } = await get<{ records: { id: string; unready: number }[] }>(
      t,
      manager,
      `/api/blade-exam/examination/list?chip=${encodeURIComponent('未就绪')}`,
    )
    return [numOf(todo, 'examination.未就绪') ?? 0, data.records.map(one => [one.id, one.unready])]
  }
  expect(await found()).toEqual([1, [[exam.id, ExamUnready.seats]]])
  await t.db.updateTable('examinationitem').where('id', '=', id).set({ seatStatus: 2 }).execute()
  expect(await found()).toEqual([0, []])
  // Tickets are looked at a day before they can be had.
  await t.db
    .updateTable('examinationitem')
    .where('id', '=', id)
    .set({ ticketStartTime: new Date(t.app.now().getTime() + 23 * 3_600_000) })
    .execute()
  expect(await found()).toEqual([1, [[exam.id, ExamUnready.tickets]]])
})

test('with one review nothing waits for a second one', async () => {
  const { exam } = await makeExam(t, { exam: { examineMode: 1 } })
  const second = await staffOf(exam.id, 3, 'examine_recheck')
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  await put(t, id, { examine: 1 })
  expect((await home(second)).todo).toEqual([])
})

test('whoever may not see sign-ups sees no numbers of them; candidates do not come here', async () => {
  const { exam } = await makeExam(t)
  await submit(t, await applicant(t), exam.id)
  const cashier = await signIn(t, { role: 'sign_bench_cashier', permissions: ['wel', 'payrefund'] })
  await appoint(t, exam.id, cashier)
  expect(await home(cashier)).toMatchObject({ todo: [], exams: [{ id: exam.id, signed: '' }] })
  const answer = await get(t, await applicant(t), '/api/blade-desk/home/staff')
  expect(answer.status).toBe(403)
})

test('a number of the first page is the total of the list that its query asks for', async () => {
  const watch = await signIn(t, { role: 'administrator' })
  const now = t.app.now().getTime()
  const at = (days: number) => new Date(now - days * 86_400_000)
  for (const days of [1, 6, 8]) await insert(t.app, Auditlog, { event: 'alarm', time: at(days), seq: 900_000 + days })
  await insert(t.app, User, { accountStatus: 3 })
  await insert(t.app, Payrecord, { signupId: '91', invoiceStatus: 1, payState: 0, payTime: null })
  await insert(t.app, Reconciliation, { reconStatus: 2 })
  await insert(t.app, Datarequest, { userId: '61', requestStatus: 0, dueDate: wireDay(at(1)) })
  await insert(t.app, Datarequest, { userId: '62', requestStatus: 1, dueDate: wireDay(at(-1)) })
  await insert(t.app, Datarequest, { userId: '63', requestStatus: 2, handleUser: watch.userId })
  const { exam } = await makeExam(t)
  await insert(t.app, Notice, { noticeStatus: 0, examId: exam.id, scope1: 2 })
  for (const deliveryState of [DeliveryState.taken, DeliveryState.failed])
    await insert(t.app, Delivery, {
      examId: exam.id,
      deliveryState,
      sendTime: at(1),
      messageId: `9${deliveryState}`,
    })
  const { id: sendId } = await insert(t.app, Send, { examId: exam.id, sendStatus: 1 })
  // A text message that failed counts for a week; one that arrived does not.
  for (const [n, msgStatus, sendTime] of [
    [1, 3, at(1)],
    [2, 3, at(8)],
    [3, 2, at(1)],
  ] as const)
    await insert(t.app, Sendmessage, { sendId, msgStatus, sendTime, phone: samplePhone(n) } as never)
  // Of twelve messages bought nine were used within the week, which three do not last for again.
  for (const [n, changeType, num, balance] of [
    [1, 1, 12, 12],
    [2, 2, -9, 3],
  ] as const)
    await insert(t.app, Sendledger, { changeType, num, balance, refType: 'send', refId: `${n}`, createTime: at(1) })
  // A fee whose time is over and whose payment no ledger has; one that is still open; one that is in a ledger.
  for (const [n, end, isBooked] of [
    [1, at(1), false],
    [2, at(-1), false],
    [3, at(1), true],
  ] as const) {
    const { id: itemId } = await insert(t.app, Examinationitem, { examId: exam.id, itemStatus: 0, startTime: at(-9) })
    await insert(t.app, Exampay, { examId: exam.id, itemId, payStatus: 1, startTime: at(9), endTime: end })
    const bill = await insert(t.app, Payorder, { orderStatus: 1, refundAmount: null })
    const paid = {
      examId: exam.id,
      itemId,
      payState: 1,
      payTime: at(2),
      payOrderId: bill.id,
      invoiceStatus: 0,
    } as const
    const record = await insert(t.app, Payrecord, { ...paid, signupId: `99${n}` })
    if (!isBooked) continue
    const main = await insert(t.app, Exportpaymain, { examId: exam.id, itemId: null, exportStatus: 2 })
    await insert(t.app, Exportpay, { mainId: main.id, payRecordId: record.id, refundAmount: 0 })
  }
  await insert(t.app, Reconciliation, { reconStatus: 0, billDate: '2026-11-30' })
  for (const pausedTime of [at(1), null])
    await insert(t.app, Sms, { smsStatus: 1, priority: pausedTime ? 8 : 9, pausedTime })
  await insert(t.app, Mail, { mailStatus: 1, pausedTime: at(1) })
  for (const days of [0, 1]) {
    const { id: itemId } = await insert(t.app, Examinationitem, {
      examId: exam.id,
      itemStatus: 1,
      startTime: at(-days),
    })
    await insert(t.app, Examroom, { examId: exam.id, itemId, enable: 1, usedNum: 20 })
  }
  for (const planUser of [watch.userId, '17']) {
    const { exam: over } = await makeExam(t)
    await insert(t.app, Datapurge, { examId: over.id, purgeStatus: PurgeStatus.planned, planUser, planTime: at(1) })
  }
  const { todo } = await home(watch)
  expect(todo.length).toBeGreaterThan(4)
  const counts = new Map(todo.map(one => [one.code, one.num]))
  const few = [
    'notice.草稿',
    'datapurge.等我确认',
    'delivery.近7天未送达',
    'sendmessage.近7天未送达',
    'sendledger.余额不足',
    'exampay.待生成台账',
    'send.待支付',
    'reconciliation.未对账',
    'sms.已暂停',
    'mail.已暂停',
  ]
  expect([...few, 'examroom.今日无监考'].map(code => [code, counts.get(code)])).toEqual(
    [...few, 'examroom.今日无监考'].map(code => [code, 1]),
  )
  expect(counts.get('examitems.无人审核')).toBeGreaterThan(0)
  for (const { code, num, opens } of todo) {
    const [route, query] = opens.split('?')
    const screen = [...resources, ...views].find(one => one.route === route)
    if (!screen) continue
    const asked = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)) })
    if (screen.view) asked.set('view', screen.view.name)
    const page = await get<{ total: number }>(
      t,
      watch,
      `/api${screen.path}/${readCall(screen.calls.list).path}?${asked}`,
    )
    expect([code, page.data.total]).toEqual([code, num])
  }
  expect(numOf(todo, 'auditlog.近7天告警')).toBe(2)
  await t.pool.query('TRUNCATE sendledger')
  // Whoever refused a request does not confirm it.
  expect(todo.find(one => one.code === 'datarequest.待办')).toMatchObject({ num: 2, overdue: 1 })
  expect(numOf(todo, 'datarequest.等我复核')).toBeUndefined()
})

test('to-dos stand by deadline, the soonest first and what has none last', async () => {
  const tenantId = '000079'
  const head = await signIn(t, {
    role: 'home_head',
    permissions: ['datarequest_handle', 'user_audit', 'sms_enable'],
    tenantId,
  })
  // In the middle of a day of Shanghai, far ahead of all other rows.
  const noon = new Date('2031-03-05T04:00:00Z')
  const days = (n: number) => new Date(noon.getTime() + n * 86_400_000)
  await insert(t.app, User, { accountStatus: 3, createTime: noon, tenantId })
  await insert(t.app, Datarequest, { userId: '71', requestStatus: 0, dueDate: '2031-03-04', tenantId })
  await insert(t.app, Datarequest, { userId: '72', requestStatus: 0, dueDate: '2031-03-09', tenantId })
  await insert(t.app, Sms, { smsStatus: 1, pausedTime: days(-30), createTime: days(-30), tenantId })
  const { todo } = await home(head)
  expect(todo.map(({ code, due }) => [code, due])).toEqual([
    // It is overdue once its day is over.
    ['datarequest.待办', '2031-03-05 00:00:00'],
    ['user.audit.待审核', '2031-03-06 00:00:00'],
    ['sms.已暂停', ''],
  ])
})

test('finance is told of refunds to approve, invoices to issue and days with differences', async () => {
  const { exam } = await makeExam(t)
  const finance = await signIn(t, { role: 'finance' })
  await appoint(t, exam.id, finance)
  const before = (await home(finance)).todo
  const count = (all: typeof before, code: string) => numOf(all, code) ?? 0
  const record = await insert(t.app, Payrecord, {
    signupId: '92',
    examId: exam.id,
    invoiceStatus: 1,
    payState: 0,
    payTime: null,
  })
  await insert(t.app, Reconciliation, { reconStatus: 2, billDate: '2026-11-03' })
  const order = await insert(t.app, Payorder, { bizType: 1, bizId: record.id, orderStatus: 1 })
  const refund = { payOrderId: order.id, refundStatus: 0 } as const
  await insert(t.app, Payrefund, { ...refund, refundNo: 'R1', applyUser: finance.userId })
  expect(numOf((await home(finance)).todo, 'payrefund.等我批')).toBeUndefined()
  await insert(t.app, Payrefund, { ...refund, refundNo: 'R2', applyUser: '17' })
  const { todo } = await home(finance)
  // Whoever asked for a refund does not approve it.
  expect(count(todo, 'payrefund.等我批')).toBe(1)
  expect(count(todo, 'payrecord.invoice.待开票')).toBe(count(before, 'payrecord.invoice.待开票') + 1)
  expect(count(todo, 'reconciliation.有差异')).toBe(count(before, 'reconciliation.有差异') + 1)
  const board = await get<{ todo: typeof before; today: { code: string }[] }>(
    t,
    finance,
    '/api/blade-desk/home/dashboard',
  )
  expect(board.data.todo).toEqual(todo)
  expect(board.data.today.map(one => one.code)).toEqual(expect.arrayContaining(['paid', 'income']))
})

test('whoever sees every sign-up but is appointed to none has no review waiting: the list is empty, too', async () => {
  const { exam } = await makeExam(t)
  await submit(t, await applicant(t), exam.id)
  const head = await signIn(t, { role: 'administrator' })
  expect(numOf((await home(head)).todo, 'examine')).toBeUndefined()
  const list = await get<{ total: number }>(t, head, '/api/blade-signup/examine/getExamineList?part=wait')
  expect(list.data.total).toBe(0)
})

test('what a to-do needs is a permission that can be granted', async () => {
  const { rows } = await t.pool.query<{ code: string }>('SELECT code FROM menu WHERE "isDeleted" = 0')
  const granted = new Set(rows.map(({ code }) => code))
  const needed = [
    ...[...resources, ...views].flatMap(one => Object.values(one.todos).map(({ needs = one.code }) => needs)),
    ...Object.values(countedTodos).map(({ needs }) => needs),
  ]
  expect(needed.filter(code => !granted.has(code))).toEqual([])
})

test('the three latest notices stand on the first page, with what the person has read', async () => {
  const who = await signIn(t, { role: 'home_reader', permissions: ['wel'], tenantId: '000078' })
  const now = t.app.now().getTime()
  const ids: string[] = []
  for (const [at, title] of ['first', 'second', 'third', 'fourth'].entries()) {
    const releaseTime = new Date(now - (9 - at) * 60_000)
    const out = { scope1: 5, noticeStatus: 1, isTop: 0, endTime: null, releaseTime } as const
    ids.push((await insert(t.app, Notice, { ...out, title, tenantId: '000078' })).id)
  }
  await insert(t.app, Notice, {
    title: 'elsewhere',
    scope1: 5,
    noticeStatus: 1,
    endTime: null,
    releaseTime: new Date(now),
  })
  const told = async () => (await home(who)).notices.map(({ title, read }) => [title, read])
  expect(await told()).toEqual([
    ['fourth', 0],
    ['third', 0],
    ['second', 0],
  ])
  await insert(t.app, Noticeread, { noticeId: ids[2], userId: who.userId, tenantId: '000078' })
  expect(await told()).toEqual([
    ['fourth', 0],
    ['third', 1],
    ['second', 0],
  ])
})

interface Board extends Home {
  exams: (Home['exams'][number] & { stages: { phase: string; state: string }[] })[]
  today: { code: string; num: number }[]
  line: { time: string; num: number; total: number }[]
  health: { code: string; num: number; isBad: boolean }[]
}
const board = async (who: Caller) => (await get<Board>(t, who, '/api/blade-desk/home/dashboard')).data
const numOf = (of: readonly { code: string; num: number }[], code: string) => of.find(one => one.code === code)?.num

test('the dashboard shows the last days, and of today what the person may know', async () => {
  const { exam } = await makeExam(t)
  const reviewer = await staffOf(exam.id, 2, 'examine_act')
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  const old = (await submit(t, await applicant(t), exam.id)).data
  const yesterday = new Date(t.app.now().getTime() - 86_400_000)
  const change = (which: string) => t.db.updateTable('signup').where('id', '=', which)
  await change(old.id).set({ submitTime: yesterday }).execute()
  await change(id).set({ examine: 3, examineTime: t.app.now() }).execute()
  const seen = await board(reviewer)
  expect(seen.today).toEqual([
    { code: 'submitted', num: 1 },
    { code: 'examined', num: 1 },
  ])
  expect(seen.line).toHaveLength(14)
  expect(seen.line.slice(-2)).toMatchObject([
    { num: 1, total: 1 },
    { num: 1, total: 2 },
  ])
  expect(seen.exams[0]?.stages).toContainEqual(expect.objectContaining({ phase: '报名中', state: 'open' }))
  expect(seen.health).toEqual([])
})

test('money of today is told to finance only, and how the system does to whoever reads its errors', async () => {
  const { exam } = await makeExam(t)
  const cashier = await signIn(t, { role: 'home_cashier', permissions: ['wel', 'payrecord'] })
  await appoint(t, exam.id, cashier)
  const paid = { examId: exam.id, payState: 1, amount: 12_300, payTime: t.app.now() } as const
  await insert(t.app, Payrecord, paid)
  await insert(t.app, Payrecord, { ...paid, signupId: '2', payTime: new Date(t.app.now().getTime() - 86_400_000) })
  await insert(t.app, LogError, { exceptionName: 'Error', createTime: t.app.now() })
  await insert(t.app, Sendmessage, { msgStatus: 3, sendTime: t.app.now() })
  expect((await board(cashier)).today).toEqual([
    { code: 'paid', num: 1 },
    { code: 'income', num: 12_300 },
  ])
  const watch = await board(await signIn(t, { role: 'administrator' }))
  expect(watch.health).toContainEqual({ code: 'errors', num: 1, isBad: true })
  expect(watch.health).toContainEqual({ code: 'balance', num: 0, isBad: true })
  expect(numOf(watch.health, 'disk')).toBeGreaterThanOrEqual(0)
  expect(numOf(watch.today, 'income')).toBe(12_300)
  const elsewhere = await signIn(t, { role: 'home_elsewhere', permissions: ['log_error'], tenantId: '000077' })
  const far = await board(elsewhere)
  expect([numOf(far.health, 'disk'), numOf(far.health, 'errors'), far.exams]).toEqual([undefined, 0, []])
})

test('a new installation gives its administrator a start list until it is done or put away', async () => {
  type Start = { start: { code: string; done: boolean }[] | null }
  const tenantId = '000000'
  await t.pool.query('UPDATE examination SET "isDeleted" = 1 WHERE "tenantId" = $1', [tenantId])
  const root = await signIn(t, { role: 'administrator' })
  const startOf = async (who: Caller) => (await get<Start>(t, who, '/api/blade-desk/home/staff')).data.start
  const tick = (code: string, done: boolean) =>
    t.call({ method: 'POST', url: '/api/blade-desk/home/start-step', headers: root.headers, payload: { code, done } })
  const stateOf = async (code: string) => (await startOf(root))?.find(step => step.code === code)?.done
  expect((await startOf(root))?.map(({ code }) => code)).toEqual(startSteps.map(({ code }) => code))
  expect(await startOf(await signIn(t, { role: 'reviewer' }))).toBeFalsy()
  expect(await stateOf('exam')).toBe(false)
  await makeExam(t)
  expect(await stateOf('exam')).toBe(true)
  expect(await stateOf('backup')).toBe(false)
  expect((await tick('backup', true)).code).toBe(200)
  expect(await stateOf('backup')).toBe(true)
  expect((await tick('backup', false)).code).toBe(200)
  expect(await stateOf('backup')).toBe(false)
  expect((await tick('nothing', true)).code).toBe(29005)
  expect((await tick('*', true)).code).toBe(200)
  expect(await startOf(root)).toBeFalsy()
})

test('a proxy that nobody trusts is told once in the log and on the panel of whoever sees the errors, not to strangers', async () => {
  const lines: string[] = []
  const proxied = await testApp({ config: { logTo: line => lines.push(line) } })
  try {
    const signs = async (who: Caller) =>
      (
        await proxied.call<{ health: { code: string; num: number }[] }>({
          url: '/api/blade-desk/home/dashboard',
          headers: who.headers,
        })
      ).data.health.filter(one => one.code === 'proxies')
    const [root, exams] = [
      await signIn(proxied, { role: 'administrator' }),
      await signIn(proxied, { role: 'exam_admin' }),
    ]
    expect(await signs(root)).toEqual([])
    for (const from of ['203.0.113.1', '203.0.113.2'])
      await proxied.app.inject({ url: '/api/public/site', headers: { 'x-forwarded-for': from } })
    expect(lines.filter(line => line.includes('TRUST_PROXY'))).toHaveLength(1)
    expect(await signs(root)).toMatchObject([{ num: 1, isBad: true }])
    expect(await signs(exams)).toEqual([])
    expect(JSON.stringify(await proxied.call('/api/public/health'))).not.toMatch(/prox|127\.0/)
  } finally {
    await proxied.close()
  }
  const trusted = await testApp({ config: { trustProxy: ['loopback'], logTo: line => lines.push(line) } })
  await trusted.app.inject({ url: '/api/public/site', headers: { 'x-forwarded-for': '203.0.113.3' } })
  expect((await trusted.pool.query(`SELECT key FROM throttle WHERE key LIKE 'proxy:%'`)).rows).toEqual([])
  await trusted.close()
})

test('a decided reduction waits for somebody else, and a proctor has the rooms of today', async () => {
  const { exam } = await makeExam(t)
  const watch = await signIn(t, { role: 'administrator' })
  const plan = await insert(t.app, Postreduction, { examId: exam.id, code: 'A01', decision: 1, confirmTime: null })
  const waits = async () => (await home(watch)).todo.find(one => one.code === 'reduction')?.num ?? 0
  expect(await waits()).toBe(1)
  const change = (set: string) => t.pool.query(`UPDATE postreduction SET ${set} WHERE id = ${plan.id}`)
  await change(`"updateUser" = ${watch.userId}`)
  expect(await waits()).toBe(0)
  await change(`"updateUser" = 1, "confirmTime" = now()`)
  expect(await waits()).toBe(0)
  const now = t.app.now()
  const proctor = await signIn(t, { role: 'desk_proctor', permissions: ['wel', 'checkin', 'checkin_act'] })
  const endTime = new Date(now.getTime() + 3_600_000)
  const { id: itemId } = await insert(t.app, Examinationitem, { examId: exam.id, startTime: now, endTime })
  const room = await insert(t.app, Examroom, { examId: exam.id, itemId, enable: 1, usedNum: 20 })
  await insert(t.app, Examuser, { examId: exam.id, userId: proctor.userId, examRole: ExamRole.proctor, enable: 1 })
  const rooms = async () => (await home(proctor)).todo.map(({ code, num, opens }) => [code, num, opens])
  expect(await rooms()).toEqual([])
  await t.pool.query(
    `INSERT INTO room_proctor ("roomId", "userId", "createUser", "createTime") VALUES (${room.id}, ${proctor.userId}, 1, now())`,
  )
  expect(await rooms()).toEqual([['rooms', 1, '/ticket/checkin']])
})
