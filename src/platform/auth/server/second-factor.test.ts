import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  askToken,
  encrypt,
  login,
  makeUser,
  password,
  type Session,
  webClient,
} from '../../../../tests/helper/login.ts'

const morning = '2026-09-01 09:00:00'
const own = '/api/blade-system/user/second-factor'

let t: TestApp
let root: Session
let turn = 0
beforeAll(async () => {
  t = await testApp({ now: morning })
  root = await login(t, 'admin')
})
afterAll(() => t?.close())
beforeEach(async () => {
  // A minute on, so that no code of the test before is still the present one.
  t.setNow(new Date(Date.parse('2026-09-01T01:00:00Z') + ++turn * 600_000))
  await t.db.deleteFrom('throttle').execute()
  await t.db.updateTable('session').set({ lastSeen: t.app.now() }).execute()
  await t.db
    .updateTable('session_token')
    .set({ until: new Date(t.app.now().getTime() + 3_600_000) })
    .execute()
  await policy('optional')
})

const policy = (paramValue: string) =>
  t.db.updateTable('param').set({ paramValue }).where('paramKey', '=', 'login.secondFactor').execute()
const later = (seconds: number) => t.setNow(new Date(t.app.now().getTime() + seconds * 1000))
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: t.app.now().getTime() + steps * 30_000 })
const post = <T = Record<string, unknown>>(url: string, payload: object, { headers }: Session) =>
  t.call<T>({ method: 'POST', url, headers, payload })
const state = async ({ headers }: Session) => (await t.call<Record<string, unknown>>({ url: own, headers })).data

/** Somebody of the staff with a factor, one minute after it was set up. */
async function enrolled(role = 'reviewer') {
  const account = `${role}${++turn}x`
  const userId = await makeUser(t, { role, account })
  const session = await login(t, account)
  const { data } = await post<{ secret: string }>(`${own}/begin`, { password: encrypt(t, password) }, session)
  const { secret } = data
  const confirmed = await post<{ recoveryCodes: string[] }>(`${own}/confirm`, { value: codeOf(secret) }, session)
  later(60)
  return { account, userId, session, secret, codes: confirmed.data.recoveryCodes }
}

/** The first half of a login: what it answers for the second. */
async function firstHalf(account: string): Promise<string> {
  const { status, body } = await askToken(t, account)
  expect({ status, code: body.error_code, token: body.access_token }).toEqual({
    status: 400,
    code: 20030,
    token: undefined,
  })
  return body.data.factorToken
}

async function secondHalf(factorToken: string, value: string, headers: Record<string, string> = {}) {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/blade-auth/oauth/token',
    headers: { authorization: webClient, ...headers },
    query: { grant_type: 'captcha', factorToken, value },
  })
  return answer.json()
}

