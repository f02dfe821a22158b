import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '#schemas/system/client'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { bearer, loginAs, type Session } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { hashPassword } from '../../vault/password.ts'

const path = '/api/blade-auth/oauth'
const home = 'https://shop.test/back?from=juxian'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

let t: TestApp
let other: TestApp
let me: Session

beforeAll(async () => {
  t = await testApp()
  other = await testApp({ url: t.url })
  me = await loginAs(t, 'candidate')
  const more = { clientStatus: 1, scope: 'all,read', webServerRedirectUri: `https://shop.test/other,${home}` } as const
  const grants = 'authorization_code,refresh_token'
  const [clientSecret, redirect] = [await hashPassword('shop-secret'), 'javascript:alert(1)']
  await insert(t.app, Client, { ...more, clientId: 'shop', clientSecret, authorizedGrantTypes: grants })
  await insert(t.app, Client, { ...more, clientId: 'page', clientSecret: '', authorizedGrantTypes: grants })
  await insert(t.app, Client, { ...more, clientId: 'plain', clientSecret: '', authorizedGrantTypes: 'password' })
  const evil = { clientId: 'evil', clientSecret, authorizedGrantTypes: grants, webServerRedirectUri: redirect }
  await insert(t.app, Client, { ...more, ...evil })
})
afterAll(async () => {
  await other?.close()
  await t?.close()
})

const wish = { response_type: 'code', client_id: 'shop', redirect_uri: home, state: 's t' }
const withPkce = { ...wish, client_id: 'page', code_challenge: challenge, code_challenge_method: 'S256' }

const answer = (asked: object, approved: unknown = true) =>
  t.call<{ address: string }>({
    method: 'POST',
    url: `${path}/authorize`,
    headers: me.headers,
    payload: { ...asked, approved },
  })

async function codeFor(asked: object): Promise<string> {
  const { data } = await answer(asked)
  return new URL(data.address).searchParams.get('code') ?? ''
}

async function exchange(query: Record<string, string>, client = 'shop:shop-secret', on = t) {
  const headers = { authorization: `Basic ${Buffer.from(client).toString('base64')}` }
  const asked = { grant_type: 'authorization_code', redirect_uri: home, ...query }
  const found = await on.app.inject({ method: 'POST', url: `${path}/token`, headers, payload: asked })
  const body = found.json()
  return { status: found.statusCode, code: body.error_code, body }
}

const isIn = async (token: string) =>
  (await t.call({ url: `${path}/user-info`, headers: bearer(token) })).status === 200

test('a browser sent to the call finds the page, which needs somebody who is signed in', async () => {
  const away = await t.app.inject({ url: `${path}/authorize`, query: { ...wish, other: 'x' } })
  expect(away.headers.location).toBe(
    `/oauth/authorize?${new URLSearchParams(Object.entries({ ...wish }).sort(byName))}`,
  )
  expect((await t.call({ url: `${path}/authorize/ask`, query: wish })).status).toBe(401)
})
const order = ['response_type', 'client_id', 'redirect_uri', 'scope', 'state']
const byName = ([a]: [string, string], [b]: [string, string]) => order.indexOf(a) - order.indexOf(b)

test('who is asked hears which program it is, and a no travels home without a code', async () => {
  const asked = { url: `${path}/authorize/ask`, headers: me.headers, query: { ...wish, scope: 'read' } }
  expect((await t.call(asked)).data).toEqual({ clientId: 'shop', scope: 'read', host: 'shop.test' })
  const said = { from: 'juxian', error: 'access_denied', state: 's t' }
  for (const approved of [false, 'true', null]) {
    const { data } = await answer(wish, approved)
    expect(Object.fromEntries(new URL(data.address).searchParams)).toEqual(said)
  }
})

