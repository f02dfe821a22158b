import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  askToken,
  encrypt,
  login,
  loginAs,
  makeUser,
  password,
  type Session,
  solved,
} from '../../../../tests/helper/login.ts'
import { sampleIdCard, samplePhone } from '../../../../tests/helper/sample.ts'
import { makeTemplate } from '../../../../tests/helper/send-bench.ts'
import { inbox } from '../../channels/sms/sandbox/outbox.ts'

const at = '/api/blade-system/user'
let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())
beforeEach(async () => {
  await t.pool.query('TRUNCATE sms, sms_code, sms_outbox, throttle CASCADE')
  await makeTemplate(t, { smsCode: 'validate', templateContent: '验证码{code}，{minutes}分钟内有效。' })
})

const rule = (paramValue: string) =>
  t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'register.sms').execute()

/** Has a code sent and reads it as whoever holds the phone. */
async function codeOn(phone: string, purpose: 'register' | 'phone' | 'password') {
  const url = '/api/blade-auth/oauth/sms/send-validate'
  const { data } = await t.call<{ id: string }>({
    method: 'POST',
    url,
    headers: await solved(t),
    payload: { phone, purpose },
  })
  const [message] = await inbox(t.pool, t.app.vault, phone)
  return { codeId: data.id, smsCode: /验证码(\d{6})/.exec(message?.content ?? '')?.[1] ?? '' }
}

describe('registration', () => {
  const cipher = () => encrypt(t, 'Abcd1234x')
  let n = 4000
  const form = (more: Record<string, string> = {}) => ({
    username: `proved${++n}`,
    password: cipher(),
    password2: cipher(),
    realName: '王小明',
    idType: '1',
    phone: samplePhone(n),
    idCard: sampleIdCard(n),
    consentVersion: '1',
    ...more,
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
    await t.pool.query('TRUNCATE sms CASCADE')
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
    await t.pool.query('TRUNCATE sms CASCADE')
    expect((await register(form())).code).toBe(20007)
    await rule('auto')
  })

  test('B27 · says that an ID number is taken only to whoever has proved the phone, five times at most', async () => {
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
    await t.db.deleteFrom('formeraddress').execute()
    await t.db
      .deleteFrom('user')
      .where('account', '=', me.body.account ?? '')
      .execute()
  })

  test('a new e-mail takes the own password, and so does a phone where no codes are sent', async () => {
    const me = await loginAs(t, 'candidate')
    // It says in words what is asked for, and not that a user name was wrong.
    const asked = await change(me, { email: 'a@example.org' })
    expect(asked).toMatchObject({ code: 20052, data: [{ field: 'password' }] })
    expect(asked.msg).toBe('更换电子邮箱须确认是本人，请输入登录密码')
    const wrong = await change(me, { email: 'a@example.org', password: encrypt(t, 'wrong') })
    expect(wrong).toMatchObject({ code: 20051, msg: '登录密码不正确' })
    expect((await change(me, { email: '' })).code).toBe(200)
    const right = () => ({ password: encrypt(t, password) })
    expect((await change(me, { email: 'a@example.org', ...right() })).data.email).toBe('a@example.org')
    expect((await change(me, { email: 'a@example.org', name: '小陈' })).code).toBe(200)
    await t.pool.query('TRUNCATE sms CASCADE')
    const phone = samplePhone(5005)
    expect((await change(me, { phone })).code).toBe(20050)
    expect((await change(me, { phone, ...right() })).code).toBe(200)
    // The whole form of a person, as the specification has it: a session that has just begun proves nothing.
    const form = { realName: '陈某', name: '小陈', phone: `${phone.slice(0, 3)}****${phone.slice(-4)}`, avatar: '' }
    const mine = { headers: (await login(t, me.body.account ?? '')).headers } as Session
    expect((await change(mine, { ...form, email: 'b@example.org' })).code).toBe(20052)
    expect((await change(mine, { ...form, email: 'c@example.org', password: encrypt(t, 'wrong') })).code).toBe(20051)
    expect((await change(mine, { ...form, email: 'b@example.org', ...right() })).data.email).toBe('b@example.org')
    expect((await change(mine, { ...form, email: 'b@example.org' })).code).toBe(200)
    expect((await change(mine, { phone: samplePhone(5006) })).code).toBe(20050)
  })
})

