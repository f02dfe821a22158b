import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { makeUser } from '../../tests/helper/login.ts'
import { actAs } from './caller.ts'

let t: TestApp
let account: string
beforeAll(async () => {
  t = await testApp()
  const id = await makeUser(t, { role: 'administrator' })
  account = (await t.db.selectFrom('user').select('account').where('id', '=', id).executeTakeFirstOrThrow()).account
})
afterAll(() => t.close())

test('a call that a busy server puts off is made again', async () => {
  const busy = vi.spyOn(t.app, 'isOverloaded').mockReturnValueOnce(true)
  const page = await actAs(t.app, account, ({ get }) => get<{ total: number }>('/blade-system/param/page?size=1'))
  expect(page.total).toBeGreaterThan(0)
  expect(busy).toHaveBeenCalledTimes(2)
})

test('a call that is refused is not', async () => {
  await expect(actAs(t.app, account, ({ get }) => get('/blade-system/param/page?colour=red'))).rejects.toThrow('29005')
})
