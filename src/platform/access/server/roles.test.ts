import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, permissionsOf } from '#engine'
import { modules, resources } from '#resources'
import { builtinRoles } from '#resources/system/role'
import { Dept } from '#schemas/system/dept'
import { Role } from '#schemas/system/role'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, makeUser, type Session } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { seedBase } from '../../tenants/server/seed/index.ts'
import { codesOf, menus } from '../../tenants/server/seed/menus.ts'
import { roleIds, roles } from '../../tenants/server/seed/roles.ts'

interface Node {
  id: string
  code: string
  path: string
  name: string
  parentId: string
  category: number
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
  t.call<T>({ url: `/api${url}`, headers: session.headers })
const post = (url: string, payload: object = {}, session: Session = root) =>
  t.call({ method: 'POST', url: `/api${url}`, headers: session.headers, payload })
const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap(node => [node, ...flat(node.children ?? [])])
const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

describe('the seeded menus', () => {
  test('hold every module, page, screen and button of the definitions once', () => {
    expect(check(resources)).toEqual([])
    const codes = menus.map(one => one.code)
    expect(new Set(codes).size).toBe(codes.length)
    for (const module of modules) {
      expect(codes).toContain(module.code)
      for (const page of module.pages ?? []) expect(codes).toContain(page.code)
      for (const one of module.resources) {
        expect(codes).toEqual(expect.arrayContaining([one.code, ...permissionsOf(one).map(({ code }) => code)]))
      }
    }
  })

  test('of processes come to older built-in roles of every tenant that have none of them', async () => {
    // Not those of the calendar, `workday`.
    const isOfProcesses = (code: string) => /^work(_|$)/.test(code)
    const held = async (roleId: string) => {
      const rows = await t.db
        .selectFrom('role_menu as g')
        .innerJoin('menu as m', 'm.id', 'g.menuId')
        .select('m.code')
        .where('g.roleId', '=', roleId)
        .where('m.code', 'like', 'work%')
        .execute()
      return rows
        .map(row => row.code)
        .filter(isOfProcesses)
        .toSorted()
    }
    const elsewhere = await insert(t.app, Role, { roleAlias: 'finance', tenantId: '000088' })
    const olds = ['exam_admin', 'reviewer', 'rechecker', 'finance', 'operator'].map(alias => roleIds[alias]!)
    const start = await idOf('work_start')
    await t.pool.query(
      `DELETE FROM role_menu WHERE "roleId" = ANY($1) AND "menuId" IN (SELECT id FROM menu WHERE code LIKE 'work%')`,
      [olds],
    )
    await t.db.insertInto('role_menu').values({ roleId: roleIds.reviewer!, menuId: start }).execute()
    await t.pool.query(readFileSync('src/platform/database/migrations/200-process-grants.sql', 'utf8'))
    for (const role of roles) {
      // Copies came later, as every new permission does.
      const today = [...codesOf(role.grants)]
        .filter(code => isOfProcesses(code) && (code !== 'work_copy' || !olds.includes(role.id)))
        .toSorted()
      expect(await held(role.id)).toEqual(role.alias === 'reviewer' ? ['work_start'] : today)
    }
    expect(await held(elsewhere.id)).toEqual(await held(roleIds.finance!))
  })

  test('that a new definition brings come to the built-in roles of every tenant, and to no other', async () => {
    const [theirs, other, root2] = [
      await insert(t.app, Role, { roleAlias: 'exam_admin', tenantId: '000089' }),
      await insert(t.app, Role, { roleAlias: 'exam_admin_own', tenantId: '000089' }),
      await insert(t.app, Role, { roleAlias: 'administrator', tenantId: '000089' }),
    ]
    await t.pool.query(`DELETE FROM role_menu WHERE "menuId" IN (SELECT id FROM menu WHERE code = 'signup_revoke')`)
    await t.pool.query(`DELETE FROM menu WHERE code = 'signup_revoke'`)
    await t.pool.query(`UPDATE migration SET hash = '' WHERE name = 'base-seed'`)
    await seedBase(t.app)
    const holders = await t.db
      .selectFrom('role_menu')
      .select('roleId')
      .where('menuId', '=', await idOf('signup_revoke'))
      .where('roleId', 'in', [roleIds.exam_admin!, roleIds.admin!, theirs.id, other.id, root2.id])
      .execute()
    expect(holders.map(one => one.roleId).toSorted()).toEqual([roleIds.exam_admin!, theirs.id].toSorted())
  })

  test('are granted as the roles say; nobody who decides about accounts decides about sign-ups', () => {
    expect(roles.map(role => role.alias)).toEqual(builtinRoles)
    const of = (alias: string) => codesOf(roles.find(role => role.alias === alias)!.grants)
    expect([...of('candidate')].every(code => code.startsWith('my_'))).toBe(true)
    for (const alias of ['administrator', 'admin']) expect(of(alias)).not.toContain('examine_act')
    expect(of('reviewer')).toContain('examine_act')
    expect(of('reviewer')).not.toContain('payrecord')
    expect(of('admin')).not.toContain('client')
    expect(of('guest').size).toBe(0)
    expect(() => codesOf('nothing_like_it')).toThrow('nothing_like_it')
  })
})

describe('the menu of a person', () => {
  test('holds what the roles were granted with its branches, without buttons', async () => {
    const reviewer = await loginAs(t, 'reviewer')
    const { data } = await get('/blade-system/menu/routes', reviewer)
    expect(data.map(one => one.code)).toEqual(['wel', 'dashboard', 'examine', 'statistics_menu', 'work'])
    expect(data[2]).toMatchObject({ path: '/examine', parentId: '0', name: '报名审核' })
    expect(flat(data).every(one => one.category === 1)).toBe(true)
    expect(flat(data).map(one => one.path)).toContain('/examine/list')
    expect(flat(data).filter(one => one.children === undefined).length).toBeGreaterThan(2)
    const candidate = await loginAs(t, 'candidate')
    const own = await get('/blade-system/menu/routes', candidate)
    expect(own.data.map(one => one.path)).toEqual([
      '/wel/index',
      '/signup/examList',
      '/signup/mySignup',
      '/signup/examPay',
      '/signup/ticket',
      '/signup/score',
      '/signup/notice',
      '/info/index',
    ])
    expect((await get('/blade-system/menu/top-menu', candidate)).data).toEqual([])
  })

  test('names buttons in leaves that carry no children', async () => {
    const text = (await t.app.inject({ url: '/api/blade-system/menu/buttons', headers: root.headers })).payload
    expect(text).not.toContain('"children":[]')
    const all = flat((JSON.parse(text) as { data: Node[] }).data)
    const button = all.find(one => one.code === 'user_reset')
    expect(button).toMatchObject({ category: 2, code: 'user_reset', name: '密码重置', alias: 'reset', action: 1 })
    expect(button).not.toHaveProperty('children')
  })

  test('is the console only for the console', async () => {
    const candidate = await loginAs(t, 'candidate')
    const urls = [
      'menu/tree',
      'menu/menu-list',
      'menu/grant-tree',
      'menu/role-tree-keys?roleIds=1',
      'role/tree',
      'dept/tree',
      'role/list',
      'user/page',
      'dict/list',
      'dict/tree',
      'post/select',
      'client/page',
      'param/page',
      'menu/list',
    ]
    for (const url of urls) {
      expect({ url, status: (await get(`/blade-system/${url}`, candidate)).status }).toEqual({ url, status: 403 })
      expect((await t.call(`/api/blade-system/${url}`)).status).toBe(401)
    }
    expect((await post('/blade-system/role/grant', { roleIds: [roleIds.candidate] }, candidate)).status).toBe(403)
    expect((await post('/blade-system/user/grant?userIds=1&roleIds=1', {}, candidate)).status).toBe(403)
  })
})

describe('granting', () => {
  test('replaces, brings parents along and counts at the next request', async () => {
    const role = await insert(t.app, Role, { roleAlias: 'helper', roleName: '助理', isBack: 1 })
    await makeUser(t, { account: 'helper', roleId: role.id })
    const { login } = await import('../../../../tests/helper/login.ts')
    const helper = await login(t, 'helper')
    expect((await get('/blade-system/param/page', helper)).status).toBe(403)
    const param = await idOf('param')
    // Clients send what else their form holds.
    expect((await post('/blade-system/role/grant', { roleIds: [role.id], menuIds: [param], tab: 'menu' })).code).toBe(
      200,
    )
    expect((await get('/blade-system/param/page', helper)).status).toBe(200)
    expect((await get('/blade-system/menu/routes', helper)).data).toMatchObject([
      { code: 'system', children: [{ code: 'param' }] },
    ])
    const keys = await get<{ menu: string[] }>(`/blade-system/menu/role-tree-keys?roleIds=${role.id}`)
    expect(keys.data.menu.sort()).toEqual([param, await idOf('system')].sort())
    expect((await post('/blade-system/role/grant', { roleIds: role.id, menuIds: [] })).code).toBe(200)
    expect((await get('/blade-system/param/page', helper)).status).toBe(403)
  })

  test('offers the roles that the caller may give, or all', async () => {
    const admin = await loginAs(t, 'admin')
    const list = await get<{ roleAlias: string }[]>('/blade-system/role/getRoleList?isAll=0', admin)
    expect(list.data.map(one => one.roleAlias)).not.toContain('administrator')
    const all = await get<{ roleAlias: string }[]>('/blade-system/role/getRoleList?isAll=1', admin)
    expect(all.data.map(one => one.roleAlias)).toContain('administrator')
  })

  test('leaves the built-in roles what they are', async () => {
    const { reviewer } = roleIds
    expect((await post(`/blade-system/role/remove?ids=${reviewer}`)).code).toBe(29008)
    expect((await post(`/blade-system/role/changeIsBack?id=${reviewer}&status=0`)).code).toBe(29008)
    const fake = { roleName: '假', roleAlias: 'administrator', sort: 1, isBack: 1 }
    expect((await post('/blade-system/role/submit', fake)).success).toBe(false)
    const role = await insert(t.app, Role, { roleAlias: 'plain', isBack: 0 })
    expect((await post(`/blade-system/role/changeIsBack?id=${role.id}&status=1`)).code).toBe(200)
    expect((await post(`/blade-system/role/remove?ids=${role.id}`)).code).toBe(200)
  })
})

describe('trees and words', () => {
  test('of roles, departments and menus are nodes of pickers', async () => {
    const child = await insert(t.app, Dept, { deptName: '人事科', parentId: '1100000000000000001' })
    const { data } = await get('/blade-system/dept/tree')
    expect(data[0]).toMatchObject({ title: '卫生健康局', parentId: '0', children: [{ id: child.id, title: '人事科' }] })
    expect((await get(`/blade-system/dept/lazy-tree?parentId=0`)).data[0]).toMatchObject({ hasChildren: true })
    expect((await get(`/blade-system/dept/tree?tenantId=999999`)).status).toBe(403)
    const tree = await get('/blade-system/role/tree')
    expect(tree.data.find(one => one.id === roleIds.administrator)).toMatchObject({
      title: '超级管理员',
      key: roleIds.administrator,
      value: roleIds.administrator,
    })
    expect((await get(`/blade-system/role/tree-by-id?roleId=${roleIds.admin}`)).data).toMatchObject([
      { title: '机构管理员' },
    ])
    const top = (await get('/blade-system/menu/lazy-menu-list')).data
    expect(top.find(one => one.code === 'system')).toMatchObject({ hasChildren: true })
    expect((await get('/blade-system/menu/tree')).data.map(one => one.title)).toContain('系统')
    expect((await post(`/blade-system/dept/remove?ids=1100000000000000001`)).code).toBe(29003)
  })

  test('a department knows what is above it, also after it was moved', async () => {
    const body = { deptCategory: 2, deptName: '甲', fullName: '甲', sort: 1 }
    const at = async (name: string) =>
      t.db.selectFrom('dept').selectAll().where('deptName', '=', name).executeTakeFirstOrThrow()
    await post('/blade-system/dept/submit', body)
    const a = await at('甲')
    await post('/blade-system/dept/submit', { ...body, deptName: '乙', parentId: a.id })
    const b = await at('乙')
    await post('/blade-system/dept/submit', { ...body, deptName: '丙', parentId: b.id })
    expect((await at('丙')).ancestors).toBe(`0,${a.id},${b.id}`)
    await post('/blade-system/dept/submit', { id: b.id, parentId: '' })
    expect((await at('丙')).ancestors).toBe(`0,${b.id}`)
    expect((await post('/blade-system/dept/submit', { id: b.id, parentId: (await at('丙')).id })).code).toBe(29005)
  })

  test('of dictionaries come in order, sealed ones only when asked, with a tag', async () => {
    const url = '/blade-system/dict/dictionary?code=exam_status'
    const first = await t.app.inject({ url: `/api${url}`, headers: root.headers })
    expect(first.json().data).toMatchObject([
      { dictKey: '0', dictValue: '草稿' },
      { dictKey: '1' },
      { dictKey: '2' },
      { dictKey: '3' },
    ])
    const etag = String(first.headers.etag)
    const again = await t.app.inject({ url: `/api${url}`, headers: { ...root.headers, 'if-none-match': etag } })
    expect(again.statusCode).toBe(304)
    await t.db
      .updateTable('dict')
      .set({ isSealed: 1 })
      .where('code', '=', 'exam_status')
      .where('dictKey', '=', '3')
      .execute()
    expect((await get(url)).data).toHaveLength(3)
    expect((await get(`${url}&all=1`)).data).toHaveLength(4)
    expect((await t.call(`/api${url}`)).status).toBe(401)
    const nations = await t.call<{ dictKey: string }[]>('/api/blade-system/dict-biz/dictionary?code=nation')
    const keys = nations.data.map(one => one.dictKey)
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([58, '01', '98'])
    expect(keys).toEqual(keys.toSorted())
  })

  test('of a dictionary stand once each', async () => {
    const parent = await t.db
      .selectFrom('dict_biz')
      .select('id')
      .where('code', '=', 'education')
      .where('parentId', 'is', null)
      .executeTakeFirstOrThrow()
    const entry = { code: 'other', dictKey: '99', dictValue: '其他', sort: 9, isSealed: 0, parentId: parent.id }
    const both = await Promise.all([1, 2].map(() => post('/blade-system/dict-biz/submit', entry)))
    expect(both.map(one => one.code).sort()).toEqual([200, 29004])
    const rows = await t.db.selectFrom('dict_biz').selectAll().where('dictKey', '=', '99').execute()
    expect(rows).toMatchObject([{ code: 'education', parentId: parent.id }])
  })

  test('of places lead from the country to the district', async () => {
    const level = (code: string) => t.call<Node[]>(`/api/blade-system/region/lazy-tree?parentCode=${code}`)
    const provinces = (await level('00')).data
    expect(provinces).toHaveLength(34)
    expect(provinces[0]).toMatchObject({ id: '11', title: '北京市', parentId: '00', hasChildren: true })
    const districts = (await level('3501')).data
    expect(districts.map(one => one.title)).toContain('鼓楼区')
    expect(districts[0]).not.toHaveProperty('hasChildren')
    const orphans = await t.pool.query(
      `SELECT code FROM region r WHERE "regionLevel" > 0
       AND NOT EXISTS (SELECT 1 FROM region p WHERE p.code = r."parentCode")`,
    )
    expect(orphans.rows).toEqual([])
    const detail = await get<Record<string, string>>('/blade-system/region/detail?code=350102')
    expect(detail.data).toMatchObject({ provinceName: '福建省', cityName: '福州市', districtName: '鼓楼区' })
  })

  test('of an address tell its tenant; the site tells its modes', async () => {
    await t.db.updateTable('tenant').set({ domain: 'Exam.Example.org' }).where('tenantId', '=', '000000').execute()
    const info = (domain: string) => t.call(`/api/blade-system/tenant/info?domain=${encodeURIComponent(domain)}`)
    expect((await info('https://exam.example.org/login#/')).data).toMatchObject({ tenantId: '000000' })
    for (const other of ['https://exam.example.org.evil.test', 'example.org', '', '::::']) {
      expect(await info(other)).toMatchObject({ code: 200, data: {} })
      expect((await info(other)).data).toEqual({})
    }
    expect((await t.call('/api/public/site')).data).toMatchObject({
      registerMode: true,
      captchaMode: true,
      tenantMode: false,
      switchMode: false,
      demoAccounts: [{ account: 'admin', password: 'Juxian@2026' }],
    })
  })
})
