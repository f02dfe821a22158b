import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DataScope } from '#schemas/system/data-scope'
import { Dept } from '#schemas/system/dept'
import { Post } from '#schemas/system/post'
import { Role } from '#schemas/system/role'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { login, loginAs, makeUser, type Session } from '../../../../tests/helper/login.ts'
import { insert, type Overrides } from '../../../../tests/helper/sample.ts'
import { topDept } from '../../tenants/server/seed/tenant.ts'
import { readRows } from '../../workbook/workbook-read.ts'

let t: TestApp
let second: TestApp
let root: Session
let menuId: string
/** 人事科, and 招聘组 below it. */
let office: string
let team: string
beforeAll(async () => {
  t = await testApp()
  second = await testApp({ url: t.url })
  root = await loginAs(t, 'administrator')
  menuId = await idOf('post')
  office = await addDept('人事科', topDept, `0,${topDept}`)
  team = await addDept('招聘组', office, `0,${topDept},${office}`)
})
afterAll(async () => {
  await second.close()
  await t.close()
})

const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
const addDept = async (deptName: string, parentId: string, ancestors: string) =>
  (await insert(t.app, Dept, { deptName, parentId, ancestors })).id

const get = <T = { records: { id: string; postName: string }[]; total: number }>(url: string, who: Session, on = t) =>
  on.call<T>({ url: `/api/blade-system${url}`, headers: who.headers })
const post = (url: string, payload: object, who: Session = root) =>
  t.call<{ count: number; total: number }>({
    method: 'POST',
    url: `/api/blade-system${url}`,
    headers: who.headers,
    payload,
  })

let serial = 0

/** Somebody of the office whose role carries these rules, and the role. */
async function somebody(...rules: Overrides<typeof DataScope>[]) {
  const n = ++serial
  const role = await insert(t.app, Role, { roleAlias: `limited${n}`, roleName: `受限${n}`, isBack: 1 })
  const codes = ['post', 'post_view', 'post_add', 'post_edit', 'post_delete', 'post_export']
  const menuIds = await Promise.all(codes.map(idOf))
  const give = async (...wanted: Overrides<typeof DataScope>[]) => {
    const ids: string[] = []
    for (const rule of wanted) {
      const scope = { menuId, resourceCode: `rule${++serial}`, scopeClass: 'post', scopeColumn: null, ...rule }
      ids.push((await insert(t.app, DataScope, scope)).id)
    }
    const answer = await post('/role/grant', { roleIds: [role.id], menuIds, dataScopeIds: ids })
    expect(answer.code).toBe(200)
  }
  await give(...rules)
  const account = `limited${n}`
  const id = await makeUser(t, { account, roleId: role.id, deptId: office })
  return { id, give, session: await login(t, account) }
}

const add = (
  postName: string,
  createUser: string | null,
  createDept: string | null,
  more: Overrides<typeof Post> = {},
) => insert(t.app, Post, { postName, createUser, createDept, category: 1, ...more })

const seen = async (who: Session, on = t) =>
  (await get('/post/list?ascs=id&size=100', who, on)).data.records.map(one => one.postName)

beforeEach(async () => {
  await t.pool.query('DELETE FROM post')
})

describe('a rule', () => {
  test.each([
    [1, ['自己', '同科', '下级', '外科', '无主']],
    [2, ['自己']],
    [3, ['自己', '同科']],
    [4, ['自己', '同科', '下级']],
  ] as const)('of type %i leaves %j', async (scopeType, names) => {
    const { id, session } = await somebody({ scopeType })
    await add('自己', id, office)
    await add('同科', '1', office)
    await add('下级', '1', team)
    await add('外科', '1', topDept)
    await add('无主', null, null)
    expect(await seen(session)).toEqual(names)
    const page = await get('/post/list', session)
    expect(page.data.total).toBe(names.length)
  })

  test('of conditions leaves rows that meet all of them; the words stand for who asks', async () => {
    const scopeValue = { category: [1, '2'], createUser: { not: ['$caller'] } }
    const { id, session } = await somebody({ scopeType: 5, scopeValue })
    await add('一', '1', null)
    await add('二', '1', null, { category: 2 })
    await add('三', '1', null, { category: 3 })
    await add('我', id, null)
    await add('空', null, null)
    expect(await seen(session)).toEqual(['一', '二', '空'])
  })

  test('holds for details, changes, removals, choices and exports too', async () => {
    const { id, session } = await somebody({ scopeType: 2 })
    const mine = await add('自己', id, office)
    const other = await add('别人', '1', office)
    expect((await get(`/post/detail?id=${mine.id}`, session)).code).toBe(200)
    expect((await get(`/post/detail?id=${other.id}`, session)).code).toBe(29001)
    expect((await post('/post/submit', { id: other.id, postName: '改' }, session)).code).toBe(29001)
    expect((await post(`/post/remove?ids=${other.id}`, {}, session)).code).toBe(29001)
    const fresh = { category: 1, postCode: 'x1', postName: '新', sort: 1 }
    expect((await post('/post/submit', fresh, session)).code).toBe(200)
    const choices = await get<{ label: string }[]>('/post/select', session)
    expect(choices.data.map(one => one.label).sort()).toEqual(['新', '自己'].sort())
    const sheet = await t.app.inject({ url: '/api/blade-system/post/export', headers: session.headers })
    const rows: string[] = []
    for await (const row of readRows(sheet.rawPayload)) rows.push(JSON.stringify(row))
    expect(rows.join()).toContain('自己')
    expect(rows.join()).not.toContain('别人')
  })
})

