import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { everyRow } from '../helper/every-row.ts'
import { askToken, bearer, encrypt, login, loginAs, makeUser, password, solved, webClient } from '../helper/login.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'

// What somebody hostile does to get in: guesses, listens to how long a refusal takes and how it is worded, spreads his guesses over
// processes, brings a token where it does not belong, and lets the browser of somebody else call.

let t: TestApp
let twin: TestApp
beforeAll(async () => {
  t = await testApp()
  twin = await testApp({ url: t.url })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})
beforeEach(async () => {
  await t.pool.query('TRUNCATE throttle')
})

describe('B17 · guessing', () => {
  const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0

  test('an account that is not there takes as long as one that is, staff or candidate', async () => {
    const own = { password: await hashPassword(password) }
    await makeUser(t, { role: 'reviewer', account: 'timed.staff', ...own })
    await makeUser(t, { role: 'candidate', account: 'timed.candidate', phone: samplePhone(9001), ...own })
    const names = ['timed.staff', samplePhone(9001), 'nobody.here', sampleIdCard(9002)]
    const spent = new Map<string, number[]>(names.map(name => [name, []]))
    // In turn, so that a busy moment falls on all of them; the count is put back, so that none is locked. What is compared is the
    // time that this process works: hashing the password is most of it, and other processes do not make it longer.
    for (let round = 0; round < 7; round++) {
      for (const name of names) {
        const query = { grant_type: 'captcha', username: name, password: encrypt(t, 'Guess@2026') }
        const headers = { authorization: webClient, ...(await solved(t)) }
        const before = process.cpuUsage()
        const answer = await t.app.inject({ method: 'POST', url: '/api/blade-auth/oauth/token', headers, query })
        const { user, system } = process.cpuUsage(before)
        spent.get(name)?.push((user + system) / 1000)
        expect(answer.json()).toMatchObject({ error_code: 20002, error_description: '用户名或密码错误' })
      }
      await t.pool.query('TRUNCATE throttle')
      await t.pool.query(`UPDATE "user" SET "failCount" = 0, "lockUntil" = NULL WHERE account LIKE 'timed.%'`)
    }
    const medians = [...spent.values()].map(median)
    expect(Math.max(...medians)).toBeLessThan(2 * Math.min(...medians))
  })

  test('the length of a wait does not say whether there is an account, nor of which kind', async () => {
    const minutesOf = async (name: string) => {
      const found = []
      for (let i = 0; i < 5; i++) await askToken(t, name, 'Guess@2026')
      const { body } = await askToken(t, name, 'Guess@2026')
      expect(body.error_code).toBe(20003)
      found.push(/请(\d+)分钟/.exec(body.error_description)?.[1])
      return found
    }
    await makeUser(t, { role: 'reviewer', account: 'locked.staff' })
    await makeUser(t, { role: 'candidate', account: 'locked.candidate' })
    for (const name of ['locked.staff', 'locked.candidate', 'nobody.1', 'nobody.2'])
      expect([name, await minutesOf(name)]).toEqual([name, ['1']])
  })

  test('guesses spread over two processes are counted together', async () => {
    await makeUser(t, { role: 'reviewer', account: 'spread' })
    const codes = []
    for (let i = 0; i < 5; i++) codes.push((await askToken(i % 2 ? twin : t, 'spread', 'Guess@2026')).body.code)
    expect(codes).toEqual([20002, 20002, 20002, 20002, 20002])
    for (const at of [t, twin]) expect((await askToken(at, 'spread')).body.code).toBe(20003)
  })

  test('after ten thousand wrong ones from one address it waits, in every process and with the right password, too', async () => {
    await makeUser(t, { role: 'reviewer', account: 'stuffed' })
    expect((await askToken(t, 'stuffed')).status).toBe(200)
    for (let i = 0; i < 3; i++) await askToken(t, `list.${i}`, 'Guess@2026')
    const counted = `UPDATE throttle SET count = count + 9997 WHERE key LIKE 'login-ip:%' RETURNING count`
    expect((await t.pool.query(counted)).rows).toEqual([{ count: 10_000 }])
    for (const at of [t, twin])
      expect(await askToken(at, 'stuffed')).toMatchObject({ status: 429, body: { code: 29007 } })
    await t.pool.query(`UPDATE throttle SET count = 20 WHERE key LIKE 'login-ip:%'`)
    const headers = { authorization: webClient, 'captcha-key': 'x', 'captcha-code': 'x' }
    expect((await askToken(twin, 'stuffed', password, { headers })).body.code).toBe(20001)
    expect((await askToken(twin, 'stuffed')).status).toBe(200)
  })

  test('every wrong one stands in the security log, without what was typed', async () => {
    await askToken(t, 'noted.somebody', 'Guess@2026')
    const { rows } = await t.pool.query(
      `SELECT detail FROM auditlog WHERE event = 'loginFail' ORDER BY seq DESC LIMIT 1`,
    )
    expect(rows[0]?.detail).toMatchObject({ account: 'noted.somebody' })
    expect(JSON.stringify(rows)).not.toContain('Guess')
  })
})

