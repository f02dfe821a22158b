import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { EnableStatus, ExamRole, MailSecurity } from '#schemas/dictionaries'
import { Examuser } from '#schemas/exams/examuser'
import { Mail } from '#schemas/resource/mail'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { type MailServer, mailLogin, mailServer } from '../../../../tests/helper/mail-server.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { makeTemplate } from '../../../../tests/helper/send-bench.ts'
import { applicant, at, get, makeExam, post, signApp, submit, times } from '../../../../tests/helper/sign-bench.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import type { EventChoices, EventPreview, InboxPage } from '../contract.ts'
import { deliverDue } from './deliveries.ts'
import { tellDue } from './tell.ts'

let t: TestApp
let server: MailServer
let manager: Caller
let examId: string
beforeAll(async () => {
  t = await signApp()
  server = await mailServer()
  manager = await signIn(t, { role: 'exam_admin' })
})
afterAll(async () => {
  await t?.close()
  await server?.close()
})
beforeEach(async () => {
  for (const table of ['eventchoice', 'sms', 'throttle']) await t.pool.query(`DELETE FROM ${table}`)
  await at(t, times.inside)
  examId = (await makeExam(t)).exam.id
  await insert(t.app, Examuser, { examId, userId: manager.userId, examRole: ExamRole.manager, enable: 1 })
})

const base = '/api/blade-desk/inbox'
const code = 'signup.submitted'
const say = (words: object, who = manager) => post(t, who, `${base}/words`, { examId, code, ...words })
const choice = async () =>
  (await get<EventChoices>(t, manager, `${base}/choices?examId=${examId}`)).data.events.find(one => one.code === code)
const preview = async (more = '', of = code) =>
  get<EventPreview>(t, manager, `${base}/preview?examId=${examId}&code=${of}${more}`)
const first = async (who: Caller, language = 'zh-CN') => {
  const headers = { ...who.headers, 'accept-language': language }
  const { data } = await t.call<InboxPage>({ method: 'GET', url: `${base}/page`, headers })
  return data.records[0]?.title
}

test('what an exam says stands in the inbox and in e-mails, in both languages, and in no other exam', async () => {
  server.book.length = 0
  await t.db
    .updateTable('param')
    .set({ paramValue: `127.0.0.1:${server.port}` })
    .where('paramKey', '=', 'mail.hosts')
    .execute()
  await insert(t.app, Mail, {
    fromAddress: 'office@example.org',
    host: '127.0.0.1',
    port: server.port,
    mailSecurity: MailSecurity.none,
    mailAccount: mailLogin.user,
    mailPassword: t.app.vault.seal(mailLogin.pass),
    mailStatus: EnableStatus.enabled,
  })
  const zh = '我们收到了{signNo}号报名。请等待。'
  expect((await say({ zh, en: 'Number {signNo} has come. Please wait.' })).code).toBe(200)
  const { realName } = await t.db
    .selectFrom('user')
    .select('realName')
    .where('id', '=', manager.userId)
    .executeTakeFirstOrThrow()
  const written = { wordedUser: realName, wordedTime: wireTime(t.app.now()) }
  expect(await choice()).toMatchObject({ isWorded: true, words: { zh }, ...written })
  const who = await applicant(t)
  await t.db.updateTable('user').set({ email: 'somebody@example.com' }).where('id', '=', who.userId).execute()
  const { data } = await t.call<{ id: string }>({
    method: 'POST',
    url: '/api/blade-system/user/send-email-code',
    headers: who.headers,
    payload: {},
  })
  const codeOf = /\d{6}/.exec(server.book.at(-1)?.mail.text ?? '')?.[0]
  await post(t, who, '/api/blade-system/user/confirm-email', { codeId: data.id, code: codeOf })
  await submit(t, who, examId)
  await tellDue(t.app)
  await at(t, new Date(t.app.now().getTime() + 120_000))
  await deliverDue(t.app)
  const signup = await t.db.selectFrom('signup').select('signNo').where('examId', '=', examId).executeTakeFirstOrThrow()
  expect(await first(who)).toBe(`我们收到了${signup.signNo}号报名。请等待。`)
  expect(await first(who, 'en')).toBe(`Number ${signup.signNo} has come. Please wait.`)
  expect(server.book.at(-1)?.mail.subject).toBe(`我们收到了${signup.signNo}号报名`)
  const other = (await makeExam(t)).exam.id
  const someone = await applicant(t)
  await submit(t, someone, other)
  await tellDue(t.app)
  expect(await first(someone)).toMatch(/^已收到您在/)
  // Taken back, the words of the product hold again.
  expect((await say({})).code).toBe(200)
  expect(await choice()).toMatchObject({ isWorded: false, wordedUser: '', wordedTime: '' })
  expect(await first(who)).toMatch(/^已收到您在/)
})