describe('setting up', () => {
  test('takes the own password and a first code, and shows ten recovery codes that are kept as hashes', async () => {
    await makeUser(t, { role: 'finance', account: 'setter' })
    const session = await login(t, 'setter')
    expect(await state(session)).toEqual({ isOffered: true, isRequired: false, isEnrolled: false, recoveryLeft: 0 })
    expect((await post(`${own}/begin`, { password: encrypt(t, 'wrong') }, session)).code).toBe(20051)
    expect((await post(`${own}/confirm`, { value: '123456' }, session)).code).toBe(29009)
    const begun = await post<{ secret: string; uri: string }>(
      `${own}/begin`,
      { password: encrypt(t, password) },
      session,
    )
    const { secret, uri } = begun.data
    expect(uri).toMatch(/^otpauth:\/\/totp\/.+setter\?.*secret=[A-Z2-7]{32}/)
    // Until the first code the login asks for none.
    expect((await askToken(t, 'setter')).status).toBe(200)
    const wrongCode = codeOf(secret) === '000000' ? '000001' : '000000'
    expect((await post(`${own}/confirm`, { value: wrongCode }, session)).code).toBe(20032)
    const { data } = await post<{ recoveryCodes: string[] }>(`${own}/confirm`, { value: codeOf(secret) }, session)
    expect(new Set(data.recoveryCodes).size).toBe(10)
    expect(await state(session)).toMatchObject({ isEnrolled: true, recoveryLeft: 10 })
    const stored = await t.pool.query(
      'SELECT f.secret, r.hash FROM second_factor f JOIN recovery_code r USING ("userId")',
    )
    const text = JSON.stringify(stored.rows)
    for (const plain of [secret, ...data.recoveryCodes, ...data.recoveryCodes.map(code => code.replace('-', ''))])
      expect(text).not.toContain(plain)
  })

  test('is not for candidates, and not where the tenant has switched it off', async () => {
    await makeUser(t, { role: 'candidate', account: 'nofactor' })
    const candidate = await login(t, 'nofactor')
    await policy('required')
    expect((await post(`${own}/begin`, { password: encrypt(t, password) }, candidate)).code).toBe(29009)
    expect((await login(t, 'nofactor')).body.detail.mustEnrol).toBe(0)
    const { account, session } = await enrolled()
    await policy('off')
    expect((await askToken(t, account)).status).toBe(200)
    expect(await state(session)).toMatchObject({ isOffered: false })
  })

  test('another device and taking it away need password and a code of the present one', async () => {
    const { session, secret, account } = await enrolled()
    const proof = () => ({ password: encrypt(t, password) })
    expect((await post(`${own}/begin`, proof(), session)).code).toBe(20032)
    expect((await post(`${own}/remove`, proof(), session)).code).toBe(20032)
    const begun = await post<{ secret: string }>(`${own}/begin`, { ...proof(), value: codeOf(secret) }, session)
    expect(begun.code).toBe(200)
    later(60)
    // The present one holds until the new one is confirmed.
    expect((await secondHalf(await firstHalf(account), codeOf(secret))).access_token).toEqual(expect.any(String))
    const next = begun.data.secret
    expect((await post(`${own}/confirm`, { value: codeOf(next) }, session)).code).toBe(200)
    later(60)
    expect((await secondHalf(await firstHalf(account), codeOf(secret))).error_code).toBe(20032)
    await policy('required')
    expect((await post(`${own}/remove`, { ...proof(), value: codeOf(next) }, session)).code).toBe(29009)
    await policy('optional')
    expect((await post(`${own}/remove`, { ...proof(), value: codeOf(next) }, session)).code).toBe(200)
    expect((await askToken(t, account)).status).toBe(200)
  })
})

describe('signing in', () => {
  test('gives no session before the code, and what it gives instead opens nothing', async () => {
    const { account, secret } = await enrolled()
    const ticket = await firstHalf(account)
    const { headers } = root
    const asToken = { ...headers, 'blade-auth': `bearer ${ticket}` }
    expect((await t.call({ url: '/api/blade-system/user/info', headers: asToken })).status).toBe(401)
    const sessions = () =>
      t.pool.query('SELECT count(*)::int AS n FROM session s JOIN "user" u ON u.id = s."userId" WHERE u.account = $1', [
        account,
      ])
    const before = (await sessions()).rows[0].n
    const notes = await t.pool.query(`SELECT event FROM auditlog WHERE detail->>'account' = $1 ORDER BY id`, [account])
    expect(notes.rows).toEqual([{ event: 'login' }])
    expect(await secondHalf(ticket, codeOf(secret))).toMatchObject({ account, access_token: expect.any(String) })
    expect((await sessions()).rows[0].n).toBe(before + 1)
  })

  test('takes a code of the step before and after, each once', async () => {
    const { account, secret } = await enrolled()
    expect((await secondHalf(await firstHalf(account), codeOf(secret, 2))).error_code).toBe(20032)
    expect((await secondHalf(await firstHalf(account), codeOf(secret, -2))).error_code).toBe(20032)
    expect((await secondHalf(await firstHalf(account), codeOf(secret, -1))).access_token).toBeDefined()
    expect((await secondHalf(await firstHalf(account), codeOf(secret, 1))).access_token).toBeDefined()
    for (const steps of [1, 0, -1])
      expect((await secondHalf(await firstHalf(account), codeOf(secret, steps))).error_code).toBe(20032)
  })

  test('of many requests with one code one gets in', async () => {
    const { account, secret } = await enrolled()
    const tickets = await Promise.all([1, 2, 3, 4].map(() => firstHalf(account)))
    const code = codeOf(secret)
    const sent = await Promise.all([...tickets, tickets[0]!].map(ticket => secondHalf(ticket, code)))
    expect(sent.filter(one => one.access_token)).toHaveLength(1)
  })

  test('binds its first half to the client, to five minutes, and to one use', async () => {
    const { account, secret } = await enrolled()
    const saber = { authorization: `Basic ${Buffer.from('saber:saber_secret').toString('base64')}` }
    const ticket = await firstHalf(account)
    expect((await secondHalf(ticket, codeOf(secret), saber)).error_code).toBe(20033)
    later(299)
    expect((await secondHalf(ticket, codeOf(secret))).access_token).toBeDefined()
    later(30)
    expect((await secondHalf(ticket, codeOf(secret))).error_code).toBe(20033)
    const late = await firstHalf(account)
    later(300)
    expect((await secondHalf(late, codeOf(secret))).error_code).toBe(20033)
  })

  test('counts wrong codes into the lock, which a right password in between does not forgive', async () => {
    const { account, userId, secret } = await enrolled()
    for (let n = 0; n < 5; n++) expect((await secondHalf(await firstHalf(account), '000000')).error_code).toBe(20032)
    const right = async () => secondHalf(await firstHalf(account), codeOf(secret))
    expect((await right()).error_code).toBe(20003)
    expect((await post(`/api/blade-system/user/unlock?userIds=${userId}`, {}, root)).code).toBe(200)
    expect((await right()).access_token).toBeDefined()
  })

  test('takes a recovery code in place of the app, each once, however it is typed', async () => {
    const { account, codes, session } = await enrolled()
    const [first = '', second = ''] = codes
    expect((await secondHalf(await firstHalf(account), first)).access_token).toBeDefined()
    expect((await secondHalf(await firstHalf(account), first)).error_code).toBe(20032)
    expect(
      (await secondHalf(await firstHalf(account), second.toUpperCase().replace('-', ' '))).access_token,
    ).toBeDefined()
    expect(await state(session)).toMatchObject({ recoveryLeft: 8 })
  })
})

