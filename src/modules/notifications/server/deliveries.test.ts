import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { maskSealed } from '#engine'
import { DeliveryState, EnableStatus, MailSecurity } from '#schemas/dictionaries'
import { Eventchoice } from '#schemas/notifications/eventchoice'
import { Mail } from '#schemas/resource/mail'
import { Event } from '#schemas/system/event'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { encrypt, login, loginAs, makeUser, password } from '../../../../tests/helper/login.ts'
import { type MailServer, mailLogin, mailServer } from '../../../../tests/helper/mail-server.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate } from '../../../../tests/helper/send-bench.ts'
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
import { deliverDue } from './deliveries.ts'
import { tellDue } from './tell.ts'

let t: TestApp
let server: MailServer
beforeAll(async () => {
  t = await signApp()
  server = await mailServer()
})
afterAll(async () => {
  await t?.close()
  await server?.close()
})

const own = '/api/blade-system/user'
const minutes = (n: number) => new Date(shanghai(times.inside).getTime() + n * 60_000)
let serial = 0

beforeEach(async () => {
  await t.pool.query('TRUNCATE delivery, mail, mail_outbox, contact, eventchoice, throttle CASCADE')
  await t.pool.query('UPDATE event SET "toldTime" = now() WHERE "toldTime" IS NULL')
  await at(t, times.inside)
  server.behaves = 'take'
  server.book.length = 0
  await t.db
    .updateTable('param')
    .set({ paramValue: `127.0.0.1:${server.port}` })
    .where('paramKey', '=', 'mail.hosts')
    .execute()
  await insert(t.app, Mail, {
    fromAddress: 'office@example.org',
    fromName: '鼓楼卫健',
    host: '127.0.0.1',
    port: server.port,
    mailSecurity: MailSecurity.none,
    mailAccount: mailLogin.user,
    mailPassword: t.app.vault.seal(mailLogin.pass),
    mailStatus: EnableStatus.enabled,
  })
})

/** Gives somebody an e-mail address and proves it by the code that is sent there. @returns the address */
async function confirmed(who: Caller, headers: Record<string, string> = {}): Promise<string> {
  const email = `who${++serial}@example.com`
  await t.db.updateTable('user').set({ email }).where('id', '=', who.userId).execute()
  const sent = await t.call<{ id: string }>({
    method: 'POST',
    url: `${own}/send-email-code`,
    headers: { ...who.headers, ...headers },
    payload: {},
  })
  const code = /\d{6}/.exec(server.book.at(-1)?.mail.text ?? '')?.[0] ?? ''
  const done = await t.call({
    method: 'POST',
    url: `${own}/confirm-email`,
    headers: { ...who.headers, ...headers },
    payload: { codeId: sent.data.id, code },
  })
  expect(done.code).toBe(200)
  server.book.length = 0
  return email
}

/** Notes that somebody has confirmed an address. */
const confirmedNow = (userId: string, email: string) =>
  t.db
    .updateTable('contact')
    .set({ addressHash: mailHash(t.app, '000000', email) })
    .where('userId', '=', userId)
    .execute()

/** Somebody with a confirmed address has handed in a sign-up, and the events of it are told. */
async function told(headers: Record<string, string> = {}) {
  const { exam } = await makeExam(t)
  const who = await applicant(t)
  const email = await confirmed(who, headers)
  const { id } = (await submit(t, who, exam.id)).data
  await tellDue(t.app)
  return { exam, who, email, id }
}

const rows = () => t.db.selectFrom('delivery').selectAll().orderBy('id').execute()
const states = async () => (await rows()).map(one => one.deliveryState)

