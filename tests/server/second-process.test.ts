import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { sm2 } from 'sm-crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Work } from '../../src/platform/auth/server/captcha.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { dataFolder, type TestDatabase, testDatabase } from '../helper/app.ts'
import { bearer, resultOf, webClient } from '../helper/login.ts'
import { buildServer, launchServer, type ServerProcess, startServer } from '../helper/process.ts'
import { relayTo } from '../helper/relay.ts'
import { sampleIdCard, samplePhone } from '../helper/sample.ts'

let database: TestDatabase
let [first, second] = [] as ServerProcess[] as [ServerProcess, ServerProcess]
const password = 'Shan7-Hai9-Guan'
const secrets: string[] = [password]

beforeAll(async () => {
  buildServer()
  database = await testDatabase()
  // Outside the demo nothing starts with its password.
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query(`UPDATE "user" SET password = $1 WHERE account = 'admin'`, [await hashPassword(password)])
  await client.end()
  const env = { DATABASE_URL: database.url, CAPTCHA_MODE: 'false' }
  ;[first, second] = await Promise.all([startServer(env), startServer(env)])
})
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()])
  await database?.drop()
})

type Answer = { code: number; status: number; data: Record<string, unknown> & { records?: { id: string }[] } }

async function call(
  on: ServerProcess,
  path: string,
  token?: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<Answer> {
  const headers = { ...more, ...(token ? bearer(token) : {}), ...(body ? { 'content-type': 'application/json' } : {}) }
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

type Leaf = { id: string; children?: Leaf[] }
const idsIn = (leaves: readonly Leaf[]): string[] => leaves.flatMap(({ id, children = [] }) => [id, ...idsIn(children)])

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
  const form = { ...person, realName: '林晓雨', idType: 1, consentVersion: '1.0', password: cipher, password2: cipher }
  // A calculation that one process asked for serves at one of them, once.
  const { data } = await call(second, '/blade-auth/oauth/captcha?kind=work')
  const work = { 'captcha-key': String(data.key), 'captcha-code': String(resultOf(data.work as Work)) }
  const forms = [first, second].map(on => call(on, '/blade-system/user/register', undefined, form, work))
  expect((await Promise.all(forms)).map(one => one.code).toSorted()).toEqual([200, 20001])
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

test('what an administrator does to a person at one process counts at the other at the next request', async () => {
  const root = await login(first, 'admin', password)
  const roles = { reviewer: roleIds.reviewer, finance: roleIds.finance }
  const [plain, next] = ['Guan7cha-yuan-qi', 'Xin7mima-ba-wei']
  secrets.push(plain, next)
  const person = { account: 'liangchen', name: '梁晨', realName: '梁晨', phone: samplePhone(7_654_322), idType: 1 }
  const account = { ...person, userType: 1, roleId: roles.reviewer, password: await encrypted(first, plain) }
  expect((await call(first, '/blade-system/user/submit', root, account)).code).toBe(200)
  const found = await call(first, '/blade-system/user/page?account=liangchen', root)
  const id = found.data.records?.[0]?.id ?? ''

  const given = await login(second, person.account, plain)
  const texts = { oldPassword: await encrypted(second, plain), newPassword: await encrypted(second, next) }
  const change = { ...texts, newPassword1: texts.newPassword }
  expect((await call(second, '/blade-system/user/update-password', given, change)).code).toBe(200)
  const mine = await login(first, person.account, next)
  expect((await call(second, own, given)).status).toBe(200)
  expect((await call(second, '/blade-signup/signup/page', mine)).status).toBe(200)

  expect((await call(first, `/blade-system/user/grant?userIds=${id}&roleIds=${roles.finance}`, root, {})).code).toBe(
    200,
  )
  expect((await call(second, '/blade-signup/signup/page', mine)).status).toBe(403)
  expect((await call(second, own, mine)).data.roles).toEqual(['finance'])

  expect((await call(second, '/blade-system/user/page', mine)).status).toBe(403)
  const menus = await call(first, '/blade-system/menu/grant-tree', root)
  const menuIds = idsIn(menus.data.menu as Leaf[])
  const all = { roleIds: [roles.finance], menuIds }
  expect((await call(first, '/blade-system/role/grant', root, all)).code).toBe(200)
  expect((await call(second, '/blade-system/user/page', mine)).status).toBe(200)
  expect((await call(first, '/blade-system/role/grant', root, { ...all, menuIds: [] })).code).toBe(200)
  expect((await call(second, '/blade-system/user/page', mine)).status).toBe(403)

  const reset = await call(first, `/blade-system/user/reset-password?userIds=${id}`, root, {})
  const [{ password: once }] = reset.data as unknown as [{ password: string }]
  secrets.push(once)
  expect([await call(second, own, mine), await call(second, own, given)].map(one => one.status)).toEqual([401, 401])

  const last = await login(first, person.account, once)
  expect((await call(second, own, last)).status).toBe(200)
  expect((await call(first, `/blade-system/user/changeStatus?id=${id}&status=2`, root, {})).code).toBe(200)
  expect((await call(second, own, last)).status).toBe(401)
})

test('a dictionary row sealed at one process is gone from the selects of the other at once', async () => {
  const token = await login(first, 'admin', password)
  const words = async (on: ServerProcess) => {
    const { data } = await call(on, '/blade-system/dict/dictionary?code=education', token)
    return data as unknown as { id: string; code: string; dictKey: string; isSealed: number }[]
  }
  const [row, ...others] = await words(second)
  expect(others.length).toBeGreaterThan(2)
  const path =
    (await call(first, `/blade-system/dict-biz/detail?id=${row?.id}`, token)).code === 200 ? 'dict-biz' : 'dict'
  expect((await call(first, `/blade-system/${path}/submit`, token, { id: row?.id, isSealed: 1 })).code).toBe(200)
  expect(await words(second)).toEqual(others)
})

test('a process with another folder of files is refused with what helps', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-other-'))
  const third = launchServer({ DATABASE_URL: database.url, DATA_DIR: folder })
  try {
    expect(await third.ended).toBe(1)
    const place = path.join(dataFolder(database.url), 'files').replaceAll('/', '\\/')
    expect(third.output()).toMatch(new RegExp(`in another folder \\(${place} on host ${os.hostname()}, since 20`))
    for (const cure of [/Mount that folder at/, /set S3_ENDPOINT, S3_BUCKET/, /run `npm run files -- adopt`/])
      expect(third.output()).toMatch(cure)
    expect((await call(first, '/public/health')).status).toBe(200)
  } finally {
    await third.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

test('what the processes have written into their logs holds none of the secrets', () => {
  const text = first.output() + second.output()
  expect(text.split('\n').filter(line => line.includes('"answered"')).length).toBeGreaterThan(20)
  expect(secrets.length).toBeGreaterThan(12)
  for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
})

test('a process that dies between the commit and the answer leaves an answer for whoever asks again', async () => {
  const token = await login(first, 'admin', password)
  const relay = await relayTo(database.url)
  const dying = await startServer({ DATABASE_URL: relay.url, CAPTCHA_MODE: 'false' })
  const client = new pg.Client(database.url)
  await client.connect()
  const rowsOf = async (sql: string) => (await client.query(sql)).rows
  try {
    const row = { paramName: '断点', paramKey: 'died.between', paramValue: '1' }
    const key = { 'idempotency-key': 'died-between-commit-and-answer' }
    const submit = (on: ServerProcess, values = row) => call(on, '/blade-system/param/submit', token, values, key)
    const audits = () => rowsOf(`SELECT id FROM auditlog WHERE "targetType" = 'param' AND outcome = 1`)
    const before = await audits()
    relay.holdAfter('COMMIT')
    const unanswered = submit(dying).then(
      () => 'answered',
      () => 'lost',
    )
    const stored = () => rowsOf(`SELECT id::text FROM param WHERE "paramKey" = 'died.between'`)
    await expect.poll(stored).toHaveLength(1)
    await dying.stop('SIGKILL')
    expect(await unanswered).toBe('lost')
    const [{ id }] = (await stored()) as [{ id: string }]
    const again = await submit(second)
    expect(again).toMatchObject({ status: 200, code: 200 })
    expect(await submit(first)).toEqual(again)
    expect((await submit(first, { ...row, paramValue: '2' })).code).toBe(29006)
    expect(await stored()).toEqual([{ id }])
    expect((await audits()).length - before.length).toBe(1)
  } finally {
    await dying.stop('SIGKILL')
    await client.end()
    await relay.cut()
  }
})
