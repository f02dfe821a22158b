import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerOf } from '#engine'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../../tests/helper/person.ts'
import type { roleGrants } from '../../../access/contract.ts'
import { seedPresetGrants } from './preset-grants.ts'
import { roleIds } from './roles.ts'

// What a newer version gives roles that installations begin with. The version before it is made by taking away what it did not know.

let t: TestApp
let admin: Caller
const lines: string[] = []
beforeAll(async () => {
  t = await testApp({ config: { logTo: line => lines.push(line) } })
  admin = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

const news = 'reconciliation_run'
const seed = () => t.db.transaction().execute(trx => seedPresetGrants({ app: t.app, trx }))
const presetOf = (alias: string) =>
  t.db
    .selectFrom('role_preset')
    .selectAll()
    .where('roleId', '=', roleIds[alias] ?? '')
    .executeTakeFirstOrThrow()
const lose = (alias: string, code: string) =>
  t.pool.query(`DELETE FROM role_menu WHERE "roleId" = $1 AND "menuId" IN (SELECT id FROM menu WHERE code = $2)`, [
    roleIds[alias],
    code,
  ])
const has = async (alias: string, code: string) =>
  (
    await t.pool.query(
      `SELECT 1 FROM role_menu g JOIN menu m ON m.id = g."menuId" WHERE g."roleId" = $1 AND m.code = $2`,
      [roleIds[alias], code],
    )
  ).rowCount === 1

/** Has the version before this one not give a role a right. */
async function before(alias: string, code: string): Promise<void> {
  await lose(alias, code)
  await t.pool.query(`UPDATE role_preset SET codes = array_remove(codes, $2) WHERE "roleId" = $1`, [
    roleIds[alias],
    code,
  ])
}

interface Home {
  todo: { code: string; num: number; opens: string }[]
}
const todo = async () => {
  const { data } = await t.call<Home>({ url: '/api/blade-desk/home/staff', headers: admin.headers })
  return data.todo.find(one => one.code === 'presetRoles')
}
const waiting = async () => (await todo())?.num ?? 0
const grants = async (alias: string) => {
  const url = `/api/blade-system/menu/role-tree-keys?roleIds=${roleIds[alias]}`
  return (await t.call<AnswerOf<typeof roleGrants>>({ url, headers: admin.headers })).data
}

test('a new installation owes nobody anything', async () => {
  expect((await presetOf('finance')).codes).toContain(news)
  expect((await t.pool.query('SELECT 1 FROM role_preset WHERE cardinality(owed) > 0')).rowCount).toBe(0)
  expect(await waiting()).toBe(0)
})

test('a role that nobody has changed has what a newer version gives it', async () => {
  await before('finance', news)
  await seed()
  expect(await has('finance', news)).toBe(true)
  expect(await presetOf('finance')).toMatchObject({ codes: expect.arrayContaining([news]), owed: [] })
  expect(lines.join()).not.toContain('changed by hand')
})

test('of a role that was changed its administrator is told, until something was granted; what was taken away is not asked about', async () => {
  await before('finance', news)
  await lose('finance', 'payrefund_approve')
  await seed()
  await seed()
  expect([await has('finance', news), await has('finance', 'payrefund_approve')]).toEqual([false, false])
  expect((await presetOf('finance')).owed).toEqual([news])
  expect(lines.some(line => line.includes('changed by hand') && line.includes(news))).toBe(true)
  expect(await todo()).toMatchObject({ num: 1, opens: `/system/role/grant/${roleIds.finance}` })
  const { menu: menuIds, owed } = await grants('finance')
  expect(owed).toEqual([expect.stringContaining('执行对账')])
  const payload = { roleIds: [roleIds.finance], menuIds }
  const url = '/api/blade-system/role/grant'
  expect((await t.call({ method: 'POST', url, headers: admin.headers, payload })).code).toBe(200)
  expect(await waiting()).toBe(0)
  await seed()
  expect([await waiting(), (await grants('finance')).owed]).toEqual([0, []])
})

test('of a role whose past is not known its administrator is told what it lacks', async () => {
  await t.db
    .deleteFrom('role_preset')
    .where('roleId', '=', roleIds.reviewer ?? '')
    .execute()
  await lose('reviewer', 'signup_reveal')
  await seed()
  expect(await has('reviewer', 'signup_reveal')).toBe(false)
  expect((await presetOf('reviewer')).owed).toEqual(['signup_reveal'])
})
