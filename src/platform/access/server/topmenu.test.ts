import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiScope } from '#schemas/system/api-scope'
import { DataScope } from '#schemas/system/data-scope'
import { Role } from '#schemas/system/role'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { login, loginAs, makeUser, type Session } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'

interface Node {
  id: string
  code: string
  title: string
  children?: Node[]
}

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const get = <T = Node[]>(url: string, session: Session = root) =>
  t.call<T>({ url: `/api/blade-system${url}`, headers: session.headers })
const post = (url: string, payload: object = {}, session: Session = root) =>
  t.call({ method: 'POST', url: `/api/blade-system${url}`, headers: session.headers, payload })
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

const addTop = async (code: string, sort: number) => {
  expect(await post('/topmenu/submit', { code, name: code, source: 'exam', sort })).toMatchObject({ code: 200 })
  return (await t.db.selectFrom('topmenu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
}

test('a top menu shows to whom it leads somewhere, and narrows the menu', async () => {
  const [exams, setup] = [await addTop('exams', 1), await addTop('setup', 2)]
  const [list, done, param] = await Promise.all(['examine_list', 'examine_done', 'param'].map(idOf))
  expect((await post('/topmenu/grant', { topMenuIds: [exams], menuIds: [list, done] })).code).toBe(200)
  expect((await post(`/topmenu/grant?topMenuIds=${setup}&menuIds=${param}`)).code).toBe(200)

  const reviewer = await loginAs(t, 'reviewer')
  expect((await get('/menu/top-menu', reviewer)).data.map(one => one.code)).toEqual(['exams'])
  expect((await get('/menu/top-menu')).data.map(one => one.code)).toEqual(['exams', 'setup'])
  const narrow = await get(`/menu/routes?topMenuId=${exams}`, reviewer)
  expect(flat(narrow.data).map(one => one.code)).toEqual(['examine', 'examine_list', 'examine_done'])
  expect((await get(`/menu/routes?topMenuId=${setup}`, reviewer)).data).toEqual([])

  const keys = await get<{ menu: string[] }>(`/menu/top-tree-keys?topMenuIds=${exams}`)
  expect(keys.data.menu.sort()).toEqual([list, done].sort())
  const tree = await get<{ menu: Node[] }>('/menu/grant-top-tree')
  const codes = flat(tree.data.menu).map(one => one.id)
  expect(codes).toContain(param)
  expect(codes).not.toContain(await idOf('param_add'))

  expect((await post('/topmenu/grant', { topMenuIds: [exams], menuIds: [] })).code).toBe(200)
  expect((await get('/menu/top-menu', reviewer)).data).toEqual([])
  expect((await post(`/topmenu/remove?ids=${setup}`)).code).toBe(200)
  const left = await t.db.selectFrom('topmenu_setting').selectAll().execute()
  expect(left).toEqual([])
})

test('a top menu refuses what is not there, and everybody without the permission', async () => {
  const id = await addTop('other', 3)
  expect((await post('/topmenu/grant', { topMenuIds: ['999'], menuIds: [] })).code).toBe(29001)
  expect((await post('/topmenu/grant', { topMenuIds: [id], menuIds: ['999'] })).code).toBe(29005)
  const finance = await loginAs(t, 'finance')
  expect((await post('/topmenu/grant', { topMenuIds: [id], menuIds: [] }, finance)).status).toBe(403)
  expect((await get('/menu/grant-top-tree', finance)).status).toBe(403)
  expect((await get(`/menu/top-tree-keys?topMenuIds=${id}`, finance)).status).toBe(403)
})

test('choices of menus are menus, not buttons, and more than a page of them', async () => {
  const all = (await get<{ id: string; label: string }[]>('/menu/select?size=1000')).data.map(one => one.label)
  expect(all).toEqual(expect.arrayContaining(['首页', '系统参数', '日志']))
  expect(all).not.toContain('新增')
})

test('scopes are granted with the menus, and nobody gives one beyond their own', async () => {
  const menuId = await idOf('user')
  const dataScope = await insert(t.app, DataScope, { menuId, scopeName: '本人用户', resourceCode: 'user:own' })
  const apiScope = await insert(t.app, ApiScope, { menuId, scopeName: '重置密码', resourceCode: 'user:reset' })
  const hidden = await insert(t.app, DataScope, { menuId: await idOf('client'), resourceCode: 'client:own' })
  const role = await insert(t.app, Role, { roleAlias: 'scoped', roleName: '受限', isBack: 1 })
  const give = (extra: object, session = root) =>
    post('/role/grant', { roleIds: [role.id], menuIds: [menuId], ...extra }, session)
  const keys = async () => (await get<Record<string, string[]>>(`/menu/role-tree-keys?roleIds=${role.id}`)).data

  // A tree sends the menu above along.
  expect(await give({ dataScopeIds: [menuId, dataScope.id], apiScopeIds: [apiScope.id] })).toMatchObject({ code: 200 })
  expect(await keys()).toMatchObject({ dataScope: [dataScope.id], apiScope: [apiScope.id] })
  // A client that knows nothing of scopes leaves them alone.
  expect((await give({})).code).toBe(200)
  expect((await keys()).dataScope).toEqual([dataScope.id])
  expect((await give({ dataScopeIds: ['999'] })).code).toBe(29005)

  const admin = await loginAs(t, 'admin')
  const trees = await get<{ dataScope: Node[]; apiScope: Node[] }>('/menu/grant-tree', admin)
  expect(flat(trees.data.dataScope).map(one => one.title)).toEqual(['用户', '本人用户'])
  expect((await give({ dataScopeIds: [hidden.id] }, admin)).status).toBe(403)
  expect((await give({ dataScopeIds: [hidden.id, dataScope.id] })).code).toBe(200)
  // What the admin cannot see, the admin cannot take away either.
  expect((await give({ dataScopeIds: [] }, admin)).code).toBe(200)
  expect((await keys()).dataScope).toEqual([hidden.id])

  const lowly = await insert(t.app, Role, { roleAlias: 'lowly', roleName: '助理', isBack: 1 })
  const menus = await Promise.all(['user', 'role', 'role_grant'].map(idOf))
  await post('/role/grant', { roleIds: [lowly.id], menuIds: menus })
  await makeUser(t, { account: 'lowly', roleId: lowly.id })
  const helper = await login(t, 'lowly')
  expect((await give({ dataScopeIds: [dataScope.id] }, helper)).status).toBe(403)
  expect((await give({ dataScopeIds: [] }, helper)).code).toBe(200)
  expect((await keys()).dataScope).toEqual([hidden.id])
})

test('a scope names what there is, and takes its grants along', async () => {
  const menuId = await idOf('user')
  const rule = { menuId, scopeName: '规则', scopeField: '*', scopeClass: 'user', scopeType: 2 }
  const submit = (extra: object) => post('/data-scope/submit', { ...rule, resourceCode: 'r1', ...extra })
  expect((await submit({ scopeClass: 'pg_authid' })).data).toMatchObject([{ field: 'scopeClass' }])
  expect((await submit({ scopeColumn: 'password' })).data).toMatchObject([{ field: 'scopeColumn' }])
  expect((await submit({ scopeColumn: 'id) OR (1=1' })).data).toMatchObject([{ field: 'scopeColumn' }])
  expect((await submit({ scopeType: 5 })).data).toMatchObject([{ field: 'scopeValue' }])
  expect((await submit({ scopeType: 5, scopeValue: { password: 'x' } })).data).toMatchObject([{ field: 'scopeValue' }])
  expect((await submit({ scopeType: 5, scopeValue: { userType: { gt: 1 } } })).code).toBe(29005)
  expect((await submit({ scopeType: 5, scopeValue: { userType: [1, 3] } })).code).toBe(200)
  expect((await submit({})).code).toBe(29004)
  const api = { menuId, scopeName: '接口', resourceCode: 'a1', scopeType: 1 }
  const path = (scopePath: string) => post('/api-scope/submit', { ...api, scopePath })
  expect((await path('/api/blade-system/user')).code).toBe(29005)
  expect((await path('/api')).code).toBe(29005)
  expect((await path('/api/blade-system/user/unlock')).code).toBe(200)

  const { id } = await t.db
    .selectFrom('api_scope')
    .select('id')
    .where('resourceCode', '=', 'a1')
    .executeTakeFirstOrThrow()
  const role = await insert(t.app, Role, { roleAlias: 'held', isBack: 1 })
  await post('/role/grant', { roleIds: [role.id], menuIds: [], apiScopeIds: [id] })
  expect((await post(`/menu/remove?ids=${menuId}`)).code).toBe(29003)
  expect((await post(`/api-scope/remove?ids=${id}`)).code).toBe(200)
  const left = await t.db.selectFrom('role_scope').selectAll().where('roleId', '=', role.id).execute()
  expect(left).toEqual([])
})
