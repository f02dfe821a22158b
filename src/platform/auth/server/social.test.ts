import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OauthSource } from '#schemas/system/oauth-source'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type IdentityProvider, identityProvider, registered } from '../../../../tests/helper/identity-provider.ts'
import {
  bearer,
  encrypt,
  login,
  loginAs,
  makeUser,
  password,
  type Session,
  webClient,
} from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { isPrivateAddress } from '../../channels/outside/private-address.ts'

const origin = 'https://exam.test'
const oauth = '/api/blade-auth/oauth'
const config = { publicUrl: origin }

let t: TestApp
let other: TestApp
let idp: IdentityProvider
let root: Session
let shift = 0

/** Every test in a minute of its own: how often one may try is counted by the minute. */
const later = () => t.setNow(new Date(shanghai('2026-11-20 10:00:00').getTime() + ++shift * 120_000))

beforeAll(async () => {
  idp = await identityProvider([`${origin}/oauth/redirect/idp`, `${origin}/oauth/redirect/two`])
  t = await testApp({ config })
  other = await testApp({ config: { ...config, now: () => t.app.now() }, url: t.url })
  root = await login(t, 'admin')
  await t.pool.query(`UPDATE param SET "paramValue" = $1 WHERE "paramKey" = 'oauth.hosts'`, [idp.host])
  await makeSource({ source: 'idp', sourceName: '统一认证', sourceStatus: 1 })
})
afterAll(async () => {
  await other?.close()
  await t?.close()
  await idp?.close()
})

const makeSource = (more: object) => {
  const { client_id: clientId, client_secret: secret } = registered
  const clientSecret = t.app.vault.seal(secret)
  return insert(t.app, OauthSource, { issuer: idp.issuer, clientId, clientSecret, scope: 'openid profile', ...more })
}

/** A browser that was sent to the provider. */
interface Gone {
  cookie: string
  address: URL
}

const cookieOf = (header: unknown) => String(header ?? '').split(';')[0] ?? ''

async function leave(source = 'idp'): Promise<Gone> {
  const answer = await t.app.inject({ url: `${oauth}/render/${source}` })
  return { cookie: cookieOf(answer.headers['set-cookie']), address: new URL(answer.headers.location ?? '') }
}

type Body = Session['body'] & { error_code?: number; error_description?: string }

const exchange = async (
  query: Record<string, string>,
  cookie: string,
  on = t,
): Promise<{ status: number; body: Body }> => {
  const headers = { authorization: webClient, cookie }
  const asked = { grant_type: 'social', tenantId: '000000', source: 'idp', ...query }
  const answer = await on.app.inject({ method: 'POST', url: `${oauth}/token`, headers, query: asked })
  return { status: answer.statusCode, body: answer.json() }
}

const paramsOf = (url: URL) => Object.fromEntries(url.searchParams)

/** The whole way: to the provider, signed in there, and back. */
async function cometh(subject: string, on = t) {
  const { cookie, address } = await leave()
  return exchange(paramsOf(await idp.signIn(address.href, subject)), cookie, on)
}

const guestForm = (guest: Body, account: string) => ({
  tenantId: '000000',
  name: '路人',
  account,
  password: encrypt(t, 'Abcd1234x'),
  oauthId: guest.oauth_id,
})
const registerGuest = (guest: Body, account: string, token = guest.access_token) =>
  t.call({
    method: 'POST',
    url: '/api/blade-system/user/register-guest',
    payload: guestForm(guest, account),
    headers: bearer(String(token)),
  })

