import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ExamRole, ExamStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examuser } from '#schemas/exams/examuser'
import { Send } from '#schemas/messages/send'
import { Sendmessage } from '#schemas/messages/sendmessage'
import { Sms } from '#schemas/resource/sms'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { as } from '../../../../tests/helper/pay-exam.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { addTo, give, makeDraft, makeTemplate, sendOut } from '../../../../tests/helper/send-bench.ts'
import type { TextCosts } from '../contract.ts'

// The price of a segment is 5 fen where nobody has said another.

const now = '2026-12-30 12:00:00'
let t: TestApp
let staff: Caller
let manager: Caller
beforeAll(async () => {
  t = await testApp({ now })
  staff = await signIn(t, { role: 'administrator' })
  manager = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(now)
  await t.pool.query('TRUNCATE sms, sms_sent, sms_outbox, sms_budget, sendledger, send, sendmessage, work_item CASCADE')
  await t.pool.query(`UPDATE param SET "paramValue" = '5' WHERE "paramKey" = 'sms.unitFen'`)
})

const ask = (query: object, who = staff) =>
  as(t, who).get<TextCosts>(`/api/blade-send/send/costs?${new URLSearchParams({ ...query })}`)
const linesOf = async (query: object, who = staff) => {
  const { code, data } = await ask(query, who)
  expect(code).toBe(200)
  return data.lines.map(({ key, texts, segments, amount }) => [key, texts, segments, amount])
}

interface Entry {
  smsId: string
  sendId?: string
  time?: string
  segments?: number
  bizNo?: string | null
  told?: boolean
  tenantId?: string
  budgetOf?: string
}

let serial = 0
/** A message as the ledger has it; of a sending where one is named. @returns its number */
async function charge({
  smsId,
  sendId,
  time = '2026-12-30 09:00:00',
  segments = 1,
  tenantId = '000000',
  ...more
}: Entry) {
  const { bizNo = 'B', told = false, budgetOf = null } = more
  const phone = samplePhone(++serial)
  const message = sendId && (await insert(t.app, Sendmessage, { sendId, phone, segments }))
  const id = message ? `${message.id}-0` : `code-${serial}`
  await t.pool.query(
    `INSERT INTO sms_sent (id, "smsId", "tenantId", phone, segments, "time", "bizNo", told, "budgetOf")
     VALUES ($1, $2, $3, 'x', $4, $5, $6, $7, $8)`,
    [id, smsId, tenantId, segments, shanghai(time), bizNo, told, budgetOf],
  )
  return id
}

const exam = (examName: string) => insert(t.app, Examination, { examName, examStatus: ExamStatus.released })
const sending = (templateId: string, examId: string | null, title = '催缴') =>
  insert(t.app, Send, { title, examId, templateId, sendType: SendType.sms, sendStatus: SendStatus.done })
const template = async (smsCode: string) => (await makeTemplate(t, { smsCode })).id