test.each([
  [{ zh: '{idCard}已报名' }, 'zh', '{idCard}'],
  [{ zh: '好', en: 'Your {phone1} {nothing}' }, 'en', '{phone1}、{nothing}'],
  [{ zh: '{姓名}好' }, 'zh', '花括号'],
  [{ zh: '好}' }, 'zh', '花括号'],
])('words that name what they may not are refused: %j', async (words, field, named) => {
  const answer = await say(words)
  expect(answer).toMatchObject({ code: 29005, data: [{ field, msg: expect.stringContaining(named) }] })
  expect((await preview(`&${new URLSearchParams(words as never)}`)).code).toBe(29005)
  expect(await choice()).toMatchObject({ isWorded: false })
})

test('events that are not there, reminders, words that are too long, and strangers are refused', async () => {
  expect((await say({ code: 'signup.nothing', zh: '好' })).code).toBe(29005)
  expect((await say({ code: 'payrecord.paymentEnds', zh: '好' })).code).toBe(29005)
  expect((await say({ zh: '好'.repeat(301) })).code).toBe(29005)
  expect((await say({ zh: '好' }, await signIn(t, { role: 'exam_admin' }))).code).toBe(21001)
})

test('a preview shows each way and language, what is not kept yet, and what a text message is charged as', async () => {
  await makeTemplate(t, { smsCode: code, templateContent: `{exam}{signNo}${'字'.repeat(60)}` })
  const { data } = await preview()
  expect(data.shown.map(one => `${one.channel} ${one.language}`)).toEqual([
    'inbox zh',
    'mail zh',
    'inbox en',
    'mail en',
    'sms zh',
    'wechat zh',
  ])
  const sms = data.shown.find(one => one.channel === 'sms')
  expect(sms).toMatchObject({ segments: 2 })
  expect(sms?.length).toBeGreaterThan(70)
  expect(sms?.text).toMatch(/^【聚贤】/)
  expect(data.shown.every(one => one.text !== '' || one.subject !== '')).toBe(true)
  expect(data.shown.filter(one => /[{}]/.test(one.subject + one.text))).toEqual([])
  const changed = await preview(`&zh=${encodeURIComponent('这是新的。{exam}')}`)
  const texts = changed.data.shown.filter(one => one.language === 'zh' && one.channel !== 'sms')
  expect(texts.map(one => (one.subject + one.text).includes('这是新的'))).toEqual([true, true, true])
  expect(await choice()).toMatchObject({ isWorded: false })
  expect((await preview('', 'nothing')).code).toBe(29005)
})

test('what holds in all exams, and of what is in none, is settled by whoever meets all rows', async () => {
  const head = await signIn(t, { role: 'administrator' })
  const settle = (path: string, body: object, who = head) => post(t, who, `${base}/${path}`, body)
  const zh = '报名已到：{signNo}'
  expect((await settle('words', { code, zh }, manager)).code).toBe(403)
  expect((await settle('choose', { code, channel: 'mail', isOn: false }, manager)).code).toBe(403)
  expect((await get(t, manager, `${base}/choices`)).code).toBe(403)
  expect((await settle('words', { code, zh })).code).toBe(200)
  expect((await settle('choose', { code, channel: 'mail', isOn: false })).code).toBe(200)
  expect((await settle('choose', { code: 'user.passed', channel: 'sms', isOn: false })).code).toBe(200)
  expect((await settle('words', { code: 'user.passed', zh: '注册通过' })).code).toBe(200)
  const presets = (await get<EventChoices>(t, head, `${base}/choices`)).data
  expect([presets.people, presets.mayPreset]).toEqual([0, true])
  const preset = (name: string) => presets.events.find(one => one.code === name)
  expect(preset('user.passed')).toMatchObject({ isOn: false, isWorded: true, words: { zh: '注册通过' } })
  expect(preset('signup.passed')?.text).toContain('{考试简称}')
  // An exam has them until it says something else.
  expect(await choice()).toMatchObject({ isMailOn: false, isWorded: false, words: { zh } })
  const who = await applicant(t)
  await submit(t, who, examId)
  await tellDue(t.app)
  expect(await first(who)).toMatch(/^报名已到：/)
  expect((await say({ zh: '本考试已收到' })).code).toBe(200)
  expect(await first(who)).toBe('本考试已收到')
  const { data } = await get<EventPreview>(t, head, `${base}/preview?code=${code}`)
  expect(data.shown[0]?.subject).toMatch(/^报名已到：/)
})
