import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  askToken,
  bearer,
  encrypt,
  login,
  makeUser,
  password,
  resultOf,
  solved,
  webClient,
} from '../../../../tests/helper/login.ts'
import type { Work } from './captcha.ts'

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

/** A calculation as our pages get it. */
const challenge = async (at: TestApp) =>
  (await at.call<{ key: string; image: string; work: Work }>('/api/blade-auth/oauth/captcha?kind=work')).data

const setParam = (key: string, paramValue: string) =>
  t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', key).execute()

describe('the token call', () => {
  test('answers a session without an envelope', async () => {
    const id = await makeUser(t, { role: 'reviewer', account: 'flat', code: 'U1' })
    const { status, body } = await askToken(t, 'flat')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      tenant_id: '000000',
      user_id: id,
      account: 'flat',
      user_name: 'flat',
      role_name: 'reviewer',
      token_type: 'bearer',
      expires_in: 3600,
      userType: 1,
      userCode: 'U1',
      oauth_id: '',
      post_id: '',
      avatar: '',
      detail: { type: 'web', mustChangePwd: 0 },
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
    expect(await askToken(t, 'admin', 'wrong')).toMatchObject({
      status: 400,
      body: {
        error_code: 20002,
        error_description: '用户名或密码错误',
        code: 20002,
        success: false,
        msg: '用户名或密码错误',
        data: {},
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

  test('is a picture of pixels with a key, in both places clients look, for clients that know nothing else', async () => {
    const answer = await t.app.inject('/api/blade-auth/oauth/captcha')
    const body = answer.json()
    expect(body).toMatchObject({ code: 200, data: { key: body.key, image: body.image } })
    const [, base64 = ''] = /^data:image\/png;base64,(.+)$/.exec(body.image) ?? []
    const bytes = Buffer.from(base64, 'base64')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 130, height: 48 })
    const row = await t.db.selectFrom('captcha').selectAll().where('key', '=', body.key).executeTakeFirstOrThrow()
    expect(row.answer).toHaveLength(5)
    expect(bytes.toString('latin1').toLowerCase()).not.toContain(row.answer)
    const headers = { 'captcha-key': body.key, 'captcha-code': row.answer.toUpperCase() }
    expect((await ask(query(), headers)).status).toBe(200)
    expect((await ask(query(), headers)).body.code).toBe(20001)
  })

  test('is a calculation for our own pages, which serves once in all processes and for twenty minutes', async () => {
    const second = await testApp({ url: t.url })
    try {
      const { key, image, work } = await challenge(t)
      expect({ image, max: work.maxnumber, rows: (await t.pool.query('SELECT 1 FROM captcha')).rowCount }).toEqual({
        image: '',
        max: 100_000,
        rows: 0,
      })
      const headers = { 'captcha-key': key, 'captcha-code': String(resultOf(work)) }
      const wrong = { ...headers, 'captcha-code': String(resultOf(work) + 1) }
      expect((await ask(query(), wrong)).body.code).toBe(20001)
      expect((await ask(query(), headers)).status).toBe(200)
      expect(await second.app.captcha.check(key, headers['captcha-code'])).toBe(false)
      const late = await challenge(t)
      t.setNow(new Date(Date.now() + 20 * 60_000 + 1000))
      expect(await t.app.captcha.check(late.key, String(resultOf(late.work)))).toBe(false)
    } finally {
      t.setNow(new Date())
      await second.close()
    }
  })

  test('B9 · a calculation cannot be made up, made easier or prolonged', async () => {
    const { key } = await challenge(t)
    const signed = JSON.parse(Buffer.from(key.slice(5), 'base64url').toString())
    const forged = (more: object) => `work.${Buffer.from(JSON.stringify({ ...signed, ...more })).toString('base64url')}`
    const easy = {
      salt: 'a?expires=9999999999&',
      challenge: createHash('sha256').update('a?expires=9999999999&0').digest('hex'),
    }
    const keys = [
      forged(easy),
      forged({ ...easy, signature: '' }),
      forged({ algorithm: 'SHA-1' }),
      'work.',
      'work.e30',
      'x'.repeat(5000),
    ]
    for (const one of keys)
      expect([one.slice(0, 20), await t.app.captcha.check(one, '0')]).toEqual([one.slice(0, 20), false])
  })

  test('A4 · the calculation grows with what an address has failed, and each costs no row', async () => {
    const until = new Date(Date.now() + 60_000)
    for (const [fails, max] of [
      [99, 100_000],
      [100, 200_000],
      [500, 3_200_000],
      [9000, 3_200_000],
    ] as const) {
      await t.db.deleteFrom('throttle').execute()
      await t.db.insertInto('throttle').values({ key: 'login-ip:127.0.0.1', count: fails, until }).execute()
      expect([fails, (await challenge(t)).work.maxnumber]).toEqual([fails, max])
    }
    await t.db.deleteFrom('throttle').execute()
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

  test('A5 · of a thousand people behind one address each gets a calculation; pictures are limited by a parameter', async () => {
    await t.db.deleteFrom('throttle').execute()
    for (let i = 0; i < 1000; i++) await t.app.captcha.work('10.0.0.1')
    expect((await t.pool.query('SELECT 1 FROM throttle')).rowCount).toBe(0)
    await setParam('limit.picture.address', '3')
    for (let i = 0; i < 3; i++) expect((await t.call('/api/blade-auth/oauth/captcha')).status).toBe(200)
    expect(await t.call('/api/blade-auth/oauth/captcha')).toMatchObject({ status: 429, code: 29007 })
    await setParam('limit.picture.address', '300')
  })

  test('C21 · without captcha mode asks nobody, whatever the grant and however many failures', async () => {
    const second = await testApp({ url: t.url, config: { captchaMode: false } })
    try {
      await t.db.deleteFrom('throttle').execute()
      const until = new Date(Date.now() + 60_000)
      await t.db.insertInto('throttle').values({ key: 'login-ip:127.0.0.1', count: 20, until }).execute()
      const headers = { authorization: webClient }
      for (const grant_type of ['password', 'captcha']) {
        const answer = await second.app.inject({ method: 'POST', url, headers, query: { ...query(), grant_type } })
        expect([grant_type, answer.statusCode]).toEqual([grant_type, 200])
      }
    } finally {
      await second.close()
      await t.db.deleteFrom('throttle').execute()
    }
  })
})

describe('the lock', () => {
  const codesOf = async (tries: Promise<{ body: { code: number } }>[]) =>
    (await Promise.all(tries)).map(one => one.body.code).sort()
  const times = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one)
  /** Asks from an address, with what a browser holds. */
  const from = async (ip: string, account: string, plain = password, cookie?: string) => {
    const headers = { authorization: webClient, ...(await solved(t)), ...(cookie ? { cookie } : {}) }
    const query = { grant_type: 'captcha', username: account, password: encrypt(t, plain) }
    const answer = await t.app.inject({ method: 'POST', url, headers, query, remoteAddress: ip })
    return { body: answer.json(), cookie: String(answer.headers['set-cookie'] ?? '') }
  }
  const later = (minutes: number) => t.setNow(new Date(t.app.now().getTime() + minutes * 60_000))
  beforeEach(() => t.db.deleteFrom('throttle').execute())
  afterAll(() => t.setNow(new Date()))

  test('B17 · delays an address after five wrong passwords, however many come at once, and longer each time', async () => {
    t.setNow(new Date())
    await makeUser(t, { role: 'reviewer', account: 'target' })
    expect(await codesOf(times(8, () => askToken(t, 'target', 'wrong')))).toEqual([
      20002, 20002, 20002, 20002, 20002, 20003, 20003, 20003,
    ])
    for (const minutes of [1, 2, 4, 8, 16, 30]) {
      const { body } = await askToken(t, 'target')
      expect(body).toMatchObject({ code: 20003, msg: `登录失败次数过多，账号已锁定，请${minutes}分钟后再试` })
      later(minutes)
      if (minutes < 30) expect((await askToken(t, 'target', 'wrong')).body.code).toBe(20002)
    }
    expect((await askToken(t, 'target')).status).toBe(200)
  })

  test('A4 · strangers do not lock out whoever comes from elsewhere, or from a device that has signed in before', async () => {
    await makeUser(t, { role: 'reviewer', account: 'besieged' })
    const mine = (await from('10.1.0.1', 'besieged')).cookie
    expect(mine).toMatch(
      /^juxian-device=[\w-]{43}; Path=\/api\/blade-auth\/oauth; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    for (let i = 0; i < 6; i++) await from('10.1.0.1', 'besieged', 'wrong')
    expect((await from('10.1.0.1', 'besieged')).body.code).toBe(20003)
    expect((await from('10.1.0.2', 'besieged')).body.access_token).toBeDefined()
    expect((await from('10.1.0.1', 'besieged', password, mine)).body.access_token).toBeDefined()
    // What the browser holds is no credential, and is worth nothing for another account.
    await makeUser(t, { role: 'reviewer', account: 'other.besieged' })
    for (let i = 0; i < 5; i++) await from('10.1.0.1', 'other.besieged', 'wrong')
    expect((await from('10.1.0.1', 'other.besieged', password, mine)).body.code).toBe(20003)
  })

  test('A4 · many addresses together end guessing for strangers, never for the known device nor an administrator', async () => {
    await setParam('limit.login.account', '3')
    for (const [account, role] of [
      ['many.staff', 'reviewer'],
      ['many.admin', 'administrator'],
      ['many.nobody', ''],
    ] as const) {
      if (role) await makeUser(t, { role, account })
      const mine = role ? (await from('10.2.9.9', account)).cookie : ''
      const guesses = []
      for (let i = 0; i < 5; i++) guesses.push((await from(`10.2.0.${i}`, account, 'wrong')).body.code)
      const last = role === 'administrator' ? 20002 : 20003
      expect([account, guesses.at(-1)]).toEqual([account, last])
      const stranger = (await from('10.2.7.7', account)).body
      if (role === 'administrator') expect(stranger.access_token).toBeDefined()
      else expect(stranger.code).toBe(20003)
      if (role) expect((await from('10.2.7.7', account, password, mine)).body.access_token).toBeDefined()
    }
    await setParam('limit.login.account', '50')
  })

  test('A5 · five hundred wrong passwords of as many people behind one address stop nobody; a limit that is met spares known devices', async () => {
    await makeUser(t, { role: 'candidate', account: 'student' })
    const mine = (await from('10.3.0.1', 'student')).cookie
    const count = (n: number) =>
      t.pool.query(
        `INSERT INTO throttle (key, count, until) VALUES ('login-ip:10.3.0.1', $1, $2) ON CONFLICT (key) DO UPDATE SET count = $1`,
        [n, new Date(t.app.now().getTime() + 60_000)],
      )
    await count(500)
    expect((await from('10.3.0.1', 'student')).body.access_token).toBeDefined()
    await count(2000)
    expect((await from('10.3.0.1', 'student')).body.code).toBe(29007)
    expect((await from('10.3.0.1', 'student', password, mine)).body.access_token).toBeDefined()
  })

  test('a network of IPv6 is one address', async () => {
    await makeUser(t, { role: 'candidate', account: 'sixth' })
    for (let i = 0; i < 5; i++) await from(`2001:db8:1:2::${i}`, 'sixth', 'wrong')
    expect((await from('2001:db8:1:2:ffff::1', 'sixth')).body.code).toBe(20003)
    expect((await from('2001:db8:1:3::1', 'sixth')).body.access_token).toBeDefined()
  })

  test('answers unknown accounts like known ones', async () => {
    const answers = []
    for (let i = 0; i < 6; i++) answers.push((await askToken(t, 'nobody', 'wrong')).body.code)
    expect(answers).toEqual([20002, 20002, 20002, 20002, 20002, 20003])
  })

  test('forgets after a success', async () => {
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

test('a cache is cleared as often as somebody asks', async () => {
  await makeUser(t, { role: 'reviewer', account: 'clears' })
  const { headers } = await login(t, 'clears')
  const clear = async () => (await t.call({ url: '/api/blade-auth/oauth/clear-cache', headers })).code
  expect([await clear(), await clear(), await clear()]).toEqual([200, 200, 200])
})
