import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EnableStatus, ExamRole } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examuser } from '#schemas/exams/examuser'
import { Eventchoice } from '#schemas/notifications/eventchoice'
import { Mail } from '#schemas/resource/mail'
import { Contact } from '#schemas/system/contact'
import { Event } from '#schemas/system/event'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import { mailHash } from '../../../platform/accounts/server/contacts.ts'
import { balanceOf } from '../../messages/server/ledger.ts'
import type { EventChoices, InboxPage } from '../contract.ts'
import { tellDue } from './tell.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t?.close())

const review = '/api/blade-signup/examine'
const inbox = '/api/blade-desk/inbox'
const later = (seconds: number) => new Date(shanghai(times.inside).getTime() + seconds * 1000)

/** An exam with a reviewer and one sign-up that has been handed in. */
async function scene() {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const first = await reviewer(t, exam.id, 2)
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  return { exam, first, who, id }
}

const decide = (who: Caller, signUpId: string, examineResult: number, examineResultRemark = '') =>
  post(t, who, `${review}/examine`, { signUpId, examineResult, examineResultRemark })
const undo = (who: Caller, signUpId: string) =>
  post(t, who, `${review}/revoke`, { signUpId, reason: '10 秒内撤销', undo: true })
const page = async (who: Caller, query = '') => (await get<InboxPage>(t, who, `${inbox}/page?${query}`)).data.records
const titles = async (who: Caller, query = '') =>
  (await page(who, query)).filter(one => one.kind === 'message').map(one => one.title)

describe('the inbox', () => {
  test('has what became of a sign-up, in words, with what else was said and where to act', async () => {
    const { exam, first, who, id } = await scene()
    await tellDue(t.app)
    expect(await titles(who)).toEqual([expect.stringContaining('已收到您在')])
    expect((await decide(first, id, 3, '请补证书')).code).toBe(200)
    await at(t, later(14))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
    await at(t, later(16))
    await tellDue(t.app)
    const [line, before] = await page(who)
    expect(line).toMatchObject({ read: false, done: false, opens: `/signup/form/${exam.id}` })
    expect(line?.title).toMatch(/被退回，请在.+月.+日.+前登录修改并重新提交/)
    expect(line?.facts).toEqual([{ label: '审核意见', value: '请补证书' }])
    expect(before).toMatchObject({ done: true })
    expect(await titles(who, 'tab=todo')).toHaveLength(1)
  })

  test('is read by its owner alone', async () => {
    const { who } = await scene()
    const other = await applicant(t)
    await tellDue(t.app)
    const [line] = await page(who)
    const id = line?.id ?? ''
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 1 } })
    expect((await get(t, other, `${inbox}/info?id=${id}`)).code).toBe(29001)
    expect((await post(t, other, `${inbox}/read`, { id })).code).toBe(29001)
    expect((await post(t, who, `${inbox}/read`, { id })).code).toBe(200)
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 0 } })
    expect(await titles(who, 'tab=unread')).toEqual([])
    expect(await titles(other)).toEqual([])
  })

  test('says how much is unread in few bytes while nothing has changed, to each person alone', async () => {
    const { who } = await scene()
    const other = await applicant(t)
    const ask = ({ headers }: Caller, etag?: string) =>
      t.app.inject({ url: `${inbox}/unread`, headers: { ...headers, ...(etag && { 'if-none-match': etag }) } })
    const { headers } = await ask(who)
    expect(headers['cache-control']).toBe('private, no-cache')
    const etag = String(headers.etag)
    const same = await ask(who, etag)
    expect([same.statusCode, same.body]).toEqual([304, ''])
    expect((await ask(other, String((await ask(other)).headers.etag))).statusCode).toBe(304)
    expect((await ask(other, etag)).statusCode).toBe(200)
    await tellDue(t.app)
    const changed = await ask(who, etag)
    expect([changed.statusCode, changed.json().data.messages]).toEqual([200, 1])
  })

  test('never has a decision that was undone, nor that it was', async () => {
    const { first, who, id } = await scene()
    await decide(first, id, 2, '专业不符')
    await at(t, later(5))
    expect((await undo(first, id)).code).toBe(200)
    await at(t, later(60))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
  })

  test('settles a return once it is answered', async () => {
    const { exam, first, who, id } = await scene()
    await decide(first, id, 3, '请补证书')
    await at(t, later(20))
    await tellDue(t.app)
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    await tellDue(t.app)
    expect(await titles(who, 'tab=todo')).toEqual([])
    const lines = await page(who)
    expect(lines.map(one => one.done)).toEqual([false, true, true])
  })

  test('has each message once, however many tell it at the same time', async () => {
    const { who } = await scene()
    await Promise.all([tellDue(t.app), tellDue(t.app), tellDue(t.app)])
    expect(await titles(who)).toHaveLength(1)
  })
})