describe('B27 · who has an account', () => {
  test('is not told by an ID number or phone at login, whatever the tenant', async () => {
    await makeUser(t, { role: 'candidate', idCard: sampleIdCard(9100), phone: samplePhone(9100) })
    const strip = ({ status, body }: Awaited<ReturnType<typeof askToken>>) => ({ status, body })
    const answers = []
    for (const name of [sampleIdCard(9100), sampleIdCard(9101), samplePhone(9100), samplePhone(9101)])
      answers.push(strip(await askToken(t, name, 'Guess@2026')))
    for (const one of answers) expect(one).toEqual(answers[0])
  })

  test('is not told by a disabled or waiting account to whoever lacks the password', async () => {
    for (const accountStatus of [2, 3, 4] as const) {
      const account = `silent.${accountStatus}`
      await makeUser(t, { role: 'candidate', account, accountStatus, auditRemark: '照片不清' })
      expect((await askToken(t, account, 'Guess@2026')).body.code).toBe(20002)
    }
  })

  test('and asking for many of them ends', async () => {
    const form = (n: number) => ({
      username: `many${n}`,
      password: encrypt(t, 'Abcd1234x'),
      password2: encrypt(t, 'Abcd1234x'),
      realName: '王',
      phone: samplePhone(9200 + n),
      idType: '1',
      idCard: sampleIdCard(9200),
      consentVersion: '1',
    })
    const ask = async (n: number, at = t, more: object = {}) =>
      at.call({
        method: 'POST',
        url: '/api/blade-system/user/register',
        headers: await solved(t),
        payload: { ...form(n), ...more },
      })
    const until = new Date(Date.now() + 60_000)
    await t.pool.query(`INSERT INTO throttle VALUES ('register-taken:127.0.0.1', 499, $1)`, [until])
    await makeUser(t, { role: 'candidate', idCard: sampleIdCard(9200) })
    // What is mistyped does not count.
    for (let i = 0; i < 3; i++) expect((await ask(1, t, { realName: '' })).code).toBe(29005)
    expect(await ask(1)).toMatchObject({ status: 409, code: 20013 })
    for (const at of [t, twin]) expect(await ask(2, at)).toMatchObject({ status: 429, code: 29007 })
  })
})

