import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config/config.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { loadSecrets, readSecretKey, type SecretName } from '../../src/platform/vault/secrets.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { bearer, encrypt, login, loginAs, password, type Session, solved, webClient } from '../helper/login.ts'

// The numbered weaknesses of consoles of this family, and what holds against each: keys, tokens and sessions. Others of them
// stand where their subject is tested, all under their numbers; 6, 8 and 31 are the browser's.

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp({
    prepare: app => {
      app.get('/api/try/user', { config: { access: { permission: 'user_edit' } } }, async () => ({ code: 200 }))
    },
  })
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const own = '/api/blade-auth/oauth/user-info'
const status = async (token: string, url = own) => (await t.app.inject({ url, headers: bearer(token) })).statusCode
const post = (url: string, payload: object, { headers }: Pick<Session, 'headers'> = root) =>
  t.call<Record<string, string>[]>({ method: 'POST', url: `/api/blade-system${url}`, headers, payload })
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

/** Asks for tokens as a client does. */
async function ask(query: Record<string, string>, authorization = webClient, more: Record<string, string> = {}) {
  const url = '/api/blade-auth/oauth/token'
  const answer = await t.app.inject({ method: 'POST', url, query, headers: { authorization, ...more } })
  return { status: answer.statusCode, body: answer.json() }
}
const renew = (token: string, client = webClient) => ask({ grant_type: 'refresh_token', refresh_token: token }, client)

/** Every call that asks who is calling. */
const closed = () => t.app.routeTable.filter(({ access, method }) => access !== 'public' && method !== 'HEAD')

/** The calls that do not answer 401 to a way of saying who one is. */
const openedBy = async (credential: { query?: Record<string, string>; headers?: Record<string, string> }) => {
  const open = await inTurns(8, closed(), async ({ method, url }) => {
    const answer = await t.app.inject({ method: method as 'GET', url, ...credential })
    return answer.statusCode === 401 ? [] : [`${method} ${url}`]
  })
  return open.flat()
}

test('1 · keys are made per installation; a short or known one stops the start', async () => {
  const known = ['a1b2c3', 'x'.repeat(40), 'abcd1234'.repeat(5), 'please-change-me-please-change-me-please']
  for (const SECRET_KEY of [undefined, ...known]) {
    const start = () => readConfig({ DATABASE_URL: 'postgresql://a:b@db.example.org/juxian', SECRET_KEY })
    expect(start, SECRET_KEY).toThrow(/SECRET_KEY/)
  }
  const folders = await Promise.all([1, 2].map(() => mkdtemp(path.join(os.tmpdir(), 'juxian-key-'))))
  const empty = { query: async () => ({ rowCount: 0 }) } as never
  const keys = await Promise.all(folders.map(folder => readSecretKey(folder, empty)))
  expect(new Set(keys).size).toBe(2)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/)
  for (const folder of folders) {
    expect((await stat(path.join(folder, 'secret.key'))).mode & 0o077).toBe(0)
    await rm(folder, { recursive: true })
  }
  // Beside data that only the lost key opens, none is made.
  const beside = await mkdtemp(path.join(os.tmpdir(), 'juxian-key-'))
  await expect(readSecretKey(beside, t.pool)).rejects.toThrow(/secret\.key is missing.*backup of DATA_DIR.*SECRET_KEY/)
  const start = testApp({ url: t.url, config: { secretKey: undefined, dataDir: beside } })
  await expect(start).rejects.toThrow(/secret\.key is missing/)
  expect(await readdir(beside)).not.toContain('secret.key')
  await rm(beside, { recursive: true })
  const pool = new pg.Pool({ connectionString: t.url, options: '-c search_path=elsewhere', max: 1 })
  await pool.query('CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.secret (LIKE public.secret INCLUDING DEFAULTS)')
  const other = await loadSecrets(pool, keys[0]!)
  await pool.end()
  const { rows } = await t.pool.query<{ name: SecretName; value: string }>('SELECT DISTINCT name FROM secret')
  expect(rows.length).toBeGreaterThan(5)
  for (const { name } of rows) expect([name, other.get(name)]).not.toEqual([name, t.app.secrets.get(name)])
})

