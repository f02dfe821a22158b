import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DeliveryState, EnableStatus, MailSecurity, SendStatus } from '#schemas/dictionaries'
import { Mail } from '#schemas/resource/mail'
import { Wechat } from '#schemas/resource/wechat'
import { Contact } from '#schemas/system/contact'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { mailLogin, mailServer } from '../../../../tests/helper/mail-server.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { makeTemplate, sendOut } from '../../../../tests/helper/send-bench.ts'
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
import {
  encryptedPush,
  openedAnswer,
  signedPush,
  type WechatServer,
  wechatLogin,
  wechatServer,
  wechatTemplateIds,
} from '../../../../tests/helper/wechat-server.ts'
import { mailHash } from '../../../platform/accounts/server/contacts.ts'
import { pushPath } from '../../../platform/channels/wechat/push-routes.ts'
import type { InboxPage } from '../contract.ts'
import { deliverDue } from './deliveries.ts'
import { tellDue } from './tell.ts'

let t: TestApp
let others: TestApp[]
let server: WechatServer
let wechatId: string
beforeAll(async () => {
  server = await wechatServer()
  const config = { wechatApiHost: server.host }
  t = await signApp(config)
  others = await Promise.all([1, 2, 3].map(() => testApp({ url: t.url, now: times.inside, config })))
})
afterAll(async () => {
  for (const one of others ?? []) await one.close()
  await t?.close()
  await server?.close()
})

const own = '/api/blade-system/user'
const minutes = (n: number) => new Date(shanghai(times.inside).getTime() + n * 60_000)
const clock = async (time: Date): Promise<void> => {
  await at(t, time)
  for (const one of others) one.setNow(time)
}

beforeEach(async () => {
  await t.pool.query(
    'TRUNCATE delivery, wechat, wechatbinding, wechat_token, wechat_ticket, wechat_receipt, contact, eventchoice, throttle CASCADE',
  )
  await t.pool.query('UPDATE event SET "toldTime" = now() WHERE "toldTime" IS NULL')
  await clock(minutes(0))
  server.behaves = 'take'
  server.book.length = 0
  server.asked = { token: 0, send: 0 }
  server.followers.clear()
  server.revoke()
  const { vault } = t.app
  const row = await insert(t.app, Wechat, {
    accountName: '鼓楼卫健招聘',
    appId: wechatLogin.appId,
    appSecret: vault.seal(wechatLogin.appSecret),
    pushToken: vault.seal(wechatLogin.pushToken),
    aesKey: null,
    resultTemplate: wechatTemplateIds.result[0],
    resultKeywords: 'thing1=考试 thing2=事项 time3=时间',
    todoTemplate: wechatTemplateIds.todo[0],
    todoKeywords: 'thing1=考试 thing2=事项 time3=截止时间',
    wechatStatus: EnableStatus.enabled,
  })
  wechatId = row.id
})

/** WeChat tells something. @returns its status and what is answered to the person */
async function push(event: Record<string, string>, token?: string) {
  const { query, body } = signedPush(event, t.app.now(), token)
  const { statusCode, payload } = await t.app.inject({
    method: 'POST',
    url: `/api${pushPath(wechatId)}?${query}`,
    headers: { 'content-type': 'text/xml' },
    payload: body,
  })
  return { status: statusCode, text: /<Content><!\[CDATA\[(.*?)\]\]>/s.exec(payload)?.[1] ?? '' }
}

/** Somebody asks for a QR code. */
const begin = async (who: Caller, body: object = {}) =>
  (await post<{ id: string; url: string; inside: string }>(t, who, `${own}/begin-wechat`, body)).data

/** A phone follows the account by a QR code. @returns the code that it is shown, and the words */
async function scan(openid: string, url: string) {
  server.followers.add(openid)
  const { text } = await push({ FromUserName: openid, Event: 'subscribe', EventKey: `qrscene_${server.sceneOf(url)}` })
  return { text, code: /\d{6}/.exec(text)?.[0] ?? '' }
}

const confirm = (who: Caller, id: string, code: string) => post(t, who, `${own}/confirm-wechat`, { id, code })
const confirmInside = (who: Caller, id: string, code: string) =>
  post(t, who, `${own}/confirm-wechat-visit`, { id, code })
