import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { askToken, bearer, encrypt, login, makeUser, password, solved, webClient } from '../helper/login.ts'

const url = '/api/blade-auth/oauth/token'
const saber = `Basic ${Buffer.from('saber:saber_secret').toString('base64')}`

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const ask = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  t.app
    .inject({ method: 'POST', url, query, headers: { authorization: webClient, ...headers } })
    .then(answer => ({ status: answer.statusCode, body: answer.json() }))

describe('the token call', () => {
  test('answers a session without an envelope', async () => {
    const id = await makeUser(t, { role: 'reviewer', account: 'flat', code: 'U1' })
    const { status, body } = await askToken(t, 'flat')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ tenant_id: '000000', user_id: id, account: 'flat', user_name: 'flat', role_name: 'reviewer' },
      ...{ token_type: 'bearer', expires_in: 3600, userType: 1, userCode: 'U1', oauth_id: '', post_id: '', avatar: '' },
      ...{ detail: { type: 'web', mustChangePwd: 0 } },
    })
    expect(body.access_token).toMatch(/^[\w-]{43}$/)
    expect(body).not.toHaveProperty('code')
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  test('takes its parameters from the address, a form or JSON', async () => {
    const headers = { authorization: saber }
    const fields = () => ({ grantType: 'captcha', account: 'admin', password: encrypt(t, password) })
    const inForm = new URLSearchParams(fields()).toString()
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded', ...(await solved(t)) }
    expect((await t.app.inject({ method: 'POST', url, headers: form, payload: inForm })).statusCode).toBe(200)
    const json = { ...headers, ...(await solved(t)) }
    expect((await t.app.inject({ method: 'POST', url, headers: json, payload: fields() })).statusCode).toBe(200)
    const coded = { authorization: saber.replace(' ', '%20'), ...(await solved(t)) }
    expect((await t.app.inject({ method: 'POST', url, headers: coded, query: fields() })).statusCode).toBe(200)
  })

  test('reads many cipher texts at once in as many turns of the event loop, so that others come in between', async () => {
    let [loops, isOver] = [0, false]
    const count = () => {
      loops++
      if (!isOver) setImmediate(count)
    }
    const text = encrypt(t, password)
    setImmediate(count)
    const read = await Promise.all(Array.from({ length: 64 }, () => t.app.cipher.open([text], t.app.now())))
    isOver = true
    expect(read.flat()).toEqual(Array.from({ length: 64 }, () => password))
    expect(loops).toBeGreaterThanOrEqual(63)
  })

  test('refuses in the fields of both dialects', async () => {
    expect(await askToken(t, 'admin', 'wrong')).toEqual({
      status: 400,
      body: {
        ...{ error_code: 20002, error_description: '用户名或密码错误', code: 20002, success: false },
        ...{ msg: '用户名或密码错误', data: {} },
      },
    })
    await t.db.updateTable('user').set({ failCount: 0, lockUntil: null }).execute()
    await t.db.deleteFrom('throttle').execute()
  })
})

describe('passwords in cipher', () => {
  test('B9 · with a number of the server serve once, for five minutes, with the present key', async () => {
    const asked = await t.call<Record<string, string>>('/api/blade-auth/oauth/public-key')
    const { serverTime, nonce, keyId } = asked.data as Record<string, string>
    const cipher = encrypt(t, `${password}\n${serverTime}\n${nonce}`)
    const query = { grant_type: 'captcha', username: 'admin', password: cipher, keyId: keyId! }
    expect((await ask({ ...query, keyId: 'sm2-0' }, await solved(t))).body.code).toBe(20017)
    expect((await ask(query, await solved(t))).status).toBe(200)
    expect((await ask(query, await solved(t))).body.code).toBe(20017)
    const old = t.app.cipher.ticket(new Date(Date.now() - 301_000))
    const late = encrypt(t, `${password}\n${old.serverTime}\n${old.nonce}`)
    expect((await ask({ ...query, password: late }, await solved(t))).body.code).toBe(20017)
    const forged = encrypt(t, `${password}\n${serverTime}\n${nonce!.slice(0, -1)}A`)
    expect((await ask({ ...query, password: forged }, await solved(t))).body.code).toBe(20017)
  })
})

