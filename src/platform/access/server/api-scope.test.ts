import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ApiScope } from '#schemas/system/api-scope'
import { Role } from '#schemas/system/role'
import { TenantPackage } from '#schemas/system/tenant-package'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { login, loginAs, makeUser, type Session } from '../../../../tests/helper/login.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.pool.query('DELETE FROM api_scope')
})

const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
const get = (path: string, who: Pick<Session, 'headers'>) => t.call({ url: `/api${path}`, headers: who.headers })
const post = (path: string, payload: object, who: Pick<Session, 'headers'> = root) =>
  t.call({ method: 'POST', url: `/api${path}`, headers: who.headers, payload })

let serial = 0
async function somebody(codes: readonly string[]) {
  const n = ++serial
  const role = await insert(t.app, Role, { roleAlias: `caller${n}`, roleName: `调用${n}`, isBack: 1 })
  const menuIds = await Promise.all(codes.map(idOf))
  const grant = (apiScopeIds: string[]) =>
    post('/blade-system/role/grant', { roleIds: [role.id], menuIds, apiScopeIds })
  await grant([])
  const account = `caller${n}`
  await makeUser(t, { account, roleId: role.id })
  return { grant, session: await login(t, account) }
}

test('26 · a listed call is for roles that were granted it, by its whole address and as long as it is listed', async () => {
  const { grant, session } = await somebody(['post', 'param'])
  expect((await get('/blade-system/post/page', session)).code).toBe(200)
  const scopePath = '/api/blade-system/post/page'
  const scope = {
    menuId: await idOf('post'),
    scopeName: '岗位分页',
    resourceCode: 'post:page',
    scopePath,
    scopeType: 1,
  }
  for (const part of ['/', '/api', '/api/blade-system/post', '/api/blade-system/post/', 'page', ''])
    expect([part, (await post('/blade-system/api-scope/submit', { ...scope, scopePath: part })).code]).toEqual([
      part,
      29005,
    ])
  expect((await post('/blade-system/api-scope/submit', scope)).code).toBe(200)
  expect(await get('/blade-system/post/page', session)).toMatchObject({ status: 403, code: 403 })
  // The same data by another address, and other calls, are another matter: what is listed is one call.
  expect((await get('/blade-system/post/list', session)).code).toBe(200)
  expect((await get('/blade-system/param/page', session)).code).toBe(200)
  expect((await get('/blade-system/post/page', root)).code).toBe(200)
  const { id } = await t.db.selectFrom('api_scope').select('id').executeTakeFirstOrThrow()
  await grant([id])
  expect((await get('/blade-system/post/page', session)).code).toBe(200)
  expect((await get('/blade-system/post/page', await loginAs(t, 'admin'))).status).toBe(403)
  await grant([])
  expect((await get('/blade-system/post/page', session)).status).toBe(403)
  await post(`/blade-system/api-scope/remove?ids=${id}`, {})
  expect((await get('/blade-system/post/page', session)).code).toBe(200)
})

test('a grant of a call gives nothing that the button permission does not', async () => {
  const { grant, session } = await somebody(['post'])
  const scopePath = '/api/blade-system/param/page'
  const { id } = await insert(t.app, ApiScope, { menuId: await idOf('param'), resourceCode: 'param:page', scopePath })
  await grant([id])
  expect((await get('/blade-system/param/page', session)).status).toBe(403)
})

test('calls that everybody needs cannot be closed', async () => {
  const scope = { menuId: await idOf('post'), scopeName: '菜单', resourceCode: 'own:routes', scopeType: 1 }
  const list = (scopePath: string) => post('/blade-system/api-scope/submit', { ...scope, scopePath })
  for (const path of ['/api/blade-system/menu/routes', '/api/blade-auth/oauth/token', '/api/blade-system/user/info'])
    expect([path, (await list(path)).code]).toEqual([path, 29005])
})

test('a package is the upper limit of what the roles of a tenant allow, also after it changed', async () => {
  const tenantId = '300001'
  const who = await signIn(t, { tenantId, permissions: ['post', 'post_add', 'param'] })
  expect((await get('/blade-system/param/page', who)).code).toBe(200)
  const one = await insert(t.app, TenantPackage, { packageName: '窄', menuId: await idOf('post') })
  const answer = await post(`/blade-system/tenant/package-setting?tenantId=${tenantId}&packageId=${one.id}`, {})
  expect(answer.code).toBe(200)
  expect((await get('/blade-system/param/page', who)).status).toBe(403)
  expect((await get('/blade-system/post/page', who)).code).toBe(200)
  const routes = await get('/blade-system/menu/routes', who)
  expect(JSON.stringify(routes.data)).not.toContain('/system/param')
  // Buttons come with their menu.
  const post1 = { category: 1, postCode: 'p1', postName: '一', sort: 1 }
  expect((await post('/blade-system/post/submit', post1, who)).code).toBe(200)
  const menuId = `${await idOf('post')},${await idOf('param')}`
  expect((await post('/blade-system/tenant-package/submit', { id: one.id, menuId })).code).toBe(200)
  expect((await get('/blade-system/param/page', who)).code).toBe(200)
  const candidate = await signIn(t, { tenantId, role: 'candidate', permissions: ['my_home'] })
  await t.pool.query(`UPDATE role SET "isBack" = 0 WHERE "roleAlias" = 'candidate' AND "tenantId" = $1`, [tenantId])
  expect(JSON.stringify((await get('/blade-system/menu/routes', candidate)).data)).toContain('/wel/index')
})