test('what providers took is counted by day, exam and event, at the price of today', async () => {
  const [passed, noPass, code, own] = await Promise.all(
    ['signup.passed', 'signup.passed.no', 'validate', '催缴提醒'].map(template),
  )
  const [one, other] = [await exam('一考'), await exam('二考')]
  const first = await sending(passed!, one.id)
  const second = await sending(own!, other.id)
  const none = await sending(own!, null)
  await charge({ smsId: passed!, sendId: first.id, segments: 2, time: '2026-12-30 00:00:00' })
  await charge({ smsId: noPass!, sendId: first.id, time: '2026-12-29 23:59:59', told: true, bizNo: null })
  await charge({ smsId: own!, sendId: second.id, segments: 4 })
  await charge({ smsId: own!, sendId: none.id })
  await charge({ smsId: code!, time: '2026-12-01 00:00:00' })
  // Before the span, and what nobody knows to have been taken.
  await charge({ smsId: code!, time: '2026-11-30 23:59:59' })
  await charge({ smsId: passed!, sendId: first.id, bizNo: null })
  // Another tenant.
  const foreign = await insert(t.app, Sms, { tenantId: '000009', smsCode: 'signup.passed' })
  await charge({ smsId: foreign.id, tenantId: '000009' })

  const { data } = await ask({ by: 'day' })
  expect(data).toMatchObject({ from: '2026-12-01', to: '2026-12-30', unitFen: 5 })
  expect(data.total).toEqual({ texts: 5, segments: 9, amount: 45 })
  expect(await linesOf({ by: 'day' })).toEqual([
    ['2026-12-30', 3, 7, 35],
    ['2026-12-29', 1, 1, 5],
    ['2026-12-01', 1, 1, 5],
  ])
  expect(await linesOf({ by: 'exam' })).toEqual([
    [other.id, 1, 4, 20],
    [one.id, 2, 3, 15],
    ['', 2, 2, 10],
  ])
  const events = (await ask({ by: 'event' })).data.lines
  expect(events.map(line => [line.key, line.title, line.segments])).toEqual([
    ['催缴提醒', '', 5],
    ['signup.passed', '审核通过', 3],
    ['validate', '', 1],
  ])
  expect(events.map(line => line.name)).toEqual(['催缴提醒', '审核通过', '短信验证码'])
  expect(await linesOf({ by: 'day', from: '2026-11-30', to: '2026-12-01' })).toEqual([
    ['2026-12-01', 1, 1, 5],
    ['2026-11-30', 1, 1, 5],
  ])
  await t.pool.query(`UPDATE param SET "paramValue" = '7' WHERE "paramKey" = 'sms.unitFen'`)
  expect((await ask({ by: 'day' })).data.total.amount).toBe(63)
})

test('of exams only those count whose sendings somebody meets; without permission nothing is answered', async () => {
  const own = await template('催缴提醒')
  const [mine, foreign] = [await exam('一考'), await exam('二考')]
  await insert(t.app, Examuser, {
    examId: mine.id,
    userId: manager.userId,
    examRole: ExamRole.manager,
    units: null,
    codes: null,
  })
  for (const examId of [mine.id, foreign.id, null])
    await charge({ smsId: own, sendId: (await sending(own, examId)).id })
  // The sending of an exam is gone: nobody can tell any more who may hear of it.
  await charge({ smsId: own, budgetOf: mine.id })
  expect((await linesOf({ by: 'exam' }, manager)).map(([key]) => key).toSorted()).toEqual(['', mine.id])
  expect((await ask({ by: 'day' }, manager)).data.total.texts).toBe(2)
  expect((await ask({ by: 'day' })).data.total.texts).toBe(4)
  expect((await ask({ by: 'day' }, await signIn(t, { permissions: ['send', 'sendledger'] }))).code).toBe(403)
  const stranger = await signIn(t, { permissions: ['send_cost'], tenantId: '000009' })
  expect((await ask({ by: 'day' }, stranger)).data.total.texts).toBe(0)
})

test.each([
  [{ by: 'day', from: '2026-12-02', to: '2026-12-01' }],
  [{ by: 'day', from: '2025-01-01', to: '2026-01-02' }],
  [{ by: 'hour' }],
  [{ by: 'day', from: 'today' }],
])('%j is refused', async query => {
  expect((await ask(query)).code).toBe(29005)
})

test('what the sandbox takes stands there with what it would cost, what it refuses does not', async () => {
  const id = await template('notice')
  const draft = await makeDraft(t, staff, id)
  for (const phone of [samplePhone(1), samplePhone(2), '13900000000']) await addTo(t, staff, draft, phone)
  await give(t, 10)
  for (const act of ['useBalance', 'sendMessage']) await as(t, staff).post(`/api/blade-send/send/${act}?id=${draft}`)
  await as(t, staff).post('/api/blade-send/send/sendMessage', { sendId: draft, confirm: '1' })
  await sendOut(t)
  expect(await linesOf({ by: 'event' })).toEqual([['notice', 2, 2, 10]])
})