describe('rules', () => {
  test('of one person add up, and do not touch other data', async () => {
    const { id, session } = await somebody({ scopeType: 2 }, { scopeType: 5, scopeValue: { category: 3 } })
    await add('自己', id, office)
    await add('三类', '1', null, { category: 3 })
    await add('别人', '1', office)
    expect(await seen(session)).toEqual(['自己', '三类'])
    expect((await get<object[]>('/dept/tree', session)).data).not.toEqual([])
  })

  test('count at the next request, in every process, and so do moved departments', async () => {
    const { give, session } = await somebody({ scopeType: 4 })
    await add('下级', '1', team)
    expect(await seen(session, second)).toEqual(['下级'])
    await t.db.updateTable('dept').set({ ancestors: '0' }).where('id', '=', team).execute()
    expect((await get('/post/list', session, second)).data.total).toBe(0)
    await t.db
      .updateTable('dept')
      .set({ ancestors: `0,${topDept},${office}` })
      .where('id', '=', team)
      .execute()
    expect((await get('/post/list', session, second)).data.total).toBe(1)
    await give({ scopeType: 2 })
    expect(await seen(session, second)).toEqual([])
    await give()
    expect(await seen(session, second)).toEqual(['下级'])
  })

  test('never limit an administrator', async () => {
    await add('别人', '1', null)
    const admin = await loginAs(t, 'admin')
    const { id } = await t.db.selectFrom('role').select('id').where('roleAlias', '=', 'admin').executeTakeFirstOrThrow()
    const rule = await insert(t.app, DataScope, { menuId, resourceCode: 'for-admin', scopeClass: 'post', scopeType: 2 })
    await t.db.insertInto('role_scope').values({ roleId: id, category: 1, scopeId: rule.id }).execute()
    expect(await seen(admin)).toEqual(['别人'])
  })

  test('are tried on a person before anybody is given them', async () => {
    const { id } = await somebody()
    await add('自己', id, office)
    await add('同科', '1', office)
    await add('外科', '1', topDept)
    const rule = { scopeClass: 'post', scopeType: 3, userId: id }
    expect((await post('/data-scope/test', rule)).data).toEqual({ count: 2, total: 3 })
    expect((await post('/data-scope/test', { ...rule, scopeType: 2 })).data).toEqual({ count: 1, total: 3 })
    expect((await post('/data-scope/test', { ...rule, scopeType: 5 })).code).toBe(29005)
    expect((await post('/data-scope/test', { ...rule, userId: '999' })).code).toBe(29001)
    const finance = await loginAs(t, 'finance')
    expect((await post('/data-scope/test', rule, finance)).status).toBe(403)
  })
})

test('nobody limited by rules gives a role that meets more than they do', async () => {
  const rule = await insert(t.app, DataScope, { menuId, resourceCode: 'giver', scopeClass: 'post', scopeType: 2 })
  const [seat, users, roles, give, grant] = await Promise.all(
    ['post', 'user', 'role', 'user_role', 'role_grant'].map(idOf),
  )
  const makeRole = async (roleAlias: string, menuIds: unknown[], dataScopeIds: string[]) => {
    const { id } = await insert(t.app, Role, { roleAlias, roleName: roleAlias, isBack: 1 })
    expect((await post('/role/grant', { roleIds: [id], menuIds, dataScopeIds })).code).toBe(200)
    return id
  }
  const giver = await makeRole('giver', [seat, users, roles, give, grant], [rule.id])
  const free = await makeRole('free', [seat], [])
  const bound = await makeRole('bound', [seat], [rule.id])
  const bare = await makeRole('bare', [users], [])
  await makeUser(t, { account: 'giver', roleId: giver })
  const who = await login(t, 'giver')
  const userIds = await makeUser(t, { account: 'taker', roleId: bare })
  const hand = (roleIds: string) => post(`/user/grant?userIds=${userIds}&roleIds=${roleIds}`, {}, who)
  expect((await hand(free)).status).toBe(403)
  expect((await hand(bound)).code).toBe(200)
  const widen = (dataScopeIds: string[]) =>
    post('/role/grant', { roleIds: [bare], menuIds: [users, seat], dataScopeIds }, who)
  expect((await widen([])).status).toBe(403)
  expect((await widen([rule.id])).code).toBe(200)
  const shed = await post('/role/grant', { roleIds: [bound], menuIds: [seat], dataScopeIds: [] }, who)
  expect(shed.status).toBe(403)
})