describe('that a phone or an e-mail address has changed', () => {
  const text = '您的{what}已变更'
  const phoneOf = (n: number) => {
    const phone = samplePhone(n)
    return {
      phone: t.app.vault.seal(phone),
      phoneHash: t.app.vault.hash('000000', phone),
      phoneMask: maskSealed(phone),
    }
  }
  const numbers = async () => {
    const sent = await t.db.selectFrom('sendmessage').select(['phone', 'content', 'userId']).orderBy('id').execute()
    return sent.map(one => [t.app.vault.open(one.phone ?? ''), /您的(.+)已变更/.exec(one.content)?.[1]]).toSorted()
  }
  const mails = () => server.book.map(({ mail }) => [mail?.to?.[0]?.address, mail?.subject])
  let number = 70_000_000

  /** Somebody with a phone and a confirmed e-mail address, signed in. */
  async function reached() {
    await t.pool.query('TRUNCATE send, sendmessage, sendledger, sms, work_item CASCADE')
    await makeTemplate(t, { smsCode: 'user.contactChanged', templateContent: text })
    await give(t, 100)
    const account = `reached${++number}`
    const userId = await makeUser(t, { role: 'candidate', account })
    await t.db.updateTable('user').set(phoneOf(number)).where('id', '=', userId).execute()
    const who = { ...(await login(t, account)), userId }
    return { who, email: await confirmed(who as never), old: samplePhone(number), next: samplePhone(number + 1000) }
  }
  const change = (who: { headers: Record<string, string> }, values: object) =>
    t.call({ method: 'POST', url: `${own}/update-info`, headers: who.headers, payload: values })

  test('is told at the old number and at the new one', async () => {
    const { who, email, old, next } = await reached()
    expect((await change(who, { phone: next, password: encrypt(t, password) })).code).toBe(200)
    await tellDue(t.app)
    expect(await numbers()).toEqual([
      [old, '手机号码'],
      [next, '手机号码'],
    ])
    await deliverDue(t.app)
    expect(mails()).toEqual([[email, '您的手机号码已变更']])
  })

  test('is told at the old e-mail address, and at the new one when it is confirmed', async () => {
    const { who, email, old } = await reached()
    const given = { email: 'thief@example.com', password: encrypt(t, password) }
    expect((await change(who, given)).code).toBe(200)
    await tellDue(t.app)
    expect(await numbers()).toEqual([[old, '邮箱']])
    await deliverDue(t.app)
    expect(mails()).toEqual([[email, '您的邮箱已变更']])
    expect(await states()).toEqual([DeliveryState.taken])
    expect((await change(who, { email, password: encrypt(t, password) })).code).toBe(200)
    server.book.length = 0
    await tellDue(t.app)
    await deliverDue(t.app)
    expect(mails()).toEqual([[email, '您的邮箱已变更']])
  })

  test('both at once are told at both old addresses; a former one that takes no mail says nothing of the new one', async () => {
    const { who, email, old, next } = await reached()
    const both = { phone: next, email: 'thief@example.com', password: encrypt(t, password) }
    expect((await change(who, both)).code).toBe(200)
    await confirmedNow(who.userId, 'thief@example.com')
    await tellDue(t.app)
    expect(await numbers()).toEqual(
      [old, next].flatMap(phone => [
        [phone, '手机号码'],
        [phone, '邮箱'],
      ]),
    )
    server.behaves = 'refuse'
    await deliverDue(t.app)
    const rows = await t.db.selectFrom('delivery').selectAll().execute()
    expect(rows.map(one => [t.app.vault.open(one.address), one.deliveryState])).toEqual([
      [email, DeliveryState.failed],
      [email, DeliveryState.failed],
    ])
    const contact = t.db.selectFrom('contact').select('problem').where('userId', '=', who.userId)
    expect(await contact.execute()).toEqual([{ problem: null }])
  })

  test('is told alike when staff change it in the form of users, with a new password as a reset', async () => {
    const { who, email, old, next } = await reached()
    await makeTemplate(t, { smsCode: 'user.passwordReset', templateContent: '您的密码已重置' })
    const admin = await loginAs(t, 'admin')
    const submit = (values: object) =>
      t.call({
        method: 'POST',
        url: `${own}/submit`,
        headers: admin.headers,
        payload: { id: who.userId, ...values },
      })
    const change = { phone: next, email: 'thief@example.com' }
    expect(await submit(change)).toMatchObject({ code: 200 })
    expect(await submit({ realName: '王五' })).toMatchObject({ code: 200 })
    expect(await submit({ password: encrypt(t, 'Another@2026') })).toMatchObject({
      code: 200,
    })
    await tellDue(t.app)
    expect((await numbers()).filter(([phone]) => phone === old)).toEqual([
      [old, '手机号码'],
      [old, '邮箱'],
    ])
    const events = t.db.selectFrom('event').select('code').where('subjectId', '=', who.userId).orderBy('id')
    expect((await events.execute()).map(one => one.code)).toEqual([
      'user.contactChanged',
      'user.contactChanged',
      'user.passwordReset',
    ])
    await deliverDue(t.app)
    expect(mails().map(([to]) => to)).toEqual([email, email])
  })
})

