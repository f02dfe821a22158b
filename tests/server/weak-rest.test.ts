import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { bearer, loginAs, type Session } from '../helper/login.ts'

// The numbered weaknesses of consoles of this family, and what holds against each: answers, headers and operations. 29 stands
// in journal.test.ts, under its number.

let t: TestApp
let candidate: Session
beforeAll(async () => {
  t = await testApp()
  candidate = await loginAs(t, 'candidate')
})
afterAll(() => t.close())

const calls = () => t.app.routeTable.filter(({ method, url }) => method !== 'HEAD' && url.startsWith('/api/'))
/** Calls that end a session, or speak the protocol of tokens. */
const apart = /\/oauth\/(logout|token|authorize|render)/

test('27 · 401 is for who is unknown, in one answer everywhere; who lacks a right is told 403', async () => {
  const unknown = { status: 401, code: 401, success: false, data: {}, msg: '请求未授权' }
  const bad = [{}, bearer('x'), bearer('eyJhbGciOiJub25lIn0.e30.'), { 'blade-auth': candidate.body.access_token! }]
  const wrong = await inTurns(8, calls(), async ({ method, url, access }, place) => {
    if (access === 'public' || apart.test(url)) return []
    const ask = (headers: Record<string, string>) => t.call({ method: method as 'GET', url, headers })
    const nobody = await ask(bad[place % bad.length]!)
    const isSame = isDeepStrictEqual(nobody, unknown)
    const known = method === 'GET' ? await ask(candidate.headers) : { status: 403, code: 403 }
    return isSame && known.status !== 401 && known.code !== 401 ? [] : [`${method} ${url} ${nobody.msg} ${known.code}`]
  })
  expect(wrong.flat()).toEqual([])
  const closed = await t.call({ url: '/api/blade-system/user/page', headers: candidate.headers })
  expect(closed).toEqual({ status: 403, code: 403, success: false, data: {}, msg: '没有访问权限' })
})

test('28 · no cookie opens a call, none is set, and no other site may read an answer', async () => {
  const token = candidate.body.access_token!
  const names = ['blade-auth', 'saber-access-token', 'juxian-access-token', 'token', 'Authorization']
  const headers = {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    cookie: names.map(name => `${name}=bearer ${token}`).join('; '),
  }
  const wrong = await inTurns(8, calls(), async ({ method, url, access }) => {
    if (apart.test(url)) return []
    const answer = await t.app.inject({ method: method as 'GET', url, headers })
    const said = Object.keys(answer.headers).filter(name => /^access-control-|^set-cookie$/.test(name))
    // Some are refused before anybody asks who is calling, because of where they come from.
    const isShut = answer.statusCode === 401 || answer.payload.includes('来源不被允许')
    const isOpen = access !== 'public' && !isShut
    return said.length > 0 || isOpen ? [`${method} ${url} ${answer.statusCode} ${said}`] : []
  })
  expect(wrong.flat()).toEqual([])
  const asked = { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'blade-auth' }
  const before = await t.app.inject({ method: 'OPTIONS', url: '/api/blade-system/user/remove', headers: asked })
  expect([before.statusCode, Object.keys(before.headers).join()]).toEqual([
    405,
    expect.not.stringContaining('access-c'),
  ])
})

const root = path.resolve(import.meta.dirname, '../..')
/** Files of the product that somebody might run as they are. */
async function files(folder = root): Promise<string[]> {
  const isOurs = (name: string) =>
    !/^(node_modules|dist|data|test-results|\.git|tests|docs|package-lock\.json)$/.test(name)
  const found = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isOurs(name))
  const inside = await Promise.all(
    found.map(one => (one.isDirectory() ? files(path.join(folder, one.name)) : [path.join(folder, one.name)])),
  )
  return inside.flat()
}

test('30 · nothing that is shipped names a password or a server; the database listens on its own socket only', async () => {
  const passwordsInAddresses = /\b\w+:\/\/[\w.-]+:(?!password@)[^@/\s'"`$]{1,60}@/
  const knownPairs =
    /\b(root|nacos|sa|postgres|minioadmin)[/:]\1\b|\b(password|passwd|secret)\s*[:=]\s*['"]?(root|123456|admin|nacos)\b/i
  // Addresses of examples are those that RFC 5737 keeps for them.
  const servers =
    /\/\/(?!127\.0\.0\.1|192\.0\.2\.)\d{1,3}(\.\d{1,3}){3}|(?<![\d.])(?!127\.0\.0\.1|192\.0\.2\.)\d{1,3}(\.\d{1,3}){3}:\d+/
  const read = (await files()).filter(name => !/\.(png|svg|woff2?|ttf|otf|ico|jpe?g)$|\.test\.tsx?$/.test(name))
  expect(read.length).toBeGreaterThan(800)
  const wrong = await Promise.all(
    read.map(async name => {
      const text = await readFile(name, 'utf8')
      const found = [passwordsInAddresses, knownPairs, servers].flatMap(one => one.exec(text)?.[0] ?? [])
      return found.map(one => `${path.relative(root, name)} ${one}`)
    }),
  )
  expect(wrong.flat()).toEqual([])
  const { rows } = await t.pool.query<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE name = ANY('{listen_addresses,unix_socket_permissions}') ORDER BY name`,
  )
  expect(rows.map(one => one.setting)).toEqual(['', '0700'])
  expect(inject('cluster').host).toMatch(/^\//)
})

test('31 · browsers are told to load nothing from elsewhere and to evaluate nothing', async () => {
  const { headers } = await t.app.inject('/api/public/health')
  const policy = String(headers['content-security-policy']).split(';')
  const rules = policy.map(one => one.trim().split(/\s+/)).map(([name = '', ...sources]) => [name, sources] as const)
  expect(rules.map(([name]) => name)).toEqual(expect.arrayContaining(['default-src', 'script-src', 'style-src']))
  const own = ["'self'", "'none'", 'data:', 'blob:']
  for (const [name, sources] of rules) {
    const scripts = /^(default|script|object|base)/.test(name)
    const allowed = name === 'style-src' ? [...own, "'unsafe-inline'"] : scripts ? own.slice(0, 2) : own
    expect([name, sources.filter(one => !allowed.includes(one))]).toEqual([name, []])
  }
})
