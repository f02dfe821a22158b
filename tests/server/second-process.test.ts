import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../helper/app.ts'
import { bearer, password, webClient } from '../helper/login.ts'
import { buildServer, type ServerProcess, startServer } from '../helper/process.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'

let database: TestDatabase
let [first, second] = [] as ServerProcess[] as [ServerProcess, ServerProcess]
const secrets: string[] = [password]

beforeAll(async () => {
  buildServer()
  database = await testDatabase()
  const env = { DATABASE_URL: database.url, CAPTCHA_MODE: 'false' }
  ;[first, second] = await Promise.all([startServer(env), startServer(env)])
}, 120_000)
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await database?.drop()
})

type Answer = { code: number; status: number; data: Record<string, unknown> & { records?: { id: string }[] } }

async function call(on: ServerProcess, path: string, token?: string, body?: object): Promise<Answer> {
  const headers = { ...(token ? bearer(token) : {}), ...(body ? { 'content-type': 'application/json' } : {}) }
  const options = { headers, ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}) }
  const answer = await fetch(`${on.url}/api${path}`, options)
  return { ...((await answer.json()) as Answer), status: answer.status }
}

async function encrypted(on: ServerProcess, text: string): Promise<string> {
  const { data } = await call(on, '/blade-auth/oauth/public-key')
  return sm2.doEncrypt(text, String(data.publicKey), 0)
}

async function login(on: ServerProcess, username: string, plain: string): Promise<string> {
  const query = new URLSearchParams({ grant_type: 'password', username, password: await encrypted(on, plain) })
  const url = `${on.url}/api/blade-auth/oauth/token?${query}`
  const answer = await fetch(url, { method: 'POST', headers: { authorization: webClient } })
  const { access_token: access, refresh_token: refresh } = await answer.json()
  expect(access).toEqual(expect.any(String))
  secrets.push(access, refresh)
  return access
}

const own = '/blade-auth/oauth/user-info'

test('a login at one process holds at the other, and so does the logout', async () => {
  const token = await login(first, 'admin', password)
  expect([await call(first, own, token), await call(second, own, token)].map(one => one.status)).toEqual([200, 200])
  expect((await call(second, '/blade-auth/oauth/logout', token)).status).toBe(200)
  expect([await call(first, own, token), await call(second, own, token)].map(one => one.status)).toEqual([401, 401])
})

test('a parameter changed at one process counts at the other at once', async () => {
  const token = await login(first, 'admin', password)
  const found = await call(first, '/blade-system/param/page?paramKey=site.register', token)
  const id = found.data.records?.[0]?.id
  for (const isOpen of [false, true]) {
    const change = { id, paramValue: String(isOpen) }
    expect((await call(first, '/blade-system/param/submit', token, change)).status).toBe(200)
    expect((await call(second, '/public/site')).data.registerMode).toBe(isOpen)
  }
})

test('the same row sent to both at once is there once', async () => {
  const token = await login(second, 'admin', password)
  const row = { paramName: '同时', paramKey: 'at.once', paramValue: '1' }
  const sent = await Promise.all([first, second].map(on => call(on, '/blade-system/param/submit', token, row)))
  expect(sent.map(one => one.code).toSorted()).toEqual([200, 29004])
  for (const on of [first, second])
    expect((await call(on, '/blade-system/param/page?paramKey=at.once', token)).data).toMatchObject({ total: 1 })
})

test('whoever registers at one process can log in at the other, and changes the password there', async () => {
  const token = await login(first, 'admin', password)
  const audit = await call(first, '/blade-system/param/page?paramKey=register.audit', token)
  const open = { id: audit.data.records?.[0]?.id, paramValue: '0' }
  expect((await call(first, '/blade-system/param/submit', token, open)).status).toBe(200)
  const person = { username: 'linxiaoyu', phone: samplePhone(7_654_321), idCard: sampleIdCard(7_654_321) }
  const [plain, next] = ['Hai7tang-kai', 'Yue8liang-xia']
  secrets.push(person.phone, person.idCard, plain, next)
  const cipher = await encrypted(first, plain)
  const site = await call(first, '/blade-system/param/page?paramKey=consent.version', token)
  const consentVersion = (site.data.records?.[0] as { paramValue?: string } | undefined)?.paramValue
  const form = { ...person, realName: '林晓雨', idType: 1, consentVersion, password: cipher, password2: cipher }
  expect(await call(first, '/blade-system/user/register', undefined, form)).toMatchObject({ code: 200 })
  const mine = await login(second, person.username, plain)
  expect((await call(second, own, mine)).status).toBe(200)
  const change = { oldPassword: await encrypted(second, plain), newPassword: await encrypted(second, next) }
  const changed = await call(second, '/blade-system/user/update-password', mine, {
    ...change,
    newPassword1: change.newPassword,
  })
  expect(changed).toMatchObject({ code: 200 })
  await login(first, person.username, next)
})

test('what the processes have written into their logs holds none of the secrets', () => {
  const text = first.output() + second.output()
  expect(text.split('\n').filter(line => line.includes('"answered"')).length).toBeGreaterThan(20)
  expect(secrets.length).toBeGreaterThan(12)
  for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
})
