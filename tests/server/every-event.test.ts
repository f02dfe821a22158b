import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AnyTransition,
  type Condition,
  type Entity,
  type Field,
  type Resource,
  tableOf,
  transitionsOf,
} from '#engine'
import { resources } from '#resources'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { dictionaries } from '#schemas'
import { ExamarchiveStatus } from '#schemas/dictionaries'
import { Examarchive } from '#schemas/exams/examarchive'
import { Examination } from '#schemas/exams/examination'
import { Notice } from '#schemas/notices/notice'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Mail } from '#schemas/resource/mail'
import { Sms } from '#schemas/resource/sms'
import { Wechat } from '#schemas/resource/wechat'
import { Contact } from '#schemas/system/contact'
import { User } from '#schemas/system/user'
import { Userupdateinfo } from '#schemas/system/userupdateinfo'
import { Ticketnotice } from '#schemas/tickets/ticketnotice'
import { Hook } from '#schemas/webhooks/hook'
import { Hookdelivery } from '#schemas/webhooks/hookdelivery'
import type { ExportKind } from '../../src/crud/export-kind.ts'
import { makeTransition } from '../../src/crud/transition.ts'
import { digestDue } from '../../src/modules/desk/server/digest.ts'
import { followWindows } from '../../src/modules/payment/server/fee-windows.ts'
import { letExpire } from '../../src/modules/privacy/server/expiry.ts'
import { expireChoices } from '../../src/modules/reduction/server/expire-choices.ts'
import { deliverDue } from '../../src/modules/webhooks/server/deliver.ts'
import { mailHash } from '../../src/platform/accounts/server/contacts.ts'
import { type ChannelTable, pauseAccount } from '../../src/platform/channels/pause.ts'
import { setFault } from '../../src/platform/channels/pay/sandbox/orders.ts'
import { tellTrouble } from '../../src/platform/channels/sms/trouble.ts'
import { liveFor } from '../../src/platform/database/live.ts'
import { Refusal, refuse } from '../../src/platform/http/server/refusal.ts'
import { shanghai } from '../helper/app.ts'
import { asCaller, drafting, makeDraft } from '../helper/exam-bench.ts'
import { lines } from '../helper/flow-bench.ts'
import { FlowBench } from '../helper/flow-runs.ts'
import { encrypt, makeUser, password, solved } from '../helper/login.ts'
import { contextOf, morning, notify, order, owing, payApp, payAt } from '../helper/pay-exam.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { choose, cutAll, makeCutExam, makePassed, reduceTimes } from '../helper/reduction-bench.ts'
import {
  addInterview,
  makeWritten,
  marking,
  resultsOf,
  resultTimes,
  scoreStaff,
  sitterWithAccount,
  ticketOf,
} from '../helper/result-bench.ts'
import { insert, sampleIdCard, samplePhone } from '../helper/sample.ts'
import { candidateOf, drawing, makeStage, passed } from '../helper/seat-bench.ts'
import { addTo, give, makeDraft as makeSending, makeTemplate, sendOut } from '../helper/send-bench.ts'
import { applicant, at, makeExam, reviewer, submit, times } from '../helper/sign-bench.ts'

// Each event that people are told of happens once where its act is done, and none where a state forbids the act. Both are taken from the
// definitions: an event without an act here fails, and so does an act that no event follows any more.