describe('a lost password', () => {
  const find = (payload: object) => t.call<{ account: string }>({ method: 'POST', url: `${at}/find-password`, payload })
  const next = 'Neu-gewaehlt-26'
  const secret = (text = next) => ({ password: encrypt(t, text), password2: encrypt(t, text) })
  const codeTo = async (phone: string) => {
    await t.pool.query('TRUNCATE sms_outbox')
    return codeOn(phone, 'password')
  }
  let n = 5200
  const owner = async (role: string) => {
    const [account, phone] = [`lost${++n}`, samplePhone(n)]
    const id = await makeUser(t, { role, account, phone })
    await t.pool.query(`UPDATE "user" SET "phoneHash" = $2 WHERE id = $1`, [id, t.app.vault.hash('000000', phone)])
    return { id, account, phone }
  }

  test('E31 · is replaced by a code on the phone of the account, once, and its sessions end', async () => {
    for (const role of ['candidate', 'reviewer']) {
      const { id, account, phone } = await owner(role)
      const { body } = await askToken(t, account)
      const proof = { phone, ...(await codeTo(phone)) }
      expect((await find({ ...proof, ...secret(), smsCode: '00000x' })).code).toBe(20007)
      expect((await find({ ...proof, ...secret('abc') })).code).toBe(20009)
      expect((await find({ ...proof, ...secret(), password2: encrypt(t, 'other') })).code).toBe(20015)
      expect((await find({ ...proof, password: next, password2: next })).code).toBe(20017)
      for (let i = 0; i < 5; i++) await askToken(t, account, 'wrong')
      expect(await find({ ...proof, ...secret() })).toMatchObject({ code: 200, data: { account } })
      expect((await find({ ...proof, ...secret() })).code).toBe(20007)
      const headers = { 'blade-auth': `bearer ${body.access_token}` }
      expect((await t.call({ url: '/api/blade-auth/oauth/user-info', headers })).status).toBe(401)
      expect((await askToken(t, account, next)).status).toBe(200)
      expect((await askToken(t, account)).body.code).toBe(20002)
      const noted = await t.pool.query(`SELECT detail FROM auditlog WHERE event = 'password' AND "targetId" = $1`, [id])
      expect(noted.rows).toMatchObject([{ detail: { account, by: 'sms' } }])
    }
  })

  test('E31 · whoever has the code is told whose password it is and by which rules, and nobody else', async () => {
    const ask = (payload: object) => t.call({ method: 'POST', url: `${at}/find-account`, payload })
    for (const [role, userType] of [
      ['candidate', 2],
      ['reviewer', 1],
    ] as const) {
      const { account, phone } = await owner(role)
      const proof = { phone, ...(await codeTo(phone)) }
      const wrong = await ask({ ...proof, smsCode: '00000x' })
      expect(wrong).toMatchObject({ code: 20007 })
      expect(JSON.stringify(wrong)).not.toContain(account)
      expect(await ask(proof)).toMatchObject({ code: 200, data: { account, userType } })
      // The code still counts for the password itself, once.
      expect((await find({ ...proof, ...secret() })).code).toBe(200)
      expect((await ask(proof)).code).toBe(20007)
    }
    expect((await ask({ phone: samplePhone(5998), codeId: 'x', smsCode: '123456' })).code).toBe(20007)
    const { phone } = await owner('administrator')
    expect(await ask({ phone, ...(await codeTo(phone)) })).toMatchObject({ status: 403 })
  })

  test('B27 · of a phone nobody has answers like a wrong code, and an administrator needs another one', async () => {
    const unknown = { phone: samplePhone(5999), codeId: 'x', smsCode: '123456', ...secret() }
    expect(await find(unknown)).toMatchObject({ code: 20007 })
    const { phone, account } = await owner('administrator')
    expect(await find({ phone, ...(await codeTo(phone)), ...secret() })).toMatchObject({ status: 403 })
    expect((await askToken(t, account)).status).toBe(200)
  })
})
