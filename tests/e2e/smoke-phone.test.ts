import { expect, test } from 'vitest'
import { candidatePages } from '../../src/web/candidate-routes.ts'
import { mostForList, openCold } from '../../tools/bench/pages.ts'
import { makeUser } from '../helper/login.ts'
import { half, lookAtScreens } from './every-screen.ts'
import { sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()

test('a first list fetches no more than it may, and its calendar only for who goes there', async () => {
  const { world } = shared
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  const address = `${world.url}/system/param`
  const storageState = await page.context().storageState()
  const cost = await openCold(world.browser, address, '.ant-table-row', { storageState })
  expect(cost.whole).toBeLessThan(mostForList)
  await page.goto(address)
  const bar = page.getByRole('search')
  await page.locator('.ant-table-row').first().waitFor()
  expect(page.url()).toBe(address)
  await bar.getByLabel('参数键名').focus()
  expect(await bar.locator('.ant-picker').count()).toBe(0)
  await page.keyboard.press('Tab')
  await bar.locator('.ant-picker').waitFor()
  const label = await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)
  expect(label).toBe('创建时间')
})

test('every other screen opens without a complaint, bars nobody and speaks one language: phone, zh, light', async () => {
  const [opens, looks] = [half(0), half(0)]
  expect(
    await lookAtScreens(shared.world, { size: 'phone', language: 'zh', colorScheme: 'light', opens, looks }),
  ).toEqual({})
})

test('pages of candidates fetch nothing of the console, which is half as much again', async () => {
  const { world } = shared
  const { page, quiet } = await world.open('phone')
  await makeUser(world.t, { account: 'sparing', role: 'candidate' })
  await signIn(world, page, 'sparing')
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  for (const { path } of candidatePages) {
    await page.goto(path.replace(/:\w+/, '1'), { waitUntil: 'networkidle' })
    await quiet()
    expect(
      fetched.splice(0).filter(url => /\/(shell|lists)-/.test(url)),
      path,
    ).toEqual([])
  }
})

test('a candidate is turned away from the console', async () => {
  const { world } = shared
  const { page } = await world.open('phone')
  await makeUser(world.t, { account: 'kaosheng', role: 'candidate' })
  await signIn(world, page, 'kaosheng')
  await page.goto('/system/user')
  await page.waitForURL('**/403')
  await page.getByText('您没有权限查看这个页面').waitFor()
})