let t: Awaited<ReturnType<typeof payApp>>
let staff: Caller
let second: Caller
beforeAll(async () => {
  t = await payApp()
  staff = await signIn(t, { role: 'administrator' })
  second = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

/** The rows to which an event has happened, or any, as often as it has. */
const happened = async (code?: string): Promise<readonly string[]> => {
  const rows = t.db.selectFrom('event').select(['id', 'subjectId'])
  return (await (code ? rows.where('code', '=', code) : rows).orderBy('id').execute()).map(one => String(one.subjectId))
}

/** Does something by a call that has to succeed. */
async function act<T = Record<string, unknown>>(who: Caller, path: string, body: object = {}): Promise<T> {
  const answer = await asCaller(t, who).post<T>(path, body)
  expect([path, answer.code, answer.msg]).toEqual([path, 200, answer.msg])
  return answer.data
}

let serial = 8000
const exam = '/blade-exam/examination'

/** An account that has registered. @param isAudited waits for somebody to look at it */
async function registered(isAudited: boolean): Promise<string> {
  const audit = (paramValue: string) =>
    t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'register.audit').execute()
  await at(t, morning)
  if (isAudited) await audit('1')
  serial++
  const form = {
    username: `teller${serial}`,
    password: encrypt(t, 'Abcd1234x'),
    password2: encrypt(t, 'Abcd1234x'),
    realName: '陈阿明',
    phone: samplePhone(serial),
    idType: '1',
    idCard: sampleIdCard(serial),
    consentVersion: '1',
  }
  const url = '/api/blade-system/user/register'
  const { code, data } = await t.call<{ userId: string }>({
    method: 'POST',
    url,
    headers: await solved(t),
    payload: form,
  })
  expect(code).toBe(200)
  if (isAudited) await audit('0')
  return data.userId
}

/** A sign-up that has been handed in, in an exam that is reviewed once or twice. */
async function handedIn(examineMode: 1 | 2 = 1) {
  await at(t, times.inside)
  const made = await makeExam(t, { exam: { examineMode } })
  const who = await applicant(t)
  const { id } = (await submit(t, who, made.exam.id)).data
  return { ...made, who, id: String(id), first: await reviewer(t, made.exam.id, 2) }
}
const examine = '/blade-signup/examine'
const review = (who: Caller, signUpId: string, examineResult: number) =>
  act(who, `${examine}/examine`, {
    signUpId,
    examineResult,
    examineResultRemark: examineResult === 1 ? '' : '请补证书',
  })

const reviewed =
  (result: number, mode: 1 | 2 = 1) =>
  async () => {
    const made = await handedIn(mode)
    await review(made.first, made.id, result)
    return made
  }

/** A sign-up that somebody wants to strike off, and who may agree. */
async function accused() {
  const made = await handedIn()
  const [officer, head] = [await signIn(t, { role: 'admin' }), await signIn(t, { role: 'admin' })]
  const strike = (who: Caller) =>
    act(who, `/blade-signup/signup/cancelQualification?id=${made.id}`, { reason: '材料造假' })
  await strike(officer)
  return { ...made, head, strike }
}

/** A sign-up that two people have struck off. */
async function struck() {
  const made = await accused()
  await made.strike(made.head)
  return made
}

/** People who have to choose another position, inside the window. */
async function choosing() {
  await at(t, reduceTimes.computing)
  const made = await makeCutExam(t)
  const mine = await makePassed(t, made.exam.id, 'A01')
  for (const code of ['B01', 'B01', 'B02', 'B02']) await makePassed(t, made.exam.id, code)
  expect((await cutAll(t, made.exam.id, made.staff, made.admin)).code).toBe(200)
  await at(t, reduceTimes.inside)
  return { ...made, mine }
}
async function chosen() {
  const made = await choosing()
  expect((await choose(t, made.mine.who, made.mine.id, 'B01')).code).toBe(200)
  return { ...made, first: await reviewer(t, made.exam.id, 2) }
}

/** Somebody who owes a fee now. */
async function debtor() {
  await at(t, morning)
  const one = await owing(t)
  const record = '/blade-payrecord/payrecord'
  const byHand = () => act(staff, `${record}/offlinePay?id=${one.recordId}`, { remark: '现金' })
  const title = { invoiceType: 2, invoiceTitle: '某某医院', taxNo: '91350100m000100y43', invoiceEmail: 'a@b.cn' }
  const askInvoice = () => act(one.caller, `${record}/applyInvoice`, { id: one.recordId, ...title })
  return { ...one, record, byHand, askInvoice }
}
/** Somebody who has paid at the channel. */
async function payer(told: object = {}) {
  const one = await debtor()
  const made = (await order(t, one.caller, one.recordId)).data
  await setFault(t.pool, made.orderNo, { times: 0 })
  await payAt(made.codeUrl)
  await notify(t, made.orderNo, told)
  return { ...one, orderNo: made.orderNo }
}
const refunds = '/blade-payOrder/payrefund'
/** Somebody whose money is asked back. */
async function refund(fault?: object) {
  const one = await payer()
  await act(staff, `${refunds}/apply`, { orderNo: one.orderNo, reason: '放弃考试' })
  if (fault) await setFault(t.pool, one.orderNo, { times: 0, ...fault })
  const { id } = await t.db
    .selectFrom('payrefund')
    .select('id')
    .where('payRecordId', '=', one.recordId)
    .executeTakeFirstOrThrow()
  return { ...one, refundId: id }
}
const approved = (fault?: object) => async () => {
  const { refundId } = await refund(fault)
  await asCaller(t, second).post(`${refunds}/approve?id=${refundId}`)
}

/** A stage in a state, with a ticket of somebody. */
async function stage(state: object) {
  await at(t, drawing)
  const made = await makeStage(t)
  const { caller, signup } = await candidateOf(t, made.examId)
  const ticket = await ticketOf(t, made.itemId, signup)
  await t.db.updateTable('examinationitem').set(state).where('id', '=', made.itemId).execute()
  return { ...made, caller, signup, ticket }
}
const stageAct =
  (name: string, state: object, body: object = {}) =>
  async () => {
    const { itemId } = await stage(state)
    await act(staff, `${exam}/${name}`, { itemId, ...body })
  }
const paper =
  (name: string, body: object = {}) =>
  async () => {
    const { examId, itemId, signup } = await stage({ seatStatus: 2, ticketRelease: 1 })
    const { id } = await insert(t.app, Ticketnotice, { examId, itemId, signupId: signup.id, picState: 2 } as never)
    await act(staff, `/blade-ticketNotice/ticketnotice/${name}?ids=${id}`, body)
  }

/** A score that is out, for somebody with an account. */
async function scored({ interview = false, score = '70' } = {}) {
  await at(t, marking)
  const made = await makeWritten(t, { post: { interviewRatio: '1.00' } })
  if (interview) await addInterview(t, made)
  const people = [await sitterWithAccount(t, made), await sitterWithAccount(t, made)]
  const mine = scoreStaff(t, staff)
  const take = (value: string) =>
    mine.take(
      made.itemId,
      people.map(({ ticket }, i) => ({ 准考证号: ticket.ticketNo, 成绩: String(Number(value) - i) })),
      '2',
    )
  await take(score)
  await at(t, resultTimes.resultTime)
  const out = (who = staff) => act(who, `${exam}/releaseResult`, { itemId: made.itemId })
  const back = () => act(staff, `${exam}/recallResult`, { itemId: made.itemId, reason: '统分有误' })
  return { ...made, people, take, out, back }
}

/** A shortlist of one, which is to be confirmed, and somebody who is next. */
async function confirmable() {
  const made = await scored({ interview: true })
  await t.pool.query('UPDATE examinationitem SET "confirmEndTime" = $2 WHERE id = $1', [
    made.itemId,
    shanghai('2027-02-01 09:00:00'),
  ])
  // The interview is to come.
  await t.pool.query(
    `UPDATE examinationitem SET "startTime" = '2027-03-01', "endTime" = '2027-03-02' WHERE "examId" = $1 AND id <> $2`,
    [made.examId, made.itemId],
  )
  await made.out()
  const { itemId } = made
  const answer = (yes: boolean) =>
    act(made.people[0]?.caller as Caller, '/blade-signup/signup/confirm', { itemId, yes })
  return { ...made, answer }
}
async function appealed() {
  const made = await scored()
  await made.out()
  const [result] = await resultsOf(t, made.itemId)
  const owner = made.people.find(({ signup }) => signup.id === result?.signupId)
  const { id } = await act<{ id: string }>(owner?.caller as Caller, '/blade-result/resultappeal/submit', {
    resultId: result?.id,
    reason: '怀疑漏判',
  })
  return { id, examId: made.examId }
}

/** A list on public notice. */
async function published() {
  await at(t, '2027-02-01 09:00:00')
  const made = await makeWritten(t)
  await passed(t, made.examId)
  const base = '/blade-publicity/publicity'
  await act(staff, `${base}/submit`, {
    examId: made.examId,
    publicityKind: 1,
    title: '资格审核结果公示',
    basis: '招聘公告',
    contactPhone: '0591-87654321',
  })
  const { id } = await t.db
    .selectFrom('publicity')
    .select('id')
    .where('examId', '=', made.examId)
    .executeTakeFirstOrThrow()
  await act(staff, `${base}/send`, { id })
  await act(second, `${base}/confirm`, { id })
  return id
}

/** Somebody's wish about personal data. */
async function wish() {
  await at(t, morning)
  const who = await signIn(t, { role: 'candidate' })
  await act(who, '/blade-system/datarequest/ask', { requestKind: 3, content: '请清除' })
  const { id } = await t.db
    .selectFrom('datarequest')
    .select('id')
    .where('userId', '=', who.userId)
    .executeTakeFirstOrThrow()
  return id
}

/** An exam that is archived. */
async function archived(): Promise<void> {
  await at(t, drawing)
  const state = { examStatus: 2, closeTime: shanghai('2026-12-19 09:00:00'), publicityEnd: null } as const
  const { exam: row } = await makeDraft(t, { exam: state })
  await act(staff, `${exam}/archive`, { id: row.id })
}

/** An objection that somebody has filed against a list on public notice. */
async function objected(): Promise<string> {
  const list = await published()
  const form = new FormData()
  const given = {
    list,
    kind: '1',
    content: '学历不符合岗位要求',
    named: '0',
    captchaKey: (await solved(t))['captcha-key'] ?? '',
    captcha: 'abcde',
  }
  for (const [name, value] of Object.entries(given)) form.set(name, value)
  const answer = await t.app.inject({ method: 'POST', url: '/public/objection/file', payload: form as never })
  expect(answer.statusCode).toBe(200)
  const { id } = await t.db
    .selectFrom('objection')
    .select('id')
    .where('publicityId', '=', list)
    .executeTakeFirstOrThrow()
  return id
}

/** A process that has come to a task of some people. */
async function begun(key: string, who: string) {
  await at(t, morning)
  const bench = await new FlowBench(t).open()
  const doers = who.includes(',') ? `flowable:candidateUsers="${who}"` : `flowable:assignee="${who}"`
  const inside = `<startEvent id="s"/><userTask id="t" name="审" ${doers}/><endEvent id="z"/>${lines('s>t', 't>z')}`
  return { bench, run: await bench.begin(await bench.deploy(key, inside)) }
}

/** A file that somebody has asked for and that is made in the background. @param fails by a refusal */
async function exported(kind: { isOwnData?: true; fails?: true }): Promise<void> {
  const name = `walk ${Object.keys(kind).join()}`
  const made: ExportKind = {
    name,
    ...(kind.isOwnData && { isOwnData: true }),
    atOnce: 0,
    access: () => ({ permission: 'school_export', url: '/walk' }),
    count: async () => 1,
    async make(_app, _order, counted) {
      if (kind.fails) throw refuse('exams.notFound')
      return { name: 'walk.txt', contentType: 'text/plain', bytes: Readable.from(counted(Readable.from(['a']))) }
    },
  }
  t.app.exports.add(made)
  const who = await signIn(t, { role: 'exporter', permissions: ['school', 'school_export'] })
  const { roleId } = await t.db
    .selectFrom('user')
    .select('roleId')
    .where('id', '=', who.userId)
    .executeTakeFirstOrThrow()
  const person = { userId: who.userId, tenantId: '000000', roleIds: [roleId], deptIds: [] } as never
  await t.app.exports.ask(person, made, {}, { bizType: 'test', title: '测试', params: {} })
  await t.app.queue.workOff()
}

/** A notice that candidates have to confirm. */
async function toConfirm(): Promise<string> {
  await at(t, times.inside)
  const { exam: row } = await makeExam(t)
  await submit(t, await applicant(t), row.id)
  const { id } = await insert(t.app, Notice, {
    title: '须知',
    noticeStatus: 0,
    noticeType: 2,
    scope1: 2,
    scope2: row.id,
    examId: row.id,
    needSure: 1,
    releaseTime: t.app.now(),
  })
  await act(staff, `/blade-desk/notice/release?id=${id}`)
  return id
}

/** An account of a channel that fails. */
const pausedAccount = (table: ChannelTable, entity: Entity, state: object) => async () => {
  await at(t, morning)
  await t.db
    .updateTable(table)
    .set({ [`${table}Status`]: 0 } as never)
    .execute()
  const { id } = await insert(t.app, entity as typeof Sms, { ...state, pausedTime: null, pauseReason: null } as never)
  await pauseAccount(t.app, table, { id, tenantId: '000000' }, '密钥错误')
}

/** An act after which an event has happened, once. */
type Walk = () => Promise<unknown>

const walks: Readonly<Record<string, Walk>> = {
  'examination.released': async () => {
    await at(t, drafting)
    const { exam: row } = await makeDraft(t)
    await act(staff, `${exam}/releaseExam`, { id: row.id })
  },
  'examination.closed': async () => {
    await at(t, drafting)
    const { exam: row } = await makeDraft(t, { exam: { examStatus: 1 } })
    await act(staff, `${exam}/closeExam`, { id: row.id, reason: '疫情' })
  },
  'examination.reopened': async () => {
    await at(t, drafting)
    const { exam: row } = await makeDraft(t, { exam: { examStatus: 2 } })
    await act(staff, `${exam}/releaseExam`, { id: row.id, reason: '恢复' })
  },
  'examination.windowMoved': async () => {
    await at(t, times.inside)
    const { exam: row } = await makeDraft(t, { exam: { examStatus: 1 } })
    await act(staff, `${exam}/submit`, { id: row.id, version: 0, signEndTime: '2026-12-06 17:00:00' })
  },
  'examination.archived': archived,
  'examination.archiveMade': archived,
  'examination.textsHeld': async () => {
    await at(t, morning)
    const { id: examId } = await insert(t.app, Examination, { examStatus: 1, textMost: null } as never)
    await act(staff, '/blade-desk/inbox/limit', { examId, most: 0 })
    const { id: templateId } = await makeTemplate(t, { smsCode: 'limited' })
    const id = await makeSending(t, staff, templateId, { examId })
    await addTo(t, staff, id, samplePhone(1))
    await give(t, 5)
    await act(staff, `/blade-send/send/useBalance?id=${id}`)
    await act(staff, `/blade-send/send/sendMessage?id=${id}`)
    await sendOut(t)
  },
  'examinationitem.placeChanged': async () => {
    const { itemId } = await stage({ seatStatus: 2, ticketRelease: 2 })
    await act(staff, '/blade-item/examinationitem/submit', { id: itemId, place: '清源二中' })
  },
  'examinationitem.windowMoved': async () => {
    const { itemId } = await stage({ ticketEndTime: null })
    await act(staff, '/blade-item/examinationitem/submit', { id: itemId, ticketEndTime: '2027-01-09 08:00:00' })
  },
  'examinationitem.ticketsReleased': stageAct('releaseTicket', { seatStatus: 2 }),
  'examinationitem.ticketsRecalled': stageAct(
    'recallTicket',
    { seatStatus: 2, ticketRelease: 1 },
    { reason: '时间有误' },
  ),
  'examinationitem.resultsReleased': async () => (await scored()).out(),
  'examinationitem.resultsRecalled': async () => {
    const { out, back } = await scored()
    await out()
    await back()
  },
  'datapurge.planned': async () => {
    await at(t, '2027-03-01 09:00:00')
    const archiveTime = shanghai('2025-01-15 09:00:00')
    const { exam: row } = await makeDraft(t, { exam: { examStatus: 3, archiveTime, publicityEnd: archiveTime } })
    await passed(t, row.id)
    await act(staff, `${exam.replace('examination', 'datapurge')}/submit`, { examId: row.id })
    const { id } = await t.db
      .selectFrom('datapurge')
      .select('id')
      .where('examId', '=', row.id)
      .executeTakeFirstOrThrow()
    await act(staff, `/blade-exam/datapurge/plan?id=${id}`)
  },
  'examarchive.dropped': async () => {
    await at(t, drafting)
    const { exam: row } = await makeDraft(t)
    const askUser = await makeUser(t, { role: 'reviewer' })
    const asked = { examId: row.id, reason: '归档', examarchiveStatus: ExamarchiveStatus.pending, askUser }
    const { id } = await insert(t.app, Examarchive, asked as never)
    await act(staff, `${exam.replace('examination', 'examarchive')}/drop?id=${id}`, { reason: '公示未结束' })
  },
  'examuser.appointed': async () => {
    await at(t, drafting)
    const { exam: row } = await makeDraft(t)
    const userId = await makeUser(t, { role: 'reviewer' })
    await act(staff, '/blade-examUser/examuser/submit', { examId: row.id, userId, examRole: 2, enable: 1 })
  },

  'signup.submitted': () => handedIn(),
  'signup.resubmitted': async () => {
    const { who, exam: row, id } = await reviewed(3)()
    expect((await submit(t, who, row.id, { id })).code).toBe(200)
  },
  'signup.left': async () => {
    const { who, id } = await handedIn()
    await act(who, `/blade-signup/signup/withdraw`, { id })
  },
  'signup.firstPassed': reviewed(1, 2),
  'signup.passed': reviewed(1),
  'signup.returned': reviewed(3),
  'signup.refused': reviewed(2),
  'signup.reviewUndone': async () => {
    const { first, id } = await reviewed(3)()
    await act(first, `${examine}/revoke`, { signUpId: id, reason: '误操作' })
  },
  'signup.strikeNotice': accused,
  'signup.strikeDropped': async () => {
    const { id, head } = await accused()
    await act(head, '/blade-signup/signup/keepQualification', { signUpId: id, reason: '申辩成立' })
  },
  'signup.struck': struck,
  'signup.restored': async () => {
    const { id, head } = await struck()
    await act(head, `/blade-signup/signup/restoreQualification?id=${id}`, { reason: '复核属实' })
  },
  'signup.shortlisted': async () => (await scored({ interview: true })).out(),
  'signup.confirmed': async () => (await confirmable()).answer(true),
  'signup.declined': async () => (await confirmable()).answer(false),
  'signup.promoted': async () => {
    const { itemId, people, answer } = await confirmable()
    await answer(false)
    const base = '/blade-result/promotion'
    const { id } = await act<{ id: string }>(staff, `${base}/ask`, {
      itemId,
      code: 'A01',
      reason: '前一名放弃',
      until: '2027-02-10 09:00:00',
      signupIds: [people[1]?.signup.id],
    })
    const other = await signIn(t, { role: 'admin' })
    await act(other, `${base}/confirm?id=${id}`)
  },
  'signup.notShortlisted': async () => (await scored({ interview: true })).out(),
  'signup.mustChoose': choosing,
  'signup.takenOff': async () => {
    await at(t, reduceTimes.computing)
    const { exam: row, staff: officer } = await makeCutExam(t)
    const { id } = await makePassed(t, row.id, 'A01')
    for (const name of ['joinPostReductionNameList', 'removeNameList'])
      await act(officer, `/blade-signup/signup/${name}`, { signupId: id })
  },
  'signup.chosen': chosen,
  'signup.choicePassed': async () => {
    const { first, mine } = await chosen()
    await review(first, mine.id, 1)
  },
  'signup.choiceRefused': async () => {
    const { first, mine } = await chosen()
    await review(first, mine.id, 2)
  },
  'signup.choiceLapsed': async () => {
    await choosing()
    await at(t, reduceTimes.end)
    await expireChoices(t.app, t.app.now())
  },

  'payrecord.opened': debtor,
  'payrecord.urged': async () => {
    const { record, recordId } = await debtor()
    await act(staff, `${record}/remind?ids=${recordId}`)
  },
  'payrecord.exempted': async () => {
    const { record, recordId } = await debtor()
    const exemptFile = (await applicant(t)).photo
    await act(staff, `${record}/exempt`, { id: recordId, exemptReason: '低保', exemptFile })
  },
  'payrecord.closed': async () => {
    await debtor()
    await at(t, '2026-12-05 18:00:01')
    await followWindows(contextOf(t))
  },
  'payrecord.reopened': async () => {
    const { record, recordId, fee } = await debtor()
    await at(t, '2026-12-05 18:00:01')
    await followWindows(contextOf(t))
    const endTime = shanghai('2026-12-08 18:00:00')
    await t.db.updateTable('exampay').set({ endTime }).where('id', '=', fee.id).execute()
    await act(staff, `${record}/reopen`, { id: recordId })
  },
  'payrecord.paid': () => payer(),
  'payrecord.invoiceAsked': async () => {
    const { byHand, askInvoice } = await debtor()
    await byHand()
    await askInvoice()
  },
  'payrecord.invoiced': async () => {
    const { record, recordId, byHand, askInvoice } = await debtor()
    await byHand()
    await askInvoice()
    await act(staff, `${record}/confirmInvoice?id=${recordId}`, { invoiceNo: '00012345' })
  },
  'payorder.odd': () => payer({ amount: 1 }),
  'payorder.oddFound': () => payer({ amount: 1 }),
  'payrefund.asked': () => refund(),
  'payrefund.started': approved(),
  'payrefund.done': approved(),
  'payrefund.failed': approved({ refund: 'ABNORMAL' }),
  'payrefund.stuck': approved({ refund: 'ABNORMAL' }),
  'payrefund.rejected': async () => {
    const { refundId } = await refund()
    await act(second, `${refunds}/reject?id=${refundId}`, { reason: '材料不全' })
  },
  'reconciliation.differs': async () => {
    const { orderNo } = await payer()
    await t.pool.query('UPDATE payorder SET amount = 7999 WHERE "orderNo" = $1', [orderNo])
    await at(t, '2026-12-02 10:30:00')
    await act(staff, '/blade-reconciliation/reconciliation/run', { billDate: '2026-12-01', channel: 9 })
  },

  'postreduction.cut': async () => {
    await at(t, reduceTimes.computing)
    const { exam: row, staff: officer, admin } = await makeCutExam(t)
    await makePassed(t, row.id, 'B01')
    expect((await cutAll(t, row.id, officer, admin)).code).toBe(200)
  },

  'examinationticket.voided': async () => {
    const { ticket } = await stage({ seatStatus: 2, ticketRelease: 1 })
    await act(staff, `${exam}/voidTicket`, { ids: ticket.id, reason: '信息有误' })
  },
  'examinationticket.reissued': async () => {
    const { ticket } = await stage({ seatStatus: 2, ticketRelease: 1 })
    await act(staff, `${exam}/reissueTicket`, { ids: ticket.id, reason: '照片有误' })
  },
  'ticketnotice.refused': paper('picFail', { picRemark: '不清晰' }),
  'ticketnotice.accepted': paper('picPass'),

  'result.corrected': async () => {
    const { take, out, back } = await scored()
    await out()
    await back()
    await take('60')
    await out(second)
  },
  'resultappeal.filed': appealed,
  'resultappeal.answered': async () => {
    const { id } = await appealed()
    await act(staff, '/blade-result/resultappeal/handle', { id, appealStatus: 1, reply: '复核无误' })
  },

  'publicity.started': published,
  'publicity.changed': async () => {
    await act(staff, '/blade-publicity/publicity/withdraw', { id: await published(), reason: '有误' })
  },
  'objection.filed': objected,
  'objection.received': objected,
  'objection.answered': async () => {
    const base = '/blade-publicity/objection'
    const id = await objected()
    await act(staff, `${base}/accept`, { id })
    await act(staff, `${base}/investigate`, { id })
    await act(staff, `${base}/propose`, { id, outcome: 6, answer: '经核查，学历符合要求' })
    await act(second, `${base}/confirmUnfounded`, { id })
  },

  'user.registered': () => registered(false),
  'user.passed': async () => act(staff, `/blade-system/user/audit-pass?userIds=${await registered(true)}`),
  'user.refused': async () =>
    act(staff, `/blade-system/user/audit-refuse?userIds=${await registered(true)}&remark=看不清`),
  'user.digest': async () => {
    await at(t, '2026-12-04 09:00:00')
    await insert(t.app, Reconciliation, { reconStatus: 2 })
    const { userId } = await signIn(t, { role: 'digest', permissions: ['reconciliation'] })
    const email = 'digest@example.org'
    await t.db.updateTable('user').set({ email }).where('id', '=', userId).execute()
    const addressHash = mailHash(t.app, '000000', email)
    await insert(t.app, Contact, { userId, channel: 'mail', isOff: 0, addressHash, problem: null })
    await digestDue(t.app)
  },
  'user.passwordReset': async () =>
    act(staff, `/blade-system/user/reset-password?userIds=${await makeUser(t, { role: 'candidate' })}`),
  'user.contactChanged': async () => {
    await at(t, morning)
    const who = await signIn(t, { role: 'candidate' })
    const { password: hash } = await t.db
      .selectFrom('user')
      .select('password')
      .where('id', '=', await makeUser(t, { role: 'candidate' }))
      .executeTakeFirstOrThrow()
    await t.db.updateTable('user').set({ password: hash }).where('id', '=', who.userId).execute()
    await act(who, '/blade-system/user/update-info', { email: 'a@example.org', password: encrypt(t, password) })
  },
  'user.expiring': async () => {
    await at(t, morning)
    const id = await makeUser(t, { role: 'candidate' })
    await t.db
      .updateTable('user')
      .set({ lastLoginTime: shanghai('2023-12-10 09:00:00') })
      .where('id', '=', id)
      .execute()
    await letExpire(t.app)
  },
  'userupdateinfo.decided': async () => {
    await at(t, morning)
    const user = await insert(t.app, User, { accountStatus: 1, userType: 2, tenantId: '000000' })
    const asked = { userId: user.id, updateStatus: 0, realName: '李四', idCard: null, cardFront: null, cardBack: null }
    const { id } = await insert(t.app, Userupdateinfo, asked as never)
    await act(staff, '/blade-userupdateinfo/userupdateinfo/pass', { ids: id })
  },
  'datarequest.filed': wish,
  'datarequest.asked': wish,
  'datarequest.answered': async () => {
    const id = await wish()
    await act(staff, '/blade-system/datarequest/accept', { id })
    await act(staff, '/blade-system/datarequest/finish', { id, reason: '已清除' })
  },

  'notice.mustSure': toConfirm,
  'notice.recalled': async () => act(staff, `/blade-desk/notice/recall?id=${await toConfirm()}`),
  'send.finished': async () => {
    await at(t, morning)
    const { id: templateId } = await makeTemplate(t)
    const id = await makeSending(t, staff, templateId)
    for (const n of [1, 2]) await addTo(t, staff, id, samplePhone(n))
    await give(t, 5)
    await act(staff, `/blade-send/send/useBalance?id=${id}`)
    await act(staff, `/blade-send/send/sendMessage?id=${id}`)
    await sendOut(t)
  },
  'exporttask.ended': () => exported({}),
  'exporttask.failed': () => exported({ fails: true }),
  'exporttask.copied': () => exported({ isOwnData: true }),
  'sms.paused': pausedAccount('sms', Sms, { smsStatus: 1 }),
  'sms.trouble': async () => {
    await at(t, morning)
    const account = await insert(t.app, Sms, { smsStatus: 1, pausedTime: null } as never)
    await tellTrouble(t.app, { id: account.id, tenantId: '000000' }, 'down')
  },
  'mail.paused': pausedAccount('mail', Mail, { mailStatus: 1 }),
  'wechat.paused': pausedAccount('wechat', Wechat, { wechatStatus: 1 }),

  'hook.disabled': async () => {
    await at(t, morning)
    const failSince = new Date(t.app.now().getTime() - 6 * 86_400_000)
    const hook = await insert(t.app, Hook, {
      hookStatus: 1,
      failSince,
      url: 'https://127.0.0.1/nobody',
      secret: 'whsec_c2VjcmV0',
      examId: null,
      tenantId: '000000',
    } as never)
    const event = await t.db.selectFrom('event').select('id').executeTakeFirstOrThrow()
    await insert(t.app, Hookdelivery, {
      hookId: hook.id,
      eventId: event.id,
      deliveryStatus: 0,
      goAt: t.app.now(),
      tenantId: '000000',
    } as never)
    await deliverDue(t.app)
  },

  'flow.taskArrived': () => begun('walkarrived', '@b'),
  'flow.taskOffered': () => begun('walkoffered', '@b,@c'),
  'flow.taskEnded': async () => {
    const { bench, run } = await begun('walkended', '@b')
    await bench.agree(run, 't:b')
  },
}

describe('an event that people are told of', () => {
  const declared = [...domainEvents.keys()].filter(name => !reminderRules.has(name))

  test('is made to happen here, whichever it is', () =>
    expect(Object.keys(walks).toSorted()).toEqual(declared.toSorted()))

  test.each(Object.entries(walks))('%s happens once to a row', async (name, walk) => {
    const before = await happened(name)
    await walk()
    const rows = (await happened(name)).slice(before.length)
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows).size).toBe(rows.length)
  })
})