const stateOf = async (who: Caller, id: string) =>
  (await get<{ state: string }>(t, who, `${own}/wechat-ticket?id=${id}`)).data.state
const bindings = () => t.db.selectFrom('wechatbinding').selectAll().execute()
const rows = () => t.db.selectFrom('delivery').selectAll().where('channel', '=', 'wechat').orderBy('id').execute()
const states = async () => (await rows()).map(one => one.deliveryState)

/** Somebody who is bound. */
async function bound(openid: string) {
  const who = await applicant(t)
  const { id, url } = await begin(who)
  const { code } = await scan(openid, url)
  expect((await confirm(who, id, code)).code).toBe(200)
  return who
}

/** Somebody who is bound has handed in a sign-up, and the events of it are told. */
async function told(openid = 'oTold') {
  const { exam } = await makeExam(t)
  const who = await bound(openid)
  const { id } = (await submit(t, who, exam.id)).data
  await tellDue(t.app)
  return { exam, who, id }
}

describe('binding a WeChat', () => {
  test('takes a scan, and the code that the scan was answered with, in the session that asked', async () => {
    const who = await applicant(t)
    const { id, url } = await begin(who)
    expect(await stateOf(who, id)).toBe('waiting')
    const { text, code } = await scan('oAnna', url)
    expect(text).toMatch(/账号 .\*+.*（1\d\d\*{4}\d{4}）.*确认码 \d{6}/)
    expect(await stateOf(who, id)).toBe('scanned')
    expect((await confirm(who, id, code === '000000' ? '000001' : '000000')).code).toBe(20061)
    expect((await confirm(who, id, code)).code).toBe(200)
    const [row] = await bindings()
    expect(row).toMatchObject({ userId: who.userId, wechatId })
    expect(row?.openid).not.toContain('oAnna')
    expect(t.app.vault.open(row?.openid ?? '')).toBe('oAnna')
    expect(await stateOf(who, id)).toBe('over')
    expect((await confirm(who, id, code)).code).toBe(20061)
    const [, , wechat] = (await get<object[]>(t, who, `${own}/channels`)).data
    expect(wechat).toMatchObject({ channel: 'wechat', isOffered: true, isOn: true, isConfirmed: true })
  })

  test('is refused to whoever has photographed the QR code of another', async () => {
    const [anna, thief] = [await applicant(t), await applicant(t)]
    const { id, url } = await begin(anna)
    const { code } = await scan('oThief', url)
    // The thief knows the code and has an account; Anna has the page and does not know the code.
    expect((await confirm(thief, id, code)).code).toBe(20061)
    expect(await stateOf(thief, id)).toBe('over')
    expect((await confirm(anna, id, '123456' === code ? '654321' : '123456')).code).toBe(20061)
    expect((await scan('oAnna', url)).text).toContain('已被别人扫描')
    expect(await bindings()).toEqual([])
    const elsewhere = await begin(anna)
    const shown = await scan('oAnna', elsewhere.url)
    await t.db.updateTable('wechat_ticket').set({ sessionId: '1' }).execute()
    expect((await confirm(anna, elsewhere.id, shown.code)).code).toBe(20061)
    const next = await begin(anna)
    expect((await confirm(anna, next.id, (await scan('oAnna', next.url)).code)).code).toBe(200)
    expect(await bindings()).toHaveLength(1)
  })

  test('is refused to an old QR code, and one that another has replaced', async () => {
    const who = await applicant(t)
    const first = await begin(who)
    const second = await begin(who)
    expect((await scan('oAnna', first.url)).text).toContain('已失效')
    await clock(minutes(5.1))
    expect(await stateOf(who, second.id)).toBe('over')
    expect((await scan('oAnna', second.url)).text).toContain('已失效')
    const third = await begin(who)
    const { code } = await scan('oAnna', third.url)
    await clock(minutes(10.5))
    expect((await confirm(who, third.id, code)).code).toBe(20061)
    expect(await bindings()).toEqual([])
  })

  test('gives up after five wrong codes', async () => {
    const who = await applicant(t)
    const { id, url } = await begin(who)
    const { code } = await scan('oAnna', url)
    for (let n = 0; n < 5; n++) expect((await confirm(who, id, 'x')).code).toBe(20061)
    expect((await confirm(who, id, code)).code).toBe(20061)
  })

  test('ends when the account is followed no more, at the wish of the person, and for one account at a time', async () => {
    const anna = await bound('oAnna')
    const bert = await applicant(t)
    const { id, url } = await begin(bert)
    expect((await scan('oAnna', url)).text).toContain('已绑定另一个账号')
    expect(await stateOf(bert, id)).toBe('waiting')
    await push({ FromUserName: 'oAnna', Event: 'unsubscribe' })
    expect(await bindings()).toEqual([])
    expect((await t.pool.query('SELECT count(*)::int AS n FROM wechatbinding')).rows).toEqual([{ n: 0 }])
    const again = await begin(anna)
    expect((await confirm(anna, again.id, (await scan('oAnna', again.url)).code)).code).toBe(200)
    // Whoever is bound proves by the password that another WeChat is meant.
    expect((await post(t, anna, `${own}/begin-wechat`, {})).code).not.toBe(200)
    expect((await post(t, anna, `${own}/unbind-wechat`, {})).code).toBe(200)
    expect((await t.pool.query('SELECT count(*)::int AS n FROM wechatbinding')).rows).toEqual([{ n: 0 }])
    expect((await post(t, anna, `${own}/unbind-wechat`, {})).code).not.toBe(200)
  })

  test('takes the word of WeChat for whoever opens the page inside it, in the session that asked', async () => {
    const [anna, thief] = [await applicant(t), await applicant(t)]
    const { id, inside } = await begin(anna)
    const asked = new URL(inside)
    expect(asked.origin + asked.pathname + asked.hash).toBe(
      'https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect',
    )
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      appid: wechatLogin.appId,
      redirect_uri: expect.stringMatching(/^http.+\/info\/index\?tab=messages$/),
      response_type: 'code',
      scope: 'snsapi_base',
      state: id,
    })
    // Whoever follows nothing is told so, and begins anew.
    const stranger = await confirmInside(anna, id, server.visit('oAnna'))
    expect(stranger.msg).toContain('请先关注公众号，再绑定')
    server.followers.add('oAnna')
    const code = server.visit('oAnna')
    // A page that somebody was sent by another is of another session.
    expect((await confirmInside(thief, id, code)).code).toBe(20061)
    expect((await confirmInside(anna, id, 'made-up')).msg).toContain('授权已失效')
    expect(await bindings()).toEqual([])
    expect((await confirmInside(anna, id, code)).code).toBe(200)
    const [row] = await bindings()
    expect(row).toMatchObject({ userId: anna.userId, wechatId })
    expect(t.app.vault.open(row?.openid ?? '')).toBe('oAnna')
    expect((await confirmInside(anna, id, server.visit('oAnna'))).code).toBe(20061)
    const other = await begin(thief)
    expect((await confirmInside(thief, other.id, server.visit('oAnna'))).msg).toContain('已绑定另一个账号')
    await clock(minutes(5.1))
    server.followers.add('oThief')
    expect((await confirmInside(thief, other.id, server.visit('oThief'))).code).toBe(20061)
    expect(await bindings()).toHaveLength(1)
  })

  test('binds one WeChat where two pages confirm the same at once', async () => {
    const anna = await applicant(t)
    const { id } = await begin(anna)
    for (const openid of ['oAnna', 'oOther']) server.followers.add(openid)
    const answers = await Promise.all(['oAnna', 'oOther'].map(openid => confirmInside(anna, id, server.visit(openid))))
    expect(answers.map(one => one.code).sort()).toEqual([200, 20061])
    expect(await bindings()).toHaveLength(1)
  })

  test('is erased when the consent to it is taken back', async () => {
    const who = await bound('oAnna')
    const consents = '/api/blade-system/own-data'
    const given = (await get<{ kind: string; given: string }[]>(t, who, `${consents}/consents`)).data
    expect(given.find(one => one.kind === 'wechat')?.given).not.toBe('')
    expect((await post(t, who, `${consents}/withdraw-consent`, { kind: 'wechat' })).code).toBe(200)
    expect((await t.pool.query('SELECT count(*)::int AS n FROM wechatbinding')).rows).toEqual([{ n: 0 }])
  })

  test('tells the person that it was bound', async () => {
    const who = await bound('oAnna')
    await tellDue(t.app)
    const { data } = await get<{ records: { title: string }[] }>(t, who, '/api/blade-desk/inbox/page')
    expect(data.records.map(one => one.title).join()).toContain('绑定的微信已变更')
  })
})

