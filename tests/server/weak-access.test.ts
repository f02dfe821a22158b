import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Entity } from '#engine'
import { Examination } from '#schemas/exams/examination'
import { ApiScope } from '#schemas/system/api-scope'
import { Role } from '#schemas/system/role'
import { menus } from '../../src/platform/tenants/server/seed/menus.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { everyRow } from '../helper/every-row.ts'
import { inTurns } from '../helper/in-turns.ts'
import { login, loginAs, makeUser, type Session } from '../helper/login.ts'
import { signIn } from '../helper/person.ts'
import { casesOf, watchSchemas } from '../helper/route-cases.ts'
import { insert } from '../helper/sample.ts'

// The numbered weaknesses of consoles of this family, and what holds against each: who may do what. 20 and 21 stand in
// matrix-roles.test.ts, 24 in auth-users.test.ts and user-admin.test.ts, 26 in api-scope.test.ts, under their numbers.

const schemas = watchSchemas()
let t: TestApp
let root: Session
let admin: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
  admin = await loginAs(t, 'admin')
})
afterAll(async () => {
  schemas.stop()
  await t.close()
})

const post = (url: string, payload: object = {}, { headers } = root) =>
  t.call({ method: 'POST', url: `/api/blade-system${url}`, headers, payload })
const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id
const give = (userIds: string, ids: string, who: Session) =>
  post(`/user/grant?userIds=${userIds}&roleIds=${ids}`, {}, who)
const grant = async (roleId: string, codes: string[], who: Session) =>
  post('/role/grant', { roleIds: [roleId], menuIds: await Promise.all(codes.map(idOf)) }, who)

test('22 · a role is the administrator’s by its whole name: one that only sounds like it has the rights it was given', async () => {
  const aliases = [
    'xadministrator',
    'administrators',
    'Administrator',
    'admin1',
    'tenant_admin,administrator',
    'a-admin',
  ]
  const role = (roleAlias: string) => ({ roleName: roleAlias, roleAlias, sort: 1, isBack: 1 })
  for (const taken of ['administrator', 'admin', ' administrator '])
    expect([taken, (await post('/role/submit', role(taken), admin)).success]).toEqual([taken, false])
  for (const alias of aliases) expect(await post('/role/submit', role(alias), admin)).toMatchObject({ code: 200 })
  const made = await t.db.selectFrom('role').select('id').where('roleAlias', 'in', aliases).execute()
  const codes = ['examination', 'user', 'user_role']
  expect((await grant(made[0]!.id, codes, admin)).code).toBe(200)
  await makeUser(t, { account: 'sounding', roleId: made.map(one => one.id).join() })
  const who = await login(t, 'sounding')
  expect(who.body.role_name?.split(',')).toHaveLength(aliases.length + 1)
  const guards = t.app.routeTable.flatMap(({ access }) => (typeof access === 'object' ? access.permission : []))
  const own = await t.call<{ permissions: string[] }>({ url: '/api/blade-auth/oauth/user-info', headers: who.headers })
  expect(own.data.permissions.filter(code => guards.includes(code)).sort()).toEqual(codes)
  expect((await t.call({ url: '/api/blade-system/client/page', headers: who.headers })).status).toBe(403)
  await insert(t.app, Examination)
  const exams = '/api/blade-exam/examination/page'
  expect((await t.call({ url: exams, headers: admin.headers })).data).toMatchObject({ total: 1 })
  expect((await t.call({ url: exams, headers: who.headers })).data).toMatchObject({ total: 0 })
  const scopePath = '/api/blade-exam/examination/list'
  await insert(t.app, ApiScope, { menuId: await idOf('examination'), resourceCode: 'kept', scopePath })
  expect((await t.call({ url: scopePath, headers: root.headers })).status).toBe(200)
  expect((await t.call({ url: scopePath, headers: who.headers })).status).toBe(403)
  for (const id of [roleIds.administrator!, roleIds.admin!, roleIds.finance!])
    expect((await give(await makeUser(t, { role: 'reviewer' }), id, who)).status).toBe(403)
})