/** A transition with a state from which it is forbidden. */
interface Forbidden {
  readonly resource: Resource
  readonly name: string
  readonly state: Readonly<Record<string, unknown>>
}

const isOther = (value: unknown): value is { not: unknown } =>
  typeof value === 'object' && value !== null && 'not' in value

const meets = (condition: unknown, value: number): boolean => {
  if (isOther(condition)) return ![condition.not].flat().includes(value)
  return [condition].flat().includes(value)
}

/** The keys that a state can have. */
const keysOf = ({ dict }: Field): readonly number[] =>
  Object.keys(dictionaries.find(one => one.code === dict)?.entries ?? {}).map(Number)

/** A value of a condition that meets it. */
const met = (condition: unknown, field: Field): unknown =>
  keysOf(field).find(key => meets(condition, key)) ?? (isOther(condition) ? null : [condition].flat()[0])

/** The states from which a transition may not be made: each field of its condition with each key that does not meet it. */
function forbidden(resource: Resource, name: string, { when = {} }: AnyTransition): readonly Forbidden[] {
  const { properties } = resource.entity as Entity
  const fields = Object.entries(when as Condition).filter(([field]) => properties[field])
  const good = Object.fromEntries(
    fields.map(([field, condition]) => [field, met(condition, properties[field] as Field)]),
  )
  return fields.flatMap(([field, condition]) =>
    keysOf(properties[field] as Field)
      .filter(key => !meets(condition, key))
      .map(key => ({ resource, name, state: { ...good, [field]: key } })),
  )
}