describe('the captcha', () => {
  const query = () => ({ grant_type: 'password', username: 'admin', password: encrypt(t, password) })

  test('is a picture with a key, in both places clients look', async () => {
    const answer = await t.app.inject('/api/blade-auth/oauth/captcha')
    const body = answer.json()
    expect(body).toMatchObject({ code: 200, data: { key: body.key, image: body.image } })
    expect(body.image).toMatch(/^data:image\/svg\+xml;base64,/)
    const row = await t.db.selectFrom('captcha').selectAll().where('key', '=', body.key).executeTakeFirstOrThrow()
    expect(row.answer).toHaveLength(5)
    const headers = { 'captcha-key': body.key, 'captcha-code': row.answer.toUpperCase() }
    expect((await ask(query(), headers)).status).toBe(200)
    expect((await ask(query(), headers)).body.code).toBe(20001)
  })

  test('B9 · 12 · cannot be left out, empty, wrong, late, used before or by the other grant', async () => {
    const right = await solved(t)
    const bad = [{}, { 'captcha-key': 'x', 'captcha-code': '' }, { ...right, 'captcha-code': '' }]
    for (const one of bad) expect((await ask(query(), one as Record<string, string>)).body.code).toBe(20001)
    expect((await ask(query(), { ...right, 'captcha-code': 'wrong' })).body.code).toBe(20001)
    expect((await ask(query(), right)).body.code).toBe(20001)
    const late = await solved(t)
    await t.db
      .updateTable('captcha')
      .set({ until: new Date(0) })
      .execute()
    expect((await ask(query(), late)).body.code).toBe(20001)
  })

  test('is given 20 times a minute to one address', async () => {
    await t.db.deleteFrom('throttle').execute()
    for (let i = 0; i < 20; i++) expect((await t.call('/api/blade-auth/oauth/captcha')).status).toBe(200)
    expect(await t.call('/api/blade-auth/oauth/captcha')).toMatchObject({ status: 429, code: 29007 })
  })

  test('B17 · is asked without captcha mode only after 20 failures of an address', async () => {
    const second = await testApp({ url: t.url, config: { captchaMode: false } })
    try {
      await t.db.deleteFrom('throttle').execute()
      const headers = { authorization: webClient }
      const send = () => second.app.inject({ method: 'POST', url, headers, query: query() })
      expect((await send()).statusCode).toBe(200)
      const until = new Date(Date.now() + 60_000)
      await t.db.insertInto('throttle').values({ key: 'login-ip:127.0.0.1', count: 20, until }).execute()
      expect((await send()).json().code).toBe(20001)
    } finally {
      await second.close()
      await t.db.deleteFrom('throttle').execute()
    }
  })
})

describe('the lock', () => {
  test('B17 · closes an account after five wrong passwords, however many come at once', async () => {
    await makeUser(t, { role: 'reviewer', account: 'target' })
    const tries = await Promise.all(Array.from({ length: 8 }, () => askToken(t, 'target', 'wrong')))
    const codes = tries.map(one => one.body.code).sort()
    expect(codes).toEqual([20002, 20002, 20002, 20002, 20002, 20003, 20003, 20003])
    const locked = await askToken(t, 'target')
    expect(locked.body).toMatchObject({ code: 20003, msg: '登录失败次数过多，账号已锁定，请30分钟后再试' })
    await t.db
      .updateTable('user')
      .set({ lockUntil: new Date(Date.now() - 1000) })
      .execute()
    expect((await askToken(t, 'target')).status).toBe(200)
  })

  test('answers unknown accounts like known ones', async () => {
    const answers = []
    for (let i = 0; i < 6; i++) answers.push((await askToken(t, 'nobody', 'wrong')).body.code)
    expect(answers).toEqual([20002, 20002, 20002, 20002, 20002, 20003])
  })

  test('counts fifteen minutes and forgets after a success', async () => {
    await makeUser(t, { role: 'candidate', account: 'forget' })
    for (let i = 0; i < 4; i++) await askToken(t, 'forget', 'wrong')
    expect((await askToken(t, 'forget')).status).toBe(200)
    for (let i = 0; i < 4; i++) expect((await askToken(t, 'forget', 'wrong')).body.code).toBe(20002)
    expect((await askToken(t, 'forget')).status).toBe(200)
  })
})

describe('accounts', () => {
  test('of candidates are also known by phone and ID number', async () => {
    const more = { account: 'zhang', phone: '13912345678', idCard: '11010519491231002X' }
    await makeUser(t, { role: 'candidate', ...more })
    for (const name of ['zhang', more.phone, more.idCard, more.idCard.toLowerCase()]) {
      expect((await askToken(t, name)).body.account).toBe('zhang')
    }
    await makeUser(t, { role: 'reviewer', account: 'staff', phone: '13912345679' })
    expect((await askToken(t, '13912345679')).body.code).toBe(20002)
  })

  test('that may not log in say why, to whoever knows the password', async () => {
    await makeUser(t, { role: 'candidate', account: 'off', accountStatus: 2 })
    await makeUser(t, { role: 'candidate', account: 'waiting', accountStatus: 3 })
    await makeUser(t, { role: 'candidate', account: 'refused', accountStatus: 4, auditRemark: '照片不清' })
    expect(await askToken(t, 'off')).toMatchObject({ status: 403, body: { code: 20004 } })
    expect((await askToken(t, 'waiting')).body.code).toBe(20005)
    expect((await askToken(t, 'refused')).body.msg).toBe('注册申请未通过：照片不清')
    expect((await askToken(t, 'off', 'wrong')).body.code).toBe(20002)
  })

  test('with a password to change can do nothing else', async () => {
    await makeUser(t, { role: 'reviewer', account: 'fresh', mustChangePwd: 1 })
    const { headers, body } = await login(t, 'fresh')
    expect(body.detail.mustChangePwd).toBe(1)
    expect(await t.call({ url: '/api/blade-auth/oauth/clear-cache', headers })).toMatchObject({
      status: 403,
      code: 20016,
    })
    expect((await t.call({ url: '/api/blade-auth/oauth/user-info', headers })).code).toBe(200)
  })

  test('see themselves with roles and permissions', async () => {
    const { headers } = await login(t, 'admin')
    const { data } = await t.call<Record<string, string[]>>({ url: '/api/blade-auth/oauth/user-info', headers })
    expect(data.roles).toEqual(['administrator'])
    expect(data.permissions).toContain('user_reset')
    expect(data).not.toHaveProperty('access_token')
    expect((await t.call({ url: '/api/blade-auth/oauth/user-info', headers: bearer('x') })).status).toBe(401)
  })
})