describe('e-mails of events', () => {
  test('go to a confirmed address, once, with the words of the inbox, and say what they are about', async () => {
    const { exam, email, id } = await told()
    expect(await rows()).toMatchObject([
      { code: 'signup.submitted', deliveryState: 0, addressMask: 'w***@example.com' },
    ])
    expect(JSON.stringify(await rows())).not.toContain(email)
    await Promise.all([deliverDue(t.app), deliverDue(t.app), deliverDue(t.app)])
    expect(server.book).toHaveLength(1)
    const [{ mail } = { mail: null }] = server.book
    expect(mail).toMatchObject({ to: [{ address: email }], from: { address: 'office@example.org' } })
    expect(mail?.subject).toMatch(/^已收到您在.+的报名，报名号.+，请留意审核结果$/)
    expect(mail?.text).toContain(`/signup/mySignup/${id}`)
    expect(mail?.text).toContain(exam.examName)
    expect(mail?.html).not.toMatch(/<(img|script|link)/)
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.taken, tryNum: 1 }])
  })

  test('speak the language of the page on which the address was confirmed', async () => {
    await told({ 'accept-language': 'en' })
    await deliverDue(t.app)
    expect(server.book[0]?.mail.subject).toMatch(/^We have your application for/)
  })

  test('wait at night for the morning, but for what cannot wait', async () => {
    const night = shanghai('2026-12-02 23:00:00')
    const who = await applicant(t)
    await confirmed(who)
    await t.pool.query('TRUNCATE delivery')
    await at(t, night)
    const code = async (name: string, subjectId: string) => {
      const facts = { account: 'x', what: 'phone' }
      await insert(t.app, Event, {
        code: name,
        subjectId,
        examId: null,
        facts,
        once: null,
        toldTime: null,
        toldTo: null,
      })
      await tellDue(t.app)
    }
    await code('user.passed', who.userId)
    await code('user.passwordReset', who.userId)
    const due = (await rows()).map(one => [one.code, one.goAt])
    expect(due).toEqual([
      ['user.passed', shanghai('2026-12-03 08:00:00')],
      ['user.passwordReset', night],
    ])
    await deliverDue(t.app)
    expect(server.book).toHaveLength(1)
    await at(t, '2026-12-03 08:00:01')
    await deliverDue(t.app)
    expect(server.book).toHaveLength(2)
  })

  test('go to nobody whose address is not confirmed, is another by now, or who wants none', async () => {
    const { exam } = await makeExam(t)
    const [bare, changed, unwilling] = [await applicant(t), await applicant(t), await applicant(t)]
    await t.db.updateTable('user').set({ email: 'x@example.com' }).where('id', '=', bare.userId).execute()
    await confirmed(changed)
    await t.db.updateTable('user').set({ email: 'new@example.com' }).where('id', '=', changed.userId).execute()
    await confirmed(unwilling)
    expect((await post(t, unwilling, `${own}/choose-channel`, { channel: 'mail', isOn: false })).code).toBe(200)
    for (const who of [bare, changed, unwilling]) expect((await submit(t, who, exam.id)).code).toBe(200)
    await tellDue(t.app)
    expect(await rows()).toEqual([])
    expect((await post(t, unwilling, `${own}/choose-channel`, { channel: 'mail', isOn: true })).code).toBe(200)
    expect((await get<object[]>(t, unwilling, `${own}/channels`)).data).toMatchObject([
      { channel: 'sms', isOn: true },
      { channel: 'mail', isOn: true, isConfirmed: true, isOffered: true },
      { channel: 'wechat', isConfirmed: false, isOffered: false },
    ])
  })

  test('are not made where the exam has switched them off, or nothing sends', async () => {
    await insert(t.app, Eventchoice, { examId: null, code: 'signup.submitted', channel: 'mail', isOn: 0 })
    await told()
    expect(await rows()).toEqual([])
  })

  test('are called off when the matter is settled before', async () => {
    const { exam, who, id } = await told()
    const first = await reviewer(t, exam.id, 2)
    const review = { signUpId: id, examineResult: 2, examineResultRemark: '专业不符' }
    expect((await post(t, first, '/api/blade-signup/examine/examine', review)).code).toBe(200)
    await at(t, minutes(1))
    await tellDue(t.app)
    expect(await states()).toEqual([DeliveryState.cancelled, DeliveryState.waiting])
    // What is taken when its matter is over goes nowhere either.
    await t.db
      .updateTable('message')
      .set({ doneTime: minutes(1) })
      .where('userId', '=', who.userId)
      .execute()
    // It waits for as long as the review can be undone.
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.cancelled, DeliveryState.waiting])
    await at(t, minutes(11))
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.cancelled, DeliveryState.cancelled])
    expect(server.book).toEqual([])
  })
})