describe('is refused, and goes nowhere:', () => {
  test.each([
    ['an unknown program', { ...wish, client_id: 'nobody' }],
    ['a program that may not ask', { ...wish, client_id: 'plain' }],
    ['an address that is not registered', { ...wish, redirect_uri: 'https://evil.test' }],
    ['an address that only begins like one', { ...wish, redirect_uri: `${home}&more=1` }],
    ['an address that is part of one', { ...wish, redirect_uri: 'https://shop.test/' }],
    ['an address that is a script', { ...wish, client_id: 'evil', redirect_uri: 'javascript:alert(1)' }],
    ['no address', { ...wish, redirect_uri: '' }],
    ['another kind of answer', { ...wish, response_type: 'token' }],
    ['more than is registered', { ...wish, scope: 'read write' }],
    ['a page without PKCE', { ...wish, client_id: 'page' }],
    ['a page with plain PKCE', { ...withPkce, code_challenge_method: 'plain' }],
  ])('%s', async (_what, asked) => {
    expect(await answer(asked)).toMatchObject({ status: 400, code: 29005, data: {} })
    expect(await answer(asked, false)).toMatchObject({ status: 400, code: 29005, data: {} })
  })
})

describe('a code', () => {
  test('is a session of the person at any server, once; a second time ends it', async () => {
    const { data } = await answer(wish)
    expect(data.address.startsWith(`${home}&`)).toBe(true)
    const given = new URL(data.address).searchParams
    expect(given.get('state')).toBe('s t')
    const code = given.get('code') ?? ''
    const { body } = await exchange({ code }, undefined, other)
    expect(body).toMatchObject({ user_id: me.body.user_id, expires_in: expect.any(Number) })
    expect(await isIn(body.access_token)).toBe(true)
    const rows = await t.db.selectFrom('oauth_code').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
    expect((await exchange({ code })).code).toBe(20044)
    expect(await isIn(body.access_token)).toBe(false)
    const renewed = await exchange({ grant_type: 'refresh_token', refresh_token: body.refresh_token })
    expect(renewed.status).toBe(401)
    expect(await isIn(me.headers['blade-auth']!.slice(7))).toBe(true)
  })

  test('that comes several times at once leaves nobody signed in', async () => {
    const code = await codeFor(wish)
    const all = await Promise.all([t, other, t, other].map(on => exchange({ code }, undefined, on)))
    expect(all.filter(one => one.code === 20044).length).toBeGreaterThanOrEqual(3)
    for (const { body } of all) if (body.access_token) expect(await isIn(body.access_token)).toBe(false)
  })

  test.each([
    ['with another address', { redirect_uri: 'https://shop.test/other' }, 'shop:shop-secret'],
    ['by another program', {}, 'page:'],
    ['with a verifier nobody announced', { code_verifier: verifier }, 'shop:shop-secret'],
  ])('does not serve %s', async (_what, query, client) => {
    const code = await codeFor(wish)
    expect((await exchange({ code, ...query }, client)).code).toBe(20044)
  })

  test('of a page serves with its verifier only', async () => {
    const use = async (query: object) => (await exchange({ code: await codeFor(withPkce), ...query }, 'page:')).status
    expect(await use({ code_verifier: 'w'.repeat(43) })).toBe(400)
    expect(await use({})).toBe(400)
    expect(await use({ code_verifier: verifier })).toBe(200)
  })

  test('needs the secret of its program, and a program that may use it', async () => {
    const code = await codeFor(wish)
    expect((await exchange({ code }, 'shop:wrong')).body.msg).toContain('客户端认证失败')
    expect((await exchange({ code }, 'plain:')).body.msg).toContain('不支持的授权类型')
    expect((await exchange({ code })).status).toBe(200)
  })

  test('serves five minutes', async () => {
    const code = await codeFor(wish)
    t.setNow(new Date(Date.now() + 300_001))
    expect((await exchange({ code })).code).toBe(20044)
  })

  test('of somebody who has been disabled meanwhile does not sign in', async () => {
    const code = await codeFor(wish)
    await t.pool.query(`UPDATE "user" SET "accountStatus" = 2 WHERE id = $1`, [me.body.user_id])
    expect((await exchange({ code })).code).toBe(20004)
  })
})
