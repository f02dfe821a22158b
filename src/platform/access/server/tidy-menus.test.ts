import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MenuCategory } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, makeUser, type Session } from '../../../../tests/helper/login.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { seedBase } from '../../tenants/server/seed/index.ts'
import { isGroup, menus } from '../../tenants/server/seed/menus.ts'
import { roles } from '../../tenants/server/seed/roles.ts'

interface Node {
  code: string
  children?: Node[]
}
interface Move {
  code: string
  parentId: string
  from: string
  to: string
}

/** Entries of the first level that anybody has at most. */
const MOST = 12

let t: TestApp
let root: Session
beforeAll(async () => {
  t = await testApp()
  root = await loginAs(t, 'administrator')
})
afterAll(() => t.close())

const routes = async (session: Session) =>
  (await t.call<Node[]>({ url: '/api/blade-system/menu/routes', headers: session.headers })).data
const preview = async () => (await t.call<Move[]>({ url: '/api/blade-system/menu/tidy', headers: root.headers })).data
const tidy = (moves: readonly Pick<Move, 'code' | 'parentId'>[], session = root) =>
  t.call<{ moved: number }>({
    method: 'POST',
    url: '/api/blade-system/menu/tidy',
    headers: session.headers,
    payload: { moves: moves.map(({ code, parentId }) => ({ code, parentId })) },
  })
const idOf = async (code: string) =>
  (await t.db.selectFrom('menu').select('id').where('code', '=', code).executeTakeFirst())?.id

/** Everything in the branch of its module, as installations had it before there were groups. */
async function untidy(): Promise<void> {
  const ids = new Map((await t.db.selectFrom('menu').select(['id', 'code']).execute()).map(row => [row.code, row.id]))
  for (const { code, parent, owner } of menus.filter(one => one.parent !== one.owner)) {
    expect(parent).not.toBeNull()
    await t.db
      .updateTable('menu')
      .set({ parentId: owner && ids.get(owner)! })
      .where('code', '=', code)
      .execute()
  }
  await t.db
    .deleteFrom('menu')
    .where('code', 'in', menus.map(one => one.code).filter(isGroup))
    .execute()
  await t.db.deleteFrom('migration').where('name', '=', 'base-seed').execute()
  await seedBase(t.app)
}

describe('the menu of a new installation', () => {
  test.each(roles.map(one => one.alias))(
    'gives %s no more than a dozen entries, each with something in it',
    async alias => {
      if (alias === 'guest') return
      const first = await routes(alias === 'administrator' ? root : await loginAs(t, alias))
      expect(first.length).toBeGreaterThan(0)
      expect(first.length).toBeLessThanOrEqual(MOST)
      const seen = (nodes: readonly Node[]): Node[] => nodes.flatMap(one => [one, ...seen(one.children ?? [])])
      const empty = seen(first).filter(
        one =>
          !one.children?.length && menus.some(menu => menu.parent === one.code && menu.category === MenuCategory.menu),
      )
      expect(empty.map(one => one.code)).toEqual([])
    },
  )
})

test('a branch of which somebody may open nothing is not in the menu', async () => {
  // The group of the log stands in that of the system, which is empty without it.
  const { headers } = await signIn(t, { permissions: ['wel', 'system', 'log'] })
  const { data } = await t.call<Node[]>({ url: '/api/blade-system/menu/routes', headers })
  expect(data.map(one => one.code)).toEqual(['wel'])
})

describe('the menu of an installation from before', () => {
  beforeAll(untidy)

  test('stays as it is with a newer version', async () => {
    expect(await idOf('library')).toBeUndefined()
    expect((await routes(root)).length).toBeGreaterThan(MOST)
  })

  test('is moved by nobody but the administrator of the installation', async () => {
    await makeUser(t, { account: 'of-a-tenant', role: 'admin' })
    const admin = await loginAs(t, 'admin')
    expect(await tidy(await preview(), admin)).toMatchObject({ code: 403 })
    expect(await idOf('library')).toBeUndefined()
  })

  test('is not moved where somebody has moved it since it was looked at', async () => {
    const moves = await preview()
    const one = moves.find(({ code }) => code === 'school')!
    expect(one).toMatchObject({ from: '考试管理', to: '资料库' })
    await t.db
      .updateTable('menu')
      .set({ parentId: await idOf('system') })
      .where('code', '=', 'school')
      .execute()
    expect(await tidy(moves)).toMatchObject({ code: 29002 })
    expect(await idOf('library')).toBeUndefined()
    expect(
      await tidy([
        { code: 'wel', parentId: '1' },
        { code: 'nothing', parentId: '0' },
      ]),
    ).toMatchObject({ success: false })
  })

  test('never comes to stand below itself', async () => {
    await t.db
      .updateTable('menu')
      .set({ parentId: await idOf('log') })
      .where('code', '=', 'system')
      .execute()
    const moves = await preview()
    expect(await tidy(moves.filter(({ code }) => code === 'log'))).toMatchObject({ code: 29005 })
    const both = moves.filter(({ code }) => ['log', 'system'].includes(code))
    expect(both).toHaveLength(2)
    expect(await tidy(both)).toMatchObject({ code: 200, data: { moved: 2 } })
  })

  test('is put in order as far as it is chosen, and then as a new one is', async () => {
    const moves = await preview()
    const names = moves.filter(({ code }) => code === 'reduction')
    expect(await tidy(names)).toMatchObject({ data: { moved: 1 } })
    const rest = await preview()
    expect(rest).toHaveLength(moves.length - 1)
    expect(await tidy(rest)).toMatchObject({ data: { moved: rest.length } })
    expect(await preview()).toEqual([])
    expect((await routes(root)).length).toBeLessThanOrEqual(MOST)
    const auditor = await routes(await loginAs(t, 'auditor'))
    expect(auditor.map(one => one.code)).toEqual(['wel', 'dashboard', 'examine', 'library', 'system'])
  })
})