const edges = (resources as readonly Resource[]).flatMap(resource =>
  Object.entries(transitionsOf(resource)).flatMap(([name, one]) => forbidden(resource, name, one)),
)

describe('a state that forbids a transition', () => {
  test('is known of most resources', () => expect(edges.length).toBeGreaterThan(150))

  test.each([...new Set(edges.map(one => one.resource))].map(one => [one.name, one] as const))(
    'leaves rows of %s as they are, and nothing has happened',
    async (_, resource) => {
      await at(t, morning)
      const { entity } = resource
      const before = await happened()
      for (const { name, state } of edges.filter(one => one.resource === resource)) {
        serial++
        const own = Object.fromEntries(
          Object.entries((entity as Entity).properties)
            .filter(([field]) => ['signupId', 'userId'].includes(field))
            .map(([field]) => [field, String(serial)]),
        )
        const made = await insert(t.app, entity as Entity, { tenantId: '000000', ...own, ...state } as never)
        const id = String((made as { id: unknown }).id)
        const row = async () =>
          (await t.pool.query(`SELECT * FROM "${tableOf(entity.name)}" WHERE id = $1`, [id])).rows[0]
        const was = await row()
        const tried = t.db.transaction().execute(trx =>
          makeTransition(
            {
              app: t.app,
              trx: liveFor(trx, { tenantId: '000000', userId: staff.userId, now: () => t.app.now() }),
              caller: { userId: staff.userId, tenantId: '000000' },
              now: t.app.now(),
            },
            resource,
            name as never,
            [id],
            { reason: '说明' },
          ),
        )
        await expect(tried, `${resource.name} ${name} ${JSON.stringify(state)}`).rejects.toBeInstanceOf(Refusal)
        expect(await row()).toEqual(was)
        await t.pool.query(`DELETE FROM "${tableOf(entity.name)}" WHERE id = $1`, [id])
      }
      expect(await happened()).toEqual(before)
    },
  )
})