describe('a mail server', () => {
  test('that knows no such mailbox ends it, and marks the address', async () => {
    const { who } = await told()
    server.behaves = 'refuse'
    await deliverDue(t.app)
    expect(await rows()).toMatchObject([
      { deliveryState: DeliveryState.failed, errMsg: expect.stringContaining('550') },
    ])
    const [, mail] = (await get<{ problem: string }[]>(t, who, `${own}/channels`)).data
    expect(mail?.problem).toContain('550')
    server.behaves = 'take'
    const { exam } = await makeExam(t)
    await submit(t, who, exam.id)
    await tellDue(t.app)
    expect(await states()).toEqual([DeliveryState.failed])
    await at(t, minutes(5))
    await confirmed(who)
    expect((await get<{ problem: string }[]>(t, who, `${own}/channels`)).data[1]?.problem).toBe('')
  })

  test('that wants it later is asked after 1, 5 and 30 minutes, and no more', async () => {
    await told()
    server.behaves = 'later'
    for (const minute of [0, 0.5, 1.1, 6.5, 37, 80]) {
      await at(t, minutes(minute))
      await deliverDue(t.app)
    }
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.failed, tryNum: 4 }])
  })

  test('that was cut after the mail has it again, under the same Message-ID', async () => {
    await told()
    server.behaves = 'cut'
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.waiting])
    server.behaves = 'take'
    await at(t, minutes(2))
    await deliverDue(t.app)
    expect(server.book).toHaveLength(2)
    expect(new Set(server.book.map(one => one.id)).size).toBe(1)
    expect(await states()).toEqual([DeliveryState.taken])
  })

  test('that refuses the password pauses the account; nothing is lost', async () => {
    await told()
    await t.db
      .updateTable('mail')
      .set({ mailPassword: t.app.vault.seal('wrong') })
      .execute()
    await deliverDue(t.app)
    const account = () => t.db.selectFrom('mail').select(['id', 'pausedTime', 'pauseReason']).executeTakeFirstOrThrow()
    const { id, ...paused } = await account()
    expect(paused).toMatchObject({ pausedTime: expect.any(Date), pauseReason: expect.stringContaining('535') })
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.waiting, tryNum: 0 }])
    const tries = server.wrongPasswords
    await at(t, minutes(6))
    await deliverDue(t.app)
    expect(server.wrongPasswords).toBe(tries)
    await t.db
      .updateTable('mail')
      .set({ mailPassword: t.app.vault.seal(mailLogin.pass) })
      .execute()
    const admin = await signIn(t, { role: 'admin' })
    expect((await post(t, admin, '/api/blade-resource/mail/resume', { id })).code).toBe(200)
    await at(t, minutes(12))
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.taken])
  })
})

describe('a process', () => {
  test('that ends between marking and sending leaves it to the next, once its time is over', async () => {
    await told()
    await t.db
      .updateTable('delivery')
      .set({ deliveryState: DeliveryState.underWay, tryNum: 1, goAt: minutes(2) })
      .execute()
    await deliverDue(t.app)
    expect(server.book).toEqual([])
    await at(t, minutes(3))
    await Promise.all([deliverDue(t.app), deliverDue(t.app)])
    expect(server.book).toHaveLength(1)
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.taken, tryNum: 2 }])
  })

  test('that ends each time leaves what nobody can tell', async () => {
    await told()
    await t.db
      .updateTable('delivery')
      .set({ deliveryState: DeliveryState.underWay, tryNum: 4, goAt: minutes(-1) })
      .execute()
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.unknown])
    expect(server.book).toEqual([])
  })
})

describe('the list of deliveries', () => {
  test('shows staff of the exam what did not arrive; it goes out again with a reason', async () => {
    await told()
    server.behaves = 'refuse'
    await deliverDue(t.app)
    const admin = await signIn(t, { role: 'admin' })
    const list = '/api/blade-send/delivery'
    const { data } = await get<{ records: Record<string, string>[] }>(t, admin, `${list}/page`)
    const [line] = data.records
    expect(line).toMatchObject({
      event: '报名已提交',
      deliveryState: DeliveryState.failed,
      address: 'w***@example.com',
    })
    const id = line?.id ?? ''
    expect((await post(t, admin, `${list}/resend`, { id })).code).toBe(29005)
    await t.db.updateTable('contact').set({ problem: null }).execute()
    server.behaves = 'take'
    expect((await post(t, admin, `${list}/resend`, { id, reason: '考生已改正' })).code).toBe(200)
    await deliverDue(t.app)
    expect(server.book).toHaveLength(1)
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.taken, resendReason: '考生已改正' }])
    expect((await post(t, admin, `${list}/resend`, { id, reason: '再发' })).code).toBe(29009)
    const stranger = await signIn(t, { role: 'exam_admin' })
    expect((await get<{ records: object[] }>(t, stranger, `${list}/page`)).data.records).toEqual([])
  })
})