describe('what WeChat tells', () => {
  test('is signed with the token of the account, and not old', async () => {
    expect((await push({ FromUserName: 'oX', Event: 'subscribe' }, 'AnotherToken')).status).toBe(404)
    const { query, body } = signedPush({ FromUserName: 'oX', Event: 'subscribe' }, minutes(-6))
    const late = { method: 'POST', url: `/api${pushPath(wechatId)}?${query}`, payload: body } as const
    expect((await t.app.inject({ ...late, headers: { 'content-type': 'text/xml' } })).statusCode).toBe(404)
    const fresh = signedPush({}, t.app.now())
    const check = await t.app.inject(`/api${pushPath(wechatId)}?${fresh.query}&echostr=4711`)
    expect([check.statusCode, check.payload]).toEqual([200, '4711'])
    expect((await t.app.inject(`/api${pushPath('1')}?${fresh.query}&echostr=4711`)).statusCode).toBe(404)
    expect((await push({ FromUserName: 'oX', Event: 'subscribe' })).text).toContain('已关注')
  })

  test('is encrypted where the account has a key, and taken in plain text no more', async () => {
    await t.db
      .updateTable('wechat')
      .set({ aesKey: t.app.vault.seal(wechatLogin.aesKey) })
      .execute()
    const anna = await bound('oAnna').catch(() => null)
    expect(anna).toBeNull()
    expect((await push({ FromUserName: 'oX', Event: 'subscribe' })).status).toBe(400)
  })

  test('is opened with the key of the account and answered under it; for another account, or changed, it is refused', async () => {
    await t.db
      .updateTable('wechat')
      .set({ aesKey: t.app.vault.seal(wechatLogin.aesKey) })
      .execute()
    const who = await applicant(t)
    const { id, url } = await begin(who)
    const event = { FromUserName: 'oSealed', Event: 'subscribe', EventKey: `qrscene_${server.sceneOf(url)}` }
    server.followers.add('oSealed')
    const tell = ({ query, body }: { query: string; body: string }) =>
      t.app.inject({
        method: 'POST',
        url: `/api${pushPath(wechatId)}?${query}`,
        headers: { 'content-type': 'text/xml' },
        payload: body,
      })
    const good = encryptedPush(event, t.app.now())
    const changed = good.body.replace(/(?<=Encrypt><!\[CDATA\[.{40})./, one => (one === 'A' ? 'B' : 'A'))
    expect((await tell({ ...good, body: changed })).statusCode).toBe(400)
    expect((await tell(encryptedPush(event, t.app.now(), 'wxffffffffffffffff'))).statusCode).toBe(400)
    expect(await stateOf(who, id)).toBe('waiting')
    const { statusCode, payload } = await tell(good)
    expect(statusCode).toBe(200)
    expect(payload).not.toContain('确认码')
    const code = /确认码 (\d{6})/.exec(openedAnswer(payload))?.[1] ?? ''
    expect((await confirm(who, id, code)).code).toBe(200)
    expect(await bindings()).toHaveLength(1)
  })

  test('of a message is noted once, whether it comes before or after the answer', async () => {
    await told()
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.taken])
    const [{ msgId, openid } = { msgId: '', openid: '' }] = server.book
    const done = { Event: 'TEMPLATESENDJOBFINISH', MsgID: msgId, FromUserName: openid }
    await push({ ...done, FromUserName: 'oOther', Status: 'success', MsgID: '999' })
    expect(await states()).toEqual([DeliveryState.taken])
    await push({ ...done, Status: 'failed:user block' })
    await push({ ...done, Status: 'success' })
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.failed, errMsg: '对方拒收公众号的消息' }])
    await push({ FromUserName: 'oEarly', Event: 'TEMPLATESENDJOBFINISH', MsgID: '10001', Status: 'success' })
    await told('oEarly')
    await deliverDue(t.app)
    expect((await states()).at(-1)).toBe(DeliveryState.arrived)
  })
})