test('the page is told names only, and a person leaves with PKCE, state and nonce for our own address', async () => {
  later()
  const { data } = await t.call(`${oauth}/sources`)
  expect(data).toEqual([{ source: 'idp', sourceName: '统一认证' }])
  const answer = await t.app.inject({ url: `${oauth}/render/idp`, headers: { host: 'evil.test' } })
  const address = new URL(String(answer.headers.location))
  expect(address.origin).toBe(idp.issuer)
  expect(paramsOf(address)).toMatchObject({
    redirect_uri: `${origin}/oauth/redirect/idp`,
    response_type: 'code',
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(answer.headers['set-cookie']).toMatch(
    /; Path=\/api\/blade-auth\/oauth; Max-Age=600; HttpOnly; SameSite=Strict; Secure$/,
  )
  const { rows } = await t.pool.query(`SELECT * FROM oauth_state`)
  expect(JSON.stringify(rows)).not.toContain(address.searchParams.get('state'))
})

test('a stranger asks for an account as a guest, an administrator approves it, and then the sign-in works at any server', async () => {
  later()
  const { body: guest } = await cometh('stranger', other)
  expect(guest).toMatchObject({
    user_id: '',
    role_name: 'guest',
    nick_name: '昵称stranger',
    access_token: expect.any(String),
  })
  expect((await t.call({ url: `${oauth}/user-info`, headers: bearer(String(guest.access_token)) })).status).toBe(401)
  expect((await registerGuest(guest, 'stranger', 'another')).code).toBe(29001)
  expect((await registerGuest(guest, 'stranger')).code).toBe(200)
  expect((await cometh('stranger')).body).toMatchObject({ error_code: 20005 })
  const user = await t.db.selectFrom('user').selectAll().where('account', '=', 'stranger').executeTakeFirstOrThrow()
  const url = `/api/blade-system/user/audit-pass?userIds=${user.id}`
  expect((await t.call({ method: 'POST', url, headers: root.headers })).code).toBe(200)
  const { body } = await cometh('stranger', other)
  expect(body).toMatchObject({ user_id: user.id, role_name: 'candidate' })
  expect((await t.call({ url: `${oauth}/user-info`, headers: bearer(String(body.access_token)) })).status).toBe(200)
})

test('an identity becomes one account only, however often it comes before', async () => {
  later()
  const [{ body: one }, { body: two }] = [await cometh('double'), await cometh('double')]
  expect((await registerGuest(one, 'double1')).code).toBe(200)
  expect((await registerGuest(two, 'double2')).code).toBe(20043)
  expect(await t.db.selectFrom('user').select('id').where('account', '=', 'double2').execute()).toEqual([])
})

test('where registration is closed, a guest cannot ask either', async () => {
  later()
  const { body: guest } = await cometh('closed')
  const set = (value: string) =>
    t.pool.query(`UPDATE param SET "paramValue" = $1 WHERE "paramKey" = 'site.register'`, [value])
  await set('false')
  expect((await registerGuest(guest, 'closed')).code).toBe(20011)
  await set('true')
})

describe('what comes back does not count', () => {
  test('a second time, nor in another browser, nor after ten minutes', async () => {
    later()
    const { cookie, address } = await leave()
    const back = paramsOf(await idp.signIn(address.href, 'late'))
    const mine = await leave()
    const refused = { status: 400, body: { error_code: 20040 } }
    expect(await exchange(back, '')).toMatchObject(refused)
    expect(await exchange(back, mine.cookie)).toMatchObject(refused)
    expect(await exchange(back, `${cookie.split('=')[0]}=${mine.cookie.split('=')[1]}`)).toMatchObject(refused)
    expect((await exchange(back, cookie)).status).toBe(200)
    expect(await exchange(back, cookie)).toMatchObject(refused)
    const old = await leave()
    const tooLate = paramsOf(await idp.signIn(old.address.href, 'late'))
    t.setNow(new Date(t.app.now().getTime() + 600_001))
    expect(await exchange(tooLate, old.cookie)).toMatchObject(refused)
    shift += 6
  })

  test.each([
    ['a code whose challenge was another', (url: URL) => url.searchParams.set('code_challenge', 'A'.repeat(43))],
    ['an id_token for another nonce', (url: URL) => url.searchParams.set('nonce', 'another')],
  ])('with %s', async (_what, change) => {
    later()
    const { cookie, address } = await leave()
    change(address)
    const back = paramsOf(await idp.signIn(address.href, 'changed'))
    expect(await exchange(back, cookie)).toMatchObject({ status: 400, body: { error_code: 20041 } })
  })

  test('with a code that was used, or from another issuer, or of another source', async () => {
    later()
    const first = await leave()
    const back = paramsOf(await idp.signIn(first.address.href, 'reused'))
    expect((await exchange(back, first.cookie)).status).toBe(200)
    const again = await leave()
    const { code } = back
    const { iss, state } = paramsOf(await idp.signIn(again.address.href, 'reused'))
    const mixed = { code, iss, state } as Record<string, string>
    expect((await exchange(mixed, again.cookie)).body.error_code).toBe(20041)
    const third = await leave()
    const foreign = { ...paramsOf(await idp.signIn(third.address.href, 'reused')), iss: 'https://evil.test' }
    expect((await exchange(foreign, third.cookie)).body.error_code).toBe(20041)
    const fourth = await leave()
    const elsewhere = { ...paramsOf(await idp.signIn(fourth.address.href, 'reused')), source: 'two' }
    expect((await exchange(elsewhere, fourth.cookie)).body.error_code).toBe(20040)
  })
})

test('somebody who turns back at the provider comes home with a word, not with a code', async () => {
  later()
  const { address } = await leave()
  expect(paramsOf(await idp.signIn(address.href, 'shy', true))).toMatchObject({ error: 'access_denied' })
})

describe('an own account', () => {
  const bind = async (who: Session, subject: string, by: Session = who) => {
    const call = (url: string, payload: object, headers: Record<string, string>) =>
      t.app.inject({ method: 'POST', url: `${oauth}/${url}`, headers, payload })
    const left = await call('bind/idp', { password: encrypt(t, password) }, who.headers)
    const { address } = left.json().data
    const payload = { source: 'idp', ...paramsOf(await idp.signIn(address, subject)) }
    const cookie = cookieOf(left.headers['set-cookie'])
    const social = await exchange(payload, cookie)
    return {
      social: social.body.error_code,
      code: (await call('bind', payload, { ...by.headers, cookie })).json().code,
    }
  }
  const bindings = async (who: Session) =>
    (await t.call<{ linked: number }[]>({ url: `${oauth}/bindings`, headers: who.headers })).data

  test('is linked after its password, signs in, and is unlinked', async () => {
    later()
    const me = await loginAs(t, 'candidate')
    const wrong = {
      method: 'POST',
      url: `${oauth}/bind/idp`,
      headers: me.headers,
      payload: { password: 'wrong' },
    } as const
    expect((await t.call(wrong)).code).toBe(20051)
    // What is begun for linking does not sign in.
    expect(await bind(me, 'linked')).toEqual({ social: 20040, code: 200 })
    expect(await bindings(me)).toMatchObject([{ source: 'idp', linked: 1, nickname: '昵称linked' }])
    expect((await cometh('linked')).body.user_id).toBe(me.body.user_id)
    const away = () => t.call({ method: 'POST', url: `${oauth}/unbind/idp`, headers: me.headers })
    expect([(await away()).code, (await away()).code]).toEqual([200, 29001])
    expect((await cometh('linked')).body.user_id).toBe('')
  })

  test('has one identity of a source, and an identity has one account', async () => {
    later()
    const [one, two] = [await loginAs(t, 'candidate'), await loginAs(t, 'candidate')]
    expect((await bind(one, 'taken')).code).toBe(200)
    expect((await bind(two, 'taken')).code).toBe(20043)
    later()
    expect((await bind(one, 'second')).code).toBe(20043)
    expect((await bind(two, 'stolen', one)).code).toBe(20040)
    expect(await bindings(two)).toMatchObject([{ linked: 0 }])
  })

  test('with a second factor gets no session before its code', async () => {
    later()
    const account = 'careful'
    const userId = await makeUser(t, { role: 'reviewer', account })
    expect((await bind(await login(t, account), account)).code).toBe(200)
    const secret = t.app.vault.seal('A'.repeat(32))
    const factor = { userId, secret, pending: null, confirmTime: t.app.now() }
    await t.db.insertInto('second_factor').values(factor).execute()
    const { body } = await cometh(account)
    expect(body).toMatchObject({ error_code: 20030, data: { factorToken: expect.any(String) } })
    expect(body).not.toHaveProperty('access_token')
  })

  test('that is disabled stays out, and one that is removed sets its identity free', async () => {
    later()
    const account = 'leaving'
    const id = await makeUser(t, { role: 'candidate', account })
    await bind(await login(t, account), 'leaving')
    await t.pool.query(`UPDATE "user" SET "accountStatus" = 2 WHERE id = $1`, [id])
    expect((await cometh('leaving')).body.error_code).toBe(20004)
    await t.pool.query(`UPDATE "user" SET "isDeleted" = 1 WHERE id = $1`, [id])
    const { body: guest } = await cometh('leaving')
    expect(guest.user_id).toBe('')
    expect((await registerGuest(guest, 'leaving2')).code).toBe(200)
  })
})

describe('a source', () => {
  const path = '/api/blade-system/oauth-source'
  const row = (more: object) => ({
    source: 'two',
    sourceName: '二',
    issuer: idp.issuer,
    clientId: 'c',
    clientSecret: 's3cret',
    scope: 'openid',
    sort: 2,
    ...more,
  })
  const post = (url: string, payload: object = {}) =>
    t.call({ method: 'POST', url: `${path}/${url}`, headers: root.headers, payload })

  test('keeps its secret to itself, sealed, and when none is sent', async () => {
    later()
    expect((await post('submit', row({}))).code).toBe(200)
    const stored = () =>
      t.db.selectFrom('oauth_source').selectAll().where('source', '=', 'two').executeTakeFirstOrThrow()
    const before = await stored()
    expect(t.app.vault.open(String(before.clientSecret))).toBe('s3cret')
    const { clientSecret: _s, ...kept } = row({ id: before.id, sourceName: '贰' })
    expect((await post('submit', kept)).code).toBe(200)
    expect(await stored()).toMatchObject({ sourceName: '贰', clientSecret: before.clientSecret })
    const seen = await t.app.inject({ url: `${path}/page`, headers: root.headers })
    expect(seen.body).toContain('贰')
    expect(seen.body).not.toContain('clientSecret')
    // Not in use yet: no button, and nobody leaves for it.
    expect((await t.call<unknown[]>(`${oauth}/sources`)).data).toHaveLength(1)
    expect((await t.app.inject({ url: `${oauth}/render/two` })).headers.location).toBe(
      '/oauth/redirect/two?error=20042',
    )
  })

  test.each([
    'http://idp.example.org',
    'https://10.0.0.8',
    'https://[::ffff:10.0.0.8]',
    'https://localhost',
    'ftp://x',
  ])('may not be at %s', async issuer => {
    expect(await post('submit', row({ source: 'three', issuer }))).toMatchObject({ code: 29005 })
  })

  test('is tried, and says what is wrong with it', async () => {
    later()
    const { id } = await makeSource({ source: 'good', sourceName: '好' })
    expect((await post(`test?id=${id}`)).data).toEqual({
      message: '连接正常，支持 PKCE',
      redirectUri: `${origin}/oauth/redirect/good`,
    })
    const lying = await makeSource({
      source: 'lying',
      sourceName: '假',
      issuer: idp.issuer.replace('127.0.0.1', 'localhost'),
    })
    const list = `${idp.host},${idp.host.replace('127.0.0.1', 'localhost')}`
    await t.pool.query(`UPDATE param SET "paramValue" = $1 WHERE "paramKey" = 'oauth.hosts'`, [list])
    expect(await post(`test?id=${lying.id}`)).toMatchObject({
      status: 400,
      code: 20042,
      msg: expect.stringContaining('issuer'),
    })
    await t.pool.query(`UPDATE param SET "paramValue" = $1 WHERE "paramKey" = 'oauth.hosts'`, [idp.host])
    expect((await post(`test?id=${lying.id}`)).msg).toContain('HTTPS')
  })

  test('whose accounts are linked keeps its issuer, and is neither removed nor, in use, at all', async () => {
    const { id } = await t.db
      .selectFrom('oauth_source')
      .select('id')
      .where('source', '=', 'idp')
      .executeTakeFirstOrThrow()
    expect((await post('submit', row({ id, source: 'idp', issuer: 'https://idp.example.org' }))).code).toBe(29003)
    expect((await post(`remove?ids=${id}`)).code).toBe(29003)
  })
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
])('%s is private', address => expect(isPrivateAddress(address)).toBe(true))

test.each(['8.8.8.8', '172.32.0.1', '2400:3200::1', '::ffff:8.8.8.8'])('%s is not', address =>
  expect(isPrivateAddress(address)).toBe(false),
)

test('a provider that is down is said to be down, and nothing breaks', async () => {
  later()
  const { cookie, address } = await leave()
  const back = paramsOf(await idp.signIn(address.href, 'down'))
  await idp.close()
  expect(await exchange(back, cookie)).toMatchObject({ status: 400, body: { error_code: 20042 } })
  expect((await t.app.inject({ url: `${oauth}/render/idp` })).headers.location).toBe('/oauth/redirect/idp?error=20042')
})