test.each<[string, number, (session: Session) => Promise<unknown>]>([
  ['a logout', 401, ({ headers }) => t.call({ url: '/api/blade-auth/oauth/logout', headers })],
  ['a reset password', 401, ({ body }) => post(`/user/reset-password?userIds=${body.user_id}`, {})],
  ['an account switched off', 401, ({ body }) => post(`/user/changeStatus?id=${body.user_id}&status=2`, {})],
  ['a removed account', 401, ({ body }) => post(`/user/remove?ids=${body.user_id}`, {})],
  ['other roles', 403, ({ body }) => post(`/user/grant?userIds=${body.user_id}&roleIds=${roleIds.reviewer}`, {})],
  [
    'a new password elsewhere',
    401,
    async ({ body }) => {
      const change = { oldPassword: password, newPassword: 'Some-good-one-1', newPassword1: 'Some-good-one-1' }
      return post('/user/update-password', change, await login(t, body.account!))
    },
  ],
])('2 · a session is asked about at each call: %s counts at the next one', async (_, refused, change) => {
  const session = await loginAs(t, 'admin')
  const { access_token: access, refresh_token: refresh } = session.body
  expect(await status(access!, '/api/try/user')).toBe(200)
  expect(await change(session)).toMatchObject({ code: 200 })
  expect(await status(access!, '/api/try/user')).toBe(refused)
  if (refused === 401) expect((await renew(refresh!)).status).toBe(401)
})

test('3 · a refresh token opens no call, and an access token renews nothing', async () => {
  const { body } = await loginAs(t, 'administrator')
  expect(closed().length).toBeGreaterThan(500)
  expect(await openedBy({ headers: bearer(body.refresh_token!) })).toEqual([])
  expect((await renew(body.access_token!)).status).toBe(401)
  expect(await status(body.access_token!)).toBe(200)
})

test('4 · a refresh token is its client’s, changes each time, and ends the session when it comes again', async () => {
  const { body } = await loginAs(t, 'candidate')
  expect((await renew(body.refresh_token!, basic('saber:saber_secret'))).status).toBe(401)
  const stored = await t.db.selectFrom('session_token').select('hash').execute()
  expect(JSON.stringify(stored)).not.toContain(body.refresh_token)
  const next = await renew(body.refresh_token!)
  expect(next.body.refresh_token).not.toBe(body.refresh_token)
  expect(await status(next.body.access_token)).toBe(200)
  t.setNow(new Date(Date.now() + 11_000))
  expect((await renew(body.refresh_token!)).status).toBe(401)
  expect([await status(next.body.access_token), (await renew(next.body.refresh_token)).status]).toEqual([401, 401])
  t.setNow(new Date())
})

test('5 · a token in the address opens no call', async () => {
  const token = root.body.access_token!
  const names = ['blade-auth', 'Blade-Auth', 'token', 'access_token', 'authorization']
  const query = Object.fromEntries(names.map(name => [name, `bearer ${token}`]))
  expect(await openedBy({ query, headers: { authorization: webClient } })).toEqual([])
  expect(await status(token)).toBe(200)
})

test('7 · a client’s secret is stored as a hash and told to nobody; what it may not use, and who is off, gets nothing', async () => {
  const wish = { grant_type: 'password', username: root.body.account!, password: '' }
  const come = async (client: string, grant = wish.grant_type) =>
    (await ask({ ...wish, grant_type: grant, password: encrypt(t, password) }, basic(client), await solved(t))).body
  const secret = 'A-secret-of-its-own-7'
  const made = {
    clientId: 'kiosk',
    clientSecret: secret,
    scope: 'all',
    authorizedGrantTypes: 'password',
    clientStatus: 1,
    accessTokenValidity: 3600,
    refreshTokenValidity: 7200,
  }
  expect((await post('/client/submit', made)).code).toBe(200)
  const rows = await t.db.selectFrom('client').selectAll().execute()
  const kiosk = rows.find(row => row.clientId === 'kiosk')!
  for (const { clientSecret } of rows) expect(clientSecret ?? '').toMatch(/^(\$argon2id\$.+|[0-9a-f]{64}|)$/)
  for (const url of ['page', 'list', `detail?id=${kiosk.id}`, 'export']) {
    const { payload, statusCode } = await t.app.inject({
      url: `/api/blade-system/client/${url}`,
      headers: root.headers,
    })
    expect([url, statusCode]).toEqual([url, 200])
    for (const hidden of ['clientSecret', secret, 'argon2', kiosk.clientSecret]) expect(payload).not.toContain(hidden)
  }
  for (const one of ['kiosk:wrong', 'kiosk:', `kiosk:${kiosk.clientSecret}`, 'nobody:x', 'kiosk', ':']) {
    expect([one, (await come(one)).error_description]).toEqual([one, '客户端认证失败'])
  }
  expect((await come(`kiosk:${secret}`)).access_token).toBeTruthy()
  for (const grant of ['captcha', 'sms_code', 'implicit'])
    expect((await come(`kiosk:${secret}`, grant)).error_description).toMatch('不支持的授权类型')
  for (const off of [{ clientStatus: 0 as const }, { clientStatus: 1 as const, isDeleted: 1 }]) {
    await t.db.updateTable('client').set(off).where('id', '=', kiosk.id).execute()
    expect((await come(`kiosk:${secret}`)).error_description).toBe('客户端认证失败')
  }
})
