import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inbox } from '../../src/server/channels/sms/sandbox/outbox.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { askToken, encrypt, loginAs, password, type Session, solved } from '../helper/login.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'
import { makeTemplate } from '../helper/send-bench.ts'

const at = '/api/blade-system/user'
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())
beforeEach(async () => {
  await t.pool.query('TRUNCATE sms, sms_code, sms_outbox, throttle')
  await makeTemplate(t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
})

const rule = (paramValue: string) =>
  t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'register.sms').execute()

/** Has a code sent and reads it as whoever holds the phone. */
async function codeOn(phone: string, purpose: 'register' | 'phone') {
  const url = '/api/blade-auth/oauth/sms/send-validate'
  const { data } = await t.call<{ id: string }>({
    ...{ method: 'POST', url, headers: await solved(t), payload: { phone, purpose } },
  })
  const [message] = await inbox(t.pool, t.app.vault, phone)
  return { codeId: data.id, smsCode: /验证码(\d{6})/.exec(message?.content ?? '')?.[1] ?? '' }
}

describe('registration', () => {
  const cipher = () => encrypt(t, 'Abcd1234x')
  let n = 4000
  const form = (more: Record<string, string> = {}) => ({
    ...{ username: `proved${++n}`, password: cipher(), password2: cipher(), realName: '王小明', idType: '1' },
    ...{ phone: samplePhone(n), idCard: sampleIdCard(n), consentVersion: '1', ...more },
  })
  const register = async (payload: object) =>
    t.call({ method: 'POST', url: `${at}/register`, headers: await solved(t), payload })

  test('takes a code of the phone where codes are sent, and tells pages so', async () => {
    const site = async () => (await t.call<Record<string, unknown>>('/api/public/site')).data
    expect(await site()).toMatchObject({ smsMode: true, registerSms: true, smsSandbox: '/sandbox/sms/' })
    const fields = form()
    expect((await register(fields)).code).toBe(20007)
    const proof = await codeOn(fields.phone, 'register')
    expect((await register({ ...fields, ...proof, smsCode: '12345x' })).code).toBe(20007)
    expect((await register({ ...fields, ...proof, phone: samplePhone(4900) })).code).toBe(20007)
    expect((await register({ ...fields, ...proof })).code).toBe(200)
    expect((await register({ ...form({ phone: fields.phone }), ...proof })).code).toBe(20007)
    await t.pool.query('TRUNCATE sms')
    expect(await site()).toMatchObject({ smsMode: false, registerSms: false })
    expect((await register(form())).code).toBe(200)
    // Without a code there is a calculation or a picture, once.
    const bare = (headers = {}) => t.call({ method: 'POST', url: `${at}/register`, headers, payload: form() })
    expect((await bare()).code).toBe(20001)
    const spent = await solved(t)
    expect([(await bare(spent)).code, (await bare(spent)).code]).toEqual([200, 20001])
  })

  test('follows the parameter before the channel', async () => {
    await rule('0')
    expect((await register(form())).code).toBe(200)
    await rule('1')
    await t.pool.query('TRUNCATE sms')
    expect((await register(form())).code).toBe(20007)
    await rule('auto')
  })

  test('B27 · says that an ID number is taken only to whoever has proved his phone, five times at most', async () => {
    const first = form()
    expect((await register({ ...first, ...(await codeOn(first.phone, 'register')) })).code).toBe(200)
    const asked = form({ idCard: first.idCard })
    expect((await register(asked)).code).toBe(20007)
    const proof = await codeOn(asked.phone, 'register')
    for (let i = 0; i < 5; i++) expect((await register({ ...asked, ...proof })).code).toBe(20013)
    expect((await register({ ...asked, ...proof })).code).toBe(20007)
  })

  test('a name that is taken does not cost another code', async () => {
    const first = form()
    expect((await register({ ...first, ...(await codeOn(first.phone, 'register')) })).code).toBe(200)
    const second = form()
    const proof = await codeOn(second.phone, 'register')
    expect((await register({ ...second, ...proof, username: first.username })).code).toBe(20012)
    expect((await register({ ...second, ...proof })).code).toBe(200)
  })

  test('of two at once with one code one goes on', async () => {
    const [one, other] = [form(), form()]
    const proof = await codeOn(one.phone, 'register')
    const answers = await Promise.all(
      [one, { ...other, phone: one.phone }].map(each => register({ ...each, ...proof })),
    )
    expect(answers.map(answer => answer.code).sort()).toEqual([200, 20007])
  })
})

describe('how one is reached', () => {
  const change = (session: Session, payload: object, path = 'update-info') =>
    t.call<Record<string, unknown>>({ method: 'POST', url: `${at}/${path}`, headers: session.headers, payload })

  test.each(['update-info', 'userUpdate'])('a new phone takes a code sent to it (%s)', async path => {
    const me = await loginAs(t, 'candidate')
    const phone = samplePhone(path === 'userUpdate' ? 5001 : 5002)
    expect((await change(me, { phone }, path)).code).toBe(20007)
    const proof = await codeOn(phone, 'phone')
    // Neither the password nor a code for another thing or another phone proves it.
    expect((await change(me, { phone, password: encrypt(t, password) }, path)).code).toBe(20007)
    expect((await change(me, { phone: samplePhone(5003), ...proof }, path)).code).toBe(20007)
    const wrongKind = await codeOn(samplePhone(5004), 'register')
    expect((await change(me, { phone: samplePhone(5004), ...wrongKind }, path)).code).toBe(20007)
    const { data, code } = await change(me, { phone, ...proof }, path)
    expect({ code, phone: data.phone }).toEqual({ code: 200, phone: `${phone.slice(0, 3)}****${phone.slice(-4)}` })
    expect((await change(me, { phone: String(data.phone), name: '小王' }, path)).code).toBe(200)
    expect((await askToken(t, phone)).body.account).toBe(me.body.account)
    await t.db
      .deleteFrom('user')
      .where('account', '=', me.body.account ?? '')
      .execute()
  })

  test('a new e-mail takes the own password, and so does a phone where no codes are sent', async () => {
    const me = await loginAs(t, 'candidate')
    expect((await change(me, { email: 'a@example.org' })).code).toBe(20002)
    expect((await change(me, { email: 'a@example.org', password: encrypt(t, 'wrong') })).code).toBe(20002)
    const right = () => ({ password: encrypt(t, password) })
    expect((await change(me, { email: 'a@example.org', ...right() })).data.email).toBe('a@example.org')
    expect((await change(me, { email: 'a@example.org', name: '小陈' })).code).toBe(200)
    await t.pool.query('TRUNCATE sms')
    const phone = samplePhone(5005)
    expect((await change(me, { phone })).code).toBe(20002)
    expect((await change(me, { phone, ...right() })).code).toBe(200)
  })
})