describe('messages of events', () => {
  test('go to whoever is bound, once, with the keywords of the settings', async () => {
    const { exam, id } = await told()
    expect(await rows()).toMatchObject([{ code: 'signup.submitted', deliveryState: DeliveryState.waiting }])
    await Promise.all([t, ...others].map(one => deliverDue(one.app)))
    expect(server.book).toHaveLength(1)
    const [one] = server.book
    expect(one).toMatchObject({ openid: 'oTold', template: wechatTemplateIds.result[0] })
    expect(one?.url).toContain(`/signup/mySignup/${id}`)
    expect(one?.data.thing2).toBe('报名已提交')
    expect(exam.examName.slice(0, 10)).toBe(one?.data.thing1?.slice(0, 10))
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.taken, tryNum: 1, ref: one?.msgId }])
  })

  test('go out as e-mails do while the balance for text messages is empty', async () => {
    const mails = await mailServer()
    const hosts = `127.0.0.1:${mails.port}`
    await t.db.updateTable('param').set({ paramValue: hosts }).where('paramKey', '=', 'mail.hosts').execute()
    await t.pool.query('TRUNCATE mail, sms, send, sendmessage, sendledger CASCADE')
    await insert(t.app, Mail, {
      fromAddress: 'office@example.org',
      host: '127.0.0.1',
      port: mails.port,
      mailSecurity: MailSecurity.none,
      mailAccount: mailLogin.user,
      mailPassword: t.app.vault.seal(mailLogin.pass),
      mailStatus: EnableStatus.enabled,
    })
    await makeTemplate(t, { smsCode: 'signup.returned', templateContent: '{exam}的报名被退回' })
    const { exam } = await makeExam(t)
    const who = await bound('oAll')
    const email = 'all@example.com'
    await t.db.updateTable('user').set({ email }).where('id', '=', who.userId).execute()
    await insert(t.app, Contact, {
      userId: who.userId,
      channel: 'mail',
      addressHash: mailHash(t.app, '000000', email),
      isOff: 0,
      language: null,
      confirmTime: t.app.now(),
      problem: null,
    })
    const { id } = (await submit(t, who, exam.id)).data
    const returned = { signUpId: id, examineResult: 3, examineResultRemark: '请补证书' }
    const first = await reviewer(t, exam.id, 2)
    // The business goes on.
    expect((await post(t, first, '/api/blade-signup/examine/examine', returned)).code).toBe(200)
    await clock(minutes(1))
    await tellDue(t.app)
    await clock(minutes(15))
    await deliverDue(t.app)
    await sendOut(t)
    expect((await get<InboxPage>(t, who, '/api/blade-desk/inbox/page')).data.records[0]?.title).toContain('被退回')
    expect(server.book.map(one => one.data.thing2)).toContain('退回修改')
    expect(mails.book.map(one => one.mail.subject)).toContainEqual(expect.stringContaining('被退回'))
    expect(await t.db.selectFrom('send').select('sendStatus').execute()).toEqual([{ sendStatus: SendStatus.unpaid }])
    expect(await t.db.selectFrom('sms_outbox').select('id').execute()).toEqual([])
    await mails.close()
  })

  test('are not made for whoever wants none, where the exam wants none, or without a template', async () => {
    const { exam } = await makeExam(t)
    const [unwilling, other] = [await bound('oUnwilling'), await bound('oOther')]
    expect((await post(t, unwilling, `${own}/choose-channel`, { channel: 'wechat', isOn: false })).code).toBe(200)
    await submit(t, unwilling, exam.id)
    await tellDue(t.app)
    expect(await rows()).toEqual([])
    const admin = await signIn(t, { role: 'admin' })
    const off = { examId: exam.id, code: 'signup.submitted', channel: 'wechat', isOn: false }
    expect((await post(t, admin, '/api/blade-desk/inbox/choose', off)).code).toBe(200)
    await submit(t, other, exam.id)
    await tellDue(t.app)
    expect(await rows()).toEqual([])
    await t.db.updateTable('wechat').set({ resultTemplate: null }).execute()
    await told()
    expect(await rows()).toEqual([])
  })

  test('go out at most once: what was taken and not answered is unknown, and stays so', async () => {
    await told()
    server.behaves = 'cut'
    await deliverDue(t.app)
    expect(await rows()).toMatchObject([{ deliveryState: DeliveryState.unknown, tryNum: 1 }])
    server.behaves = 'take'
    await clock(minutes(60))
    await deliverDue(t.app)
    expect([server.book.length, server.asked.send]).toEqual([1, 1])
  })

  test('go out at most once: what a process has left is unknown', async () => {
    await told()
    await t.db
      .updateTable('delivery')
      .set({ deliveryState: DeliveryState.underWay, tryNum: 1, goAt: minutes(2) })
      .execute()
    await deliverDue(t.app)
    await clock(minutes(3))
    await Promise.all([t, ...others].map(one => deliverDue(one.app)))
    expect(server.asked.send).toBe(0)
    expect(await states()).toEqual([DeliveryState.unknown])
  })

  test('end where the account is followed no more, and forget the WeChat', async () => {
    await told()
    server.followers.clear()
    await deliverDue(t.app)
    expect(await rows()).toMatchObject([
      { deliveryState: DeliveryState.failed, errMsg: expect.stringContaining('43004') },
    ])
    expect(await bindings()).toEqual([])
  })

  test('wait while WeChat wants it later', async () => {
    await told()
    server.behaves = 45009
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.waiting])
    server.behaves = 'take'
    await clock(minutes(2))
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.taken])
  })

  test.each([40037, 48001])('pause the account where a template is refused (%d); nothing is lost', async errcode => {
    await told()
    server.behaves = errcode
    await deliverDue(t.app)
    const account = () =>
      t.db.selectFrom('wechat').select(['id', 'pausedTime', 'pauseReason']).executeTakeFirstOrThrow()
    const { id, ...paused } = await account()
    expect(paused).toMatchObject({
      pausedTime: expect.any(Date),
      pauseReason: expect.stringContaining(String(errcode)),
    })
    expect(await states()).toEqual([DeliveryState.waiting])
    server.behaves = 'take'
    await clock(minutes(6))
    await deliverDue(t.app)
    expect(server.book).toEqual([])
    const admin = await signIn(t, { role: 'admin' })
    expect((await post(t, admin, '/api/blade-resource/wechat/resume', { id })).code).toBe(200)
    await clock(minutes(12))
    await deliverDue(t.app)
    expect(await states()).toEqual([DeliveryState.taken])
  })
})