test('23 · nobody gives what he does not have, to others or to himself, nor changes who has more', async () => {
  const role = await insert(t.app, Role, { roleAlias: 'made', roleName: '自建', isBack: 1 })
  expect((await grant(role.id, ['user'], admin)).code).toBe(200)
  expect((await grant(role.id, ['user', 'client_edit'], admin)).status).toBe(403)
  expect((await grant(roleIds.administrator!, ['user'], admin)).status).toBe(403)
  expect((await grant(roleIds.reviewer!, ['examine_act'], admin)).code).toBe(200)
  expect((await grant(roleIds.administrator!, ['user'], root)).code).toBe(29008)
  expect((await grant('999', ['user'], admin)).code).toBe(29001)
  const { data } = await t.call({ url: '/api/blade-system/menu/grant-tree', headers: admin.headers })
  expect(JSON.stringify(data)).toContain('用户')
  expect(JSON.stringify(data)).not.toContain('客户端')
  const id = await makeUser(t, { role: 'reviewer' })
  const chief = await makeUser(t, { role: 'administrator' })
  expect((await give(id, `${roleIds.finance},${roleIds.reviewer}`, admin)).code).toBe(200)
  for (const one of [id, admin.body.user_id!]) {
    expect((await give(one, `${roleIds.admin},${roleIds.administrator}`, admin)).status).toBe(403)
    expect((await post('/user/submit', { id: one, roleId: roleIds.administrator }, admin)).status).toBe(403)
  }
  expect((await give(chief, roleIds.reviewer!, admin)).status).toBe(403)
  expect((await give(await makeUser(t, { role: 'candidate' }), roleIds.admin!, root)).code).toBe(29005)
  expect((await give(id, '999', admin)).code).toBe(29005)
  const holders = await t.db
    .selectFrom('user')
    .select('id')
    .where('roleId', 'like', `%${roleIds.administrator}%`)
    .execute()
  expect(holders.map(one => one.id)).toEqual(expect.arrayContaining([chief, root.body.user_id]))
  expect(holders.map(one => one.id)).not.toContain(id)
})

test('25 · a detail is asked for by its id and within one’s own tenant; other columns find nothing', async () => {
  const rows = await everyRow(t.app, { tenantId: '000000', set: 1 })
  const elsewhere = await signIn(t, { role: 'admin', tenantId: '900002', permissions: menus.map(one => one.code) })
  const details = casesOf(t.app, schemas.schemas).filter(
    ({ method, url, resource }) => method === 'GET' && /\/(detail|platform-detail)$/.test(url) && resource,
  )
  expect(details.length).toBeGreaterThan(50)
  const told = await inTurns(6, details, async ({ url, resource }) => {
    const entity = resource?.entity as Entity
    const ask = (query: Record<string, string>, { headers }: { headers: Record<string, string> }) =>
      t.app.inject({ url, query, headers }).then(answer => answer.statusCode)
    const found = await t.pool.query<Record<string, unknown>>(
      `SELECT * FROM "${entity.name.replaceAll('-', '_')}" LIMIT 1`,
    )
    const texts = Object.entries(found.rows[0] ?? {}).filter(([name]) => !['id', entity.key].includes(name))
    const others = texts.flatMap(([name, value]) => (typeof value === 'string' && value ? [[name, value]] : []))
    const [byOthers, byId] = [await ask(Object.fromEntries(others), root), rows[entity.name]]
    const fromElsewhere = entity.tenant && byId ? await ask({ id: byId }, elsewhere) : 404
    return [byOthers, fromElsewhere].some(status => status < 400) ? [`${url} ${byOthers} ${fromElsewhere}`] : []
  })
  expect(told.flat()).toEqual([])
})