describe('text messages of events', () => {
  beforeEach(() =>
    t.pool.query('TRUNCATE send, sendmessage, sendledger, sms, sms_outbox, work_item, eventchoice CASCADE'),
  )
  const returned = '{exam}的报名被退回，请在{until}前修改'
  const template = () => makeTemplate(t, { smsCode: 'signup.returned', templateContent: returned })
  const texts = async () =>
    (await t.pool.query<{ msgStatus: number; content: string }>('SELECT "msgStatus", content FROM sendmessage')).rows
  const orders = async () => await t.db.selectFrom('send').select(['sendStatus', 'planTime', 'title']).execute()

  /** A sign-up that was returned and of which the candidate is to be told. */
  async function returnedOne(time: Date) {
    const one = await scene()
    await t.db
      .updateTable('examination')
      .set({ examineEndTime: shanghai('2026-12-30 00:00:00') })
      .where('id', '=', one.exam.id)
      .execute()
    await at(t, time)
    expect((await decide(one.first, one.id, 3, '请补证书')).code).toBe(200)
    await at(t, new Date(time.getTime() + 20_000))
    await tellDue(t.app)
    return one
  }

  test('go out by the template that is called like the event, once, and are paid from the balance', async () => {
    await template()
    await give(t, 5)
    await returnedOne(later(0))
    await tellDue(t.app)
    await sendOut(t)
    const [text, ...others] = await texts()
    expect(others).toEqual([])
    expect(text?.content).toMatch(/^【聚贤】.+的报名被退回，请在12月8日 17:00前修改$/)
    expect(await orders()).toMatchObject([{ sendStatus: 4, title: '退回修改' }])
  })

  test('wait to be paid where the balance does not reach; the inbox has it all the same', async () => {
    await template()
    const { who } = await returnedOne(later(0))
    expect(await titles(who, 'tab=todo')).toHaveLength(1)
    expect(await orders()).toMatchObject([{ sendStatus: 1 }])
    expect(await sendOut(t)).toBe(0)
  })

  test('wait for the morning, and are called off when the matter is settled before', async () => {
    await template()
    await give(t, 5)
    const { exam, who, id } = await returnedOne(shanghai('2026-12-02 22:30:00'))
    expect(await orders()).toMatchObject([{ sendStatus: 2, planTime: shanghai('2026-12-03 08:00:00') }])
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    await tellDue(t.app)
    await at(t, '2026-12-03 09:00:00')
    await sendOut(t)
    expect(await texts()).toMatchObject([{ msgStatus: 4 }])
    expect(await balanceOf(program(t))).toBe(5)
    expect((await t.pool.query('SELECT 1 FROM sms_outbox')).rowCount).toBe(0)
  })

  test('call an exam by its short name, and are called off for whoever is out of the exam', async () => {
    const ticket = 'examinationitem.ticketsReleased'
    await makeTemplate(t, { smsCode: ticket, templateContent: '{exam}准考证已发布，请登录下载' })
    await give(t, 5)
    const { exam, who, id } = await scene()
    const examId = exam.id
    await t.db.updateTable('examination').set({ shortName: '冬季招聘' }).where('id', '=', examId).execute()
    const { id: itemId } = await insert(t.app, Examinationitem, { examId })
    await insert(t.app, Examinationticket, { examId, itemId, signupId: id, userId: who.userId, ticketStatus: 1 })
    await at(t, '2026-12-02 22:30:00')
    const facts = { itemName: '笔试', from: null, until: null }
    await insert(t.app, Event, {
      code: ticket,
      subjectId: itemId,
      examId,
      facts,
      once: null,
      toldTime: null,
      toldTo: null,
    })
    await tellDue(t.app)
    expect(await texts()).toMatchObject([{ msgStatus: 0 }])
    const struck = { code: 'signup.struck', subjectId: id, examId, facts: { cancelReason: '材料不实' } }
    await insert(t.app, Event, { ...struck, once: null, toldTime: null, toldTo: null })
    await tellDue(t.app)
    expect(await texts()).toMatchObject([{ msgStatus: 4 }])
    expect(await balanceOf(program(t))).toBe(5)
    const states = (await page(who)).map(({ title, done }) => [title.slice(0, 11), done])
    expect(states).toContainEqual(['冬季招聘准考证已发布，', true])
    expect(states).toContainEqual(['您在冬季招聘的资格已被', false])
  })

  test('spare a number that they do not reach, until they do; mail goes anyway', async () => {
    await template()
    await makeTemplate(t, { smsCode: 'signup.submitted', templateContent: '{exam}已收到报名{signNo}' })
    await insert(t.app, Eventchoice, { examId: null, code: 'signup.submitted', channel: 'sms', isOn: 1 })
    await insert(t.app, Mail, { mailStatus: EnableStatus.enabled, pausedTime: null })
    await give(t, 9)
    const { first, who, id } = await scene()
    const { userId } = who
    const email = 'anna@example.com'
    await t.db.updateTable('user').set({ email }).where('id', '=', userId).execute()
    const { phoneHash } = await t.db
      .selectFrom('user')
      .select('phoneHash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const mine = { userId, isOff: 0 } as const
    await insert(t.app, Contact, {
      ...mine,
      channel: 'mail',
      addressHash: mailHash(t.app, '000000', email),
      problem: null,
    })
    await insert(t.app, Contact, { ...mine, channel: 'sms', addressHash: phoneHash, problem: '空号' })
    const texts = async () =>
      (await t.db.selectFrom('sendmessage').select('content').orderBy('id').execute()).map(one => one.content)
    const mails = async () =>
      (await t.db.selectFrom('delivery').select('id').where('userId', '=', userId).execute()).length
    await tellDue(t.app)
    expect([await texts(), await mails()]).toEqual([[], 1])
    await t.db.updateTable('contact').set({ problem: null }).where('userId', '=', userId).execute()
    expect((await decide(first, id, 3, '请补证书')).code).toBe(200)
    await at(t, later(20))
    await tellDue(t.app)
    expect([await texts(), await mails()]).toEqual([[expect.stringContaining('被退回')], 2])
  })

  test('are sent of what is no must only where somebody has chosen so', async () => {
    await makeTemplate(t, { smsCode: 'signup.submitted', templateContent: '{exam}已收到报名{signNo}' })
    await give(t, 5)
    await scene()
    await tellDue(t.app)
    expect(await texts()).toEqual([])
    await insert(t.app, Eventchoice, { examId: null, code: 'signup.submitted', channel: 'sms', isOn: 1 })
    await scene()
    await tellDue(t.app)
    expect(await texts()).toHaveLength(1)
  })
})

describe('what an exam tells', () => {
  beforeAll(() => t.pool.query('TRUNCATE eventchoice'))
  const base = '/api/blade-desk/inbox'
  async function manager() {
    const { exam, first } = await scene()
    const who = await signIn(t, { role: 'exam_admin' })
    await insert(t.app, Examuser, { examId: exam.id, userId: who.userId, examRole: ExamRole.manager, enable: 1 })
    return { exam, who, first }
  }

  test('can be chosen by its managers, but for what must be told', async () => {
    const { exam, who, first } = await manager()
    const choose = (code: string, isOn: boolean, by = who) =>
      post(t, by, `${base}/choose`, { examId: exam.id, code, isOn })
    const shown = async (code: string) =>
      (await get<EventChoices>(t, who, `${base}/choices?examId=${exam.id}`)).data.events.find(one => one.code === code)
    expect(await shown('signup.returned')).toMatchObject({ sms: 'must', isOn: true })
    expect(await shown('signup.submitted')).toMatchObject({ sms: 'off', isOn: false })
    expect((await choose('signup.returned', false)).code).toBe(29008)
    expect((await choose('signup.resubmitted', true)).code).toBe(29005)
    expect((await choose('signup.submitted', true)).code).toBe(200)
    expect((await choose('signup.submitted', true)).code).toBe(200)
    expect(await shown('signup.submitted')).toMatchObject({ isOn: true })
    expect((await choose('signup.submitted', false, first)).code).toBe(403)
    const stranger = await signIn(t, { role: 'exam_admin' })
    expect((await choose('signup.submitted', false, stranger)).code).toBe(21001)
    expect(await shown('signup.submitted')).toMatchObject({ isOn: true })
  })
})