describe('B19 · a token', () => {
  test('of one tenant stays there, whatever tenant the call names', async () => {
    const staff = await loginAs(t, 'administrator')
    await t.pool.query(`INSERT INTO tenant ("tenantId", "tenantName", "tenantStatus") VALUES ('900002', '乙方', 1)`)
    const rows = await everyRow(t.app, { tenantId: '900002', set: 2, mark: '乙方' })
    const names = { 'tenant-id': '900002', tenantid: '900002', 'x-tenant-id': '900002', 'dept-id': '1', 'role-id': '1' }
    for (const url of [
      '/api/blade-system/post/page',
      '/api/blade-signup/signup/page',
      `/api/blade-desk/notice/detail?id=${rows.notice}`,
    ]) {
      const plain = await t.call({ url, headers: staff.headers })
      const { msg: _, ...named } = await t.call({ url, headers: { ...staff.headers, ...names } })
      expect(plain).toMatchObject(named)
      expect(JSON.stringify(plain.data)).not.toContain('乙方')
    }
    const payload = { tenantId: '900002', postCode: 'tt', postName: '越界', category: 1, sort: 1 }
    await t.call({
      method: 'POST',
      url: '/api/blade-system/post/submit',
      headers: { ...staff.headers, ...names },
      payload,
    })
    const made = await t.pool.query(`SELECT "tenantId" FROM post WHERE "postName" = '越界'`)
    expect(made.rows).toEqual([{ tenantId: '000000' }])
  })

  test('that says itself who it is and how it is signed says nothing', async () => {
    const { body } = await loginAs(t, 'administrator')
    const claims = {
      user_id: body.user_id,
      account: 'admin',
      tenant_id: '000000',
      role_name: 'administrator',
      exp: 9e9,
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const alg of ['none', 'None', 'HS256', 'RS256']) {
      const forged = `${part({ alg, typ: 'JWT' })}.${part(claims)}.${alg === 'none' ? '' : body.access_token}`
      const answer = await t.call({ url: '/api/blade-auth/oauth/user-info', headers: bearer(forged) })
      expect([alg, answer.status]).toEqual([alg, 401])
    }
  })
})

describe('B20 · the browser of somebody else', () => {
  const changing = [
    '/api/blade-auth/oauth/logout',
    '/api/blade-auth/oauth/clear-cache',
    '/api/blade-exam/examination/releaseExam?id=1',
    '/api/blade-exam/examination/closeExam?id=1',
  ]

  test('is not made to change anything by an image, a link or a form on another page', async () => {
    const staff = await loginAs(t, 'administrator')
    const elsewhere = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { referer: 'https://evil.example/page' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { referer: 'https://localhost:8123.evil.example/' },
    ]
    for (const url of changing)
      for (const headers of elsewhere) {
        const answer = await t.call({ url, headers: { ...staff.headers, host: 'localhost:8123', ...headers } })
        expect([url, headers, answer.code, answer.msg]).toEqual([url, headers, 29005, '参数不正确：来源不被允许'])
      }
    for (const headers of [
      { referer: 'http://localhost:8123/wel' },
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:8123' },
    ]) {
      const own = await t.call({ url: changing[2]!, headers: { ...staff.headers, host: 'localhost:8123', ...headers } })
      expect(own.code).toBe(21001)
    }
    expect((await t.call({ url: changing[0]!, headers: staff.headers })).code).toBe(200)
  })

  test('carries nothing that opens a call: no cookie, no basic password, no address is a credential', async () => {
    const { body } = await login(t, 'admin')
    const token = body.access_token!
    const pairs = [
      'blade-auth',
      'Blade-Auth',
      'access_token',
      'saber3-access-token',
      'token',
      'session',
      'JSESSIONID',
      'authorization',
    ]
    const cookie = pairs.map(name => `${name}=${token}`).join('; ')
    const headers = { cookie, authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` }
    const query = { 'blade-auth': `bearer ${token}`, access_token: token, token }
    const guarded = t.app.routeTable.filter(({ access, method }) => access !== 'public' && method !== 'HEAD')
    expect(guarded.length).toBeGreaterThan(400)
    const statuses = []
    for (const { method, url } of guarded)
      statuses.push([url, (await t.app.inject({ method: method as 'GET', url, headers, query })).statusCode] as const)
    expect(statuses.filter(([, status]) => status !== 401)).toEqual([])
  })

  test('is given no cookie by any call that it could bring back', async () => {
    const staff = await login(t, 'admin')
    for (const url of ['/', '/api/public/site', '/api/blade-auth/oauth/user-info', '/api/blade-auth/oauth/captcha'])
      expect((await t.app.inject({ url, headers: staff.headers })).headers['set-cookie']).toBeUndefined()
    const signed = await askToken(t, 'admin')
    expect(signed.status).toBe(200)
  })

  test('is not allowed to read our answers for another page', async () => {
    const answer = await t.app.inject({ url: '/api/public/site', headers: { origin: 'https://evil.example' } })
    const open = Object.keys(answer.headers).filter(name => name.startsWith('access-control-'))
    expect(open).toEqual([])
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
  })
})
