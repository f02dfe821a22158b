import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Param } from '#schemas/system/param'
import { TenantPackage } from '#schemas/system/tenant-package'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { askToken, bearer, loginAs, type Session } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'

let t: TestApp
let root: Session
let second: Session
beforeAll(async () => {
  t = await testApp({ config: { publicUrl: 'https://exam.example.org/' } })
  root = await loginAs(t, 'administrator')
  second = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const get = <T = Record<string, string>>(url: string, session: Session = root) =>
  t.call<T>({ url: `/api/blade-system${url}`, headers: session.headers })
const post = <T = Record<string, string>>(url: string, payload: object = {}, session: Session = root) =>
  t.call<T>({ method: 'POST', url: `/api/blade-system${url}`, headers: session.headers, payload })

interface Made {
  id: string
  tenantId: string
  account: string
  password: string
}

let serial = 0
async function addTenant(more: object = {}): Promise<Made> {
  const answer = await post('/tenant/submit', { tenantName: `区卫健局${++serial}`, ...more })
  expect(answer).toMatchObject({ code: 200 })
  const { tenantId, account, password } = answer.data as unknown as Made
  const { id } = await t.db.selectFrom('tenant').select('id').where('tenantId', '=', tenantId).executeTakeFirstOrThrow()
  return { id, tenantId, account, password }
}

const newPassword = 'Linhai-Gongwei@2026'

/** Logs the administrator of a new tenant in and sets a password. */
async function enter({ tenantId, account, password }: Made): Promise<Session> {
  const query = { tenantId }
  const first = (await askToken(t, account, password, { query })).body
  const headers = bearer(first.access_token)
  expect((await t.call({ url: '/api/blade-system/user/page', headers })).code).toBe(20016)
  const change = { oldPassword: password, newPassword, newPassword1: newPassword }
  const url = '/api/blade-system/user/update-password'
  expect((await t.call({ method: 'POST', url, headers, payload: change })).code).toBe(200)
  const { body } = await askToken(t, account, newPassword, { query })
  return { headers: bearer(body.access_token), body }
}

describe('a new tenant', () => {
  let made: Made
  let admin: Session
  beforeAll(async () => {
    made = await addTenant({ linkman: '林某', packageId: '' })
    admin = await enter(made)
  })

  test('has a number and an administrator whose password was shown once', async () => {
    expect(made.tenantId).toMatch(/^[1-9]\d{5}$/)
    expect(JSON.stringify(await get(`/tenant/detail?id=${made.id}`))).not.toContain(made.password)
    const user = await t.db.selectFrom('user').selectAll().where('tenantId', '=', made.tenantId).execute()
    expect(user).toMatchObject([{ account: 'admin', userType: 1, accountStatus: 1 }])
    expect(user[0]?.password).toMatch(/^\$argon2id/)
  })

  test('begins as the first one stands, with its own rows', async () => {
    const roles = await get<{ roleAlias: string }[]>('/role/getRoleList?isAll=1', admin)
    const aliases = roles.data.map(one => one.roleAlias)
    expect(aliases).toEqual(expect.arrayContaining(['admin', 'exam_admin', 'reviewer', 'candidate', 'guest']))
    expect(aliases).not.toContain('administrator')
    expect((await get<{ title: string }[]>('/dept/tree', admin)).data).toMatchObject([{ title: '区卫健局1' }])
    expect((await get<object[]>('/dict-biz/dictionary?code=nation', admin)).data).toHaveLength(58)
    const entries = await t.db
      .selectFrom('dict_biz as e')
      .innerJoin('dict_biz as h', 'h.id', 'e.parentId')
      .select('h.tenantId')
      .distinct()
      .where('e.tenantId', '=', made.tenantId)
      .execute()
    expect(entries).toEqual([{ tenantId: made.tenantId }])
    const count = (table: 'items' | 'param', tenantId: string) =>
      t.db.selectFrom(table).select('id').where('tenantId', '=', tenantId).execute()
    expect((await count('items', made.tenantId)).length).toBe((await count('items', '000000')).length)
    const { data } = await get<{ total: number }>('/user/page', admin)
    expect(data.total).toBe(1)
  })

  test('registers its own candidates with its own parameter', async () => {
    const params = await t.db.selectFrom('param').select('paramKey').where('tenantId', '=', made.tenantId).execute()
    expect(params.map(row => row.paramKey)).toContain('site.register')
  })

  test('meets nothing of another tenant, and none of its calls about tenants', async () => {
    const foreign = await insert(t.app, Param, { paramKey: 'only.first', tenantId: '000000' })
    expect((await get(`/param/detail?id=${foreign.id}`, admin)).code).toBe(29001)
    expect((await get('/tenant/list', admin)).status).toBe(403)
    for (const url of ['setting?ids=1', 'recycle?ids=1', 'pass?ids=1', 'remove?ids=1', 'package-setting?id=1'])
      expect([url, (await post(`/tenant/${url}`, {}, admin)).status]).toEqual([url, 403])
    expect((await get(`/menu/tree?tenantId=000000`, admin)).status).toBe(403)
  })

  test('is told apart by its domain', async () => {
    expect((await post('/tenant/submit', { id: made.id, domain: 'linhai.example.org' })).code).toBe(200)
    const info = await t.call('/api/blade-system/tenant/info?domain=https%3A%2F%2Flinhai.example.org%2F')
    expect(info.data).toMatchObject({ tenantId: made.tenantId })
  })

  test('has a sign-in address to give to people: at its domain, otherwise at ours with its number', async () => {
    const address = async () =>
      (await get<{ signInAddress: string }>(`/tenant/detail?id=${made.id}`)).data.signInAddress
    expect((await post('/tenant/submit', { id: made.id, domain: 'https://Linhai.example.org/' })).code).toBe(200)
    expect(await address()).toBe('https://linhai.example.org/login')
    expect((await post('/tenant/submit', { id: made.id, domain: '' })).code).toBe(200)
    expect(await address()).toBe(`https://exam.example.org/login?tenant=${made.tenantId}`)
  })
})

test('what several tenants may use is set together; the first one has no end', async () => {
  const [a, b] = [await addTenant(), await addTenant()]
  const setting = { accountNumber: 1, expireTime: '2099-01-01 00:00:00' }
  expect((await post(`/tenant/setting?ids=${a.id},${b.id}`, setting)).code).toBe(200)
  expect((await get(`/tenant/detail?id=${b.id}`)).data).toMatchObject(setting)
  const first = await t.db.selectFrom('tenant').select('id').where('tenantId', '=', '000000').executeTakeFirstOrThrow()
  expect((await post(`/tenant/setting?ids=${first.id}`, setting)).code).toBe(29008)
  const admin = await enter(a)
  const { data } = await get<{ id: string; roleAlias: string }[]>('/role/getRoleList', admin)
  const roleId = data.find(one => one.roleAlias === 'reviewer')?.id
  const person = { account: 'more', name: '多', realName: '多', phone: '13900000001', userType: 1, idType: 1, roleId }
  expect((await post('/user/submit', person, admin)).code).toBe(20018)
})

test('a package is given, shown, and must be there', async () => {
  const { id, tenantId } = await addTenant()
  const { id: menuId } = await t.db
    .selectFrom('menu')
    .select('id')
    .where('code', '=', 'param')
    .executeTakeFirstOrThrow()
  const one = await insert(t.app, TenantPackage, { packageName: '基础版', menuId })
  expect((await get(`/tenant/package-detail?tenantId=${tenantId}`)).data).toEqual({})
  expect((await post(`/tenant/package-setting?tenantId=${tenantId}&packageId=${one.id}`)).code).toBe(200)
  expect((await get(`/tenant/package-detail?tenantId=${tenantId}`)).data).toMatchObject({
    packageName: '基础版',
    menuId,
  })
  expect((await post(`/tenant/package-setting?tenantId=${tenantId}&packageId=999`)).code).toBe(29005)
  expect((await post(`/tenant/package-setting?tenantId=999999&packageId=${one.id}`)).code).toBe(29001)
  expect((await post(`/tenant/datasource?tenantId=${tenantId}&datasourceId=999`)).code).toBe(29005)
  expect((await post(`/tenant-package/remove?ids=${one.id}`)).code).toBe(29003)
  expect((await post(`/tenant/package-setting?id=${id}&packageId=`)).code).toBe(200)
  expect((await post(`/tenant-package/remove?ids=${one.id}`)).code).toBe(200)
})

describe('a tenant that goes', () => {
  let made: Made
  beforeEach(async () => {
    made = await addTenant()
  })
  const recycle = () => post(`/tenant/recycle?ids=${made.id}`)
  const erase = (session: Session, typed = made.tenantId) =>
    post(`/tenant/remove?ids=${made.id}&confirmNumber=${typed}`, {}, session)
  const dump = (session = root) =>
    t.app.inject({ url: `/api/blade-system/tenant/export-data?id=${made.id}`, headers: session.headers })

  test('is logged out at once, and comes back as it was', async () => {
    const admin = await enter(made)
    expect((await get('/user/info', admin)).code).toBe(200)
    expect((await recycle()).code).toBe(200)
    expect((await get('/user/info', admin)).status).toBe(401)
    const { body } = await askToken(t, made.account, newPassword, { query: { tenantId: made.tenantId } })
    expect(body).toMatchObject({ error_code: 20019 })
    expect((await recycle()).code).toBe(200)
    for (const _ of [1, 2]) expect((await post(`/tenant/pass?ids=${made.id}`)).code).toBe(200)
    const again = await askToken(t, made.account, newPassword, { query: { tenantId: made.tenantId } })
    expect(again.body.access_token).toBeTruthy()
  })

  test('is removed after a full export, by a second person who types its number', async () => {
    expect((await erase(second)).code).toBe(29009)
    expect((await dump()).json()).toMatchObject({ code: 29009 })
    await recycle()
    expect((await erase(second, '')).code).toBe(29005)
    expect((await erase(second, '000000')).code).toBe(29005)
    expect((await erase(root)).code).toBe(24018)
    expect((await erase(second)).msg).toContain('请先导出')
    const answer = await dump()
    const lines = gunzipSync(answer.rawPayload).toString().trim().split('\n')
    const rows = lines.map(line => JSON.parse(line) as { table: string; row: Record<string, unknown> })
    expect(rows.filter(({ table }) => table === 'dict_biz').length).toBeGreaterThan(56)
    const user = rows.find(({ table }) => table === 'user')?.row
    expect(user).toMatchObject({ account: 'admin', tenantId: made.tenantId })
    expect(user).not.toHaveProperty('password')
    expect(rows.every(({ row }) => row.tenantId === made.tenantId)).toBe(true)
    expect((await erase(second)).code).toBe(200)
    expect((await get(`/tenant/detail?id=${made.id}`)).code).toBe(29001)
  })

  test('exported before it was last put into the bin, is to be exported again', async () => {
    await recycle()
    await dump()
    await post(`/tenant/pass?ids=${made.id}`)
    await recycle()
    expect((await erase(second)).msg).toContain('请先导出')
  })

  test('is never the first', async () => {
    const { id } = await t.db
      .selectFrom('tenant')
      .select('id')
      .where('tenantId', '=', '000000')
      .executeTakeFirstOrThrow()
    expect((await post(`/tenant/recycle?ids=${id}`)).code).toBe(29008)
    expect((await post(`/tenant/remove?ids=${id}&confirmNumber=000000`)).code).toBe(29008)
    expect((await post('/tenant/submit', { id, expireTime: '2020-01-01 00:00:00' })).code).toBe(29008)
  })
})