describe('the access token', () => {
  const codes = () => [t, ...others].map(one => one.app.wechat.sceneCode('000000', 'a'.repeat(32), 300))

  test('is asked for once by four processes that find it ended at the same time', async () => {
    await Promise.all(codes())
    expect(server.asked.token).toBe(1)
    await clock(minutes(115))
    await Promise.all(codes())
    expect(server.asked.token).toBe(2)
    const { rows } = await t.pool.query<{ token: string }>('SELECT token FROM wechat_token')
    expect(rows).toHaveLength(1)
    expect(t.app.vault.open(rows[0]?.token ?? '')).toMatch(/^[0-9a-f]{32}$/)
  })

  test('that is good no more is asked for once, and the message is sent once more', async () => {
    await told()
    expect(server.asked.token).toBe(1)
    server.revoke()
    await deliverDue(t.app)
    expect(server.asked.token).toBe(2)
    expect(server.book).toHaveLength(1)
    expect(await states()).toEqual([DeliveryState.taken])
    // A secret that is wrong ends it: one more token, one more try, and the account waits for somebody.
    await told('oNext')
    server.behaves = 40001
    server.asked = { token: 0, send: 0 }
    await deliverDue(t.app)
    expect(server.asked).toEqual({ token: 1, send: 2 })
    expect((await states()).at(-1)).toBe(DeliveryState.waiting)
  })
})