describe('where it is required', () => {
  test('who has none can do nothing but set it up, from the next sign-in or renewal on', async () => {
    await policy('finance,administrator')
    await makeUser(t, { role: 'reviewer', account: 'free' })
    expect((await login(t, 'free')).body.detail.mustEnrol).toBe(0)
    await makeUser(t, { role: 'finance', account: 'owing' })
    const session = await login(t, 'owing')
    expect(session.body.detail.mustEnrol).toBe(1)
    const clear = () => t.call({ url: '/api/blade-auth/oauth/clear-cache', headers: session.headers })
    expect(await clear()).toMatchObject({ status: 403, code: 20031 })
    const { data } = await post<{ secret: string }>(`${own}/begin`, { password: encrypt(t, password) }, session)
    expect((await post(`${own}/confirm`, { value: codeOf(data.secret) }, session)).code).toBe(200)
    expect((await clear()).code).toBe(200)
    const query = { grant_type: 'refresh_token', refresh_token: root.body.refresh_token! }
    const headers = { authorization: webClient }
    const renewed = await t.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query })
    expect(renewed.json().detail.mustEnrol).toBe(1)
    await policy('optional')
    root = await login(t, 'admin')
  })
})

describe('an administrator', () => {
  test('takes the factor of somebody away, which ends their sessions and stands in the audit log', async () => {
    const { account, userId, session, codes } = await enrolled('finance')
    const ticket = await firstHalf(account)
    const reset = `/api/blade-system/user/reset-factor?userIds=${userId}`
    expect((await post(reset, {}, session)).status).toBe(403)
    expect((await post(reset, {}, root)).code).toBe(200)
    expect((await t.call({ url: own, headers: session.headers })).status).toBe(401)
    expect((await secondHalf(ticket, codes[0]!)).error_code).toBe(20033)
    expect((await askToken(t, account)).status).toBe(200)
    const { rows } = await t.pool.query(
      `SELECT detail FROM auditlog WHERE event = 'password' AND outcome = 1 AND detail::text LIKE '%reset-factor%'`,
    )
    expect(rows).toHaveLength(1)
  })
})

test('the roles that must have a second factor are roles that there are', async () => {
  const row = await t.db
    .selectFrom('param')
    .select(['id', 'paramName', 'paramKey'])
    .where('paramKey', '=', 'login.secondFactor')
    .executeTakeFirstOrThrow()
  const save = (paramValue: string) => post('/api/blade-system/param/submit', { ...row, paramValue }, root)
  expect(await save('administrator，finanz')).toMatchObject({
    code: 29005,
    data: [{ field: 'paramValue', msg: '没有这样的角色别名' }],
  })
  expect((await save('administrator，finance')).code).toBe(200)
  expect((await save('required')).code).toBe(200)
})
