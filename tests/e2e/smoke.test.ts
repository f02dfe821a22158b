import type { Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { modules } from '#resources'
import { pages as made } from '../../src/web/pages/index.ts'
import { mostForList, openCold } from '../bench/pages.ts'
import { makeUser } from '../helper/login.ts'
import type { sizes } from './browser.ts'
import { speak } from './words.ts'
import { openWorld, signIn, type World } from './world.ts'

const byHand = new Set(made.map(page => page.path))

/** Every screen of the menu, with the calls it lives on where it is a generated one. */
const screens = modules.flatMap(({ path: below, pages = [], resources }) => [
  ...pages.map(({ path }) => ({ path, calls: undefined, isOwn: true })),
  ...resources.map(({ name, route, path: calls }) => {
    const path = route ?? `${below}/${name}`
    return { path, calls: `/api${calls}/`, isOwn: byHand.has(path) }
  }),
])

/** Milliseconds in which a page made by hand asks for rows of its resource, if it asks before something is chosen. */
const SOON = 3000

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
afterEach(async ({ task }) => {
  speak('zh')
  if (task.result?.state === 'fail') await world.picture(task.name)
})

/** Opens a screen without loading the application anew, and waits until what it asks for has been answered and drawn. */
async function visit(page: Page, { path, calls, isOwn }: (typeof screens)[number]): Promise<void> {
  const asked =
    calls && page.waitForResponse(response => response.url().includes(calls), isOwn ? { timeout: SOON } : {})
  const answer = isOwn && asked ? asked.catch(() => undefined) : asked
  await page.evaluate(to => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForURL(`**${path}`)
  await answer
  await page
    .getByRole('main')
    .getByRole('button')
    .first()
    .or(page.getByRole('main').getByRole('combobox').first())
    .first()
    .waitFor()
  await page.waitForFunction(() => !document.querySelector('.ant-skeleton, .ant-spin-spinning, [aria-busy=true]'))
}

/** What is wrong with the page that is open, in words. */
async function faults(page: Page, complaints: string[]): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const failed = await page.getByText(/加载失败|没有取到数据|页面不存在|没有权限/).count()
  return [
    ...complaints.splice(0),
    ...(wide > 0 ? [`${wide} px wider than the window`] : []),
    ...(failed > 0 ? ['says that it failed'] : []),
  ]
}

test.each<keyof typeof sizes>(['desk', 'phone'])('every screen opens without a complaint: %s', async size => {
  const { page, complaints } = await world.open(size)
  await signIn(world, page, 'admin')
  complaints.splice(0)
  const found: Record<string, string[]> = {}
  for (const screen of screens) {
    await visit(page, screen)
    const wrong = await faults(page, complaints)
    if (wrong.length > 0) found[screen.path] = wrong
  }
  expect(found).toEqual({})
})

/** Chinese words that are no data: rows of tables and who is signed in keep their language. */
const chineseOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement
    for (const data of copy.querySelectorAll('td, header, noscript, script, style')) data.remove()
    return [...new Set((copy.innerText.match(/[^\n]*\p{Script=Han}[^\n]*/gu) ?? []).map(line => line.trim()))]
  })

test('a first list fetches no more than it may, and its calendar only for who goes there', async () => {
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  const address = `${world.url}/system/param`
  const storageState = await page.context().storageState()
  const cost = await openCold(world.browser, address, '.ant-table-row', { storageState })
  expect(cost.whole).toBeLessThan(mostForList)
  await page.goto(address)
  const bar = page.getByRole('search')
  await bar.getByLabel('参数键名').focus()
  expect(await bar.locator('.ant-picker').count()).toBe(0)
  await page.keyboard.press('Tab')
  await bar.locator('.ant-picker').waitFor()
  const label = await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)
  expect(label).toBe('创建时间')
})

test('every screen speaks English when asked to', async () => {
  const { page } = await world.open()
  speak('en')
  await signIn(world, page, 'admin')
  const found: Record<string, string[]> = {}
  for (const screen of screens) {
    await visit(page, screen)
    const chinese = await chineseOn(page)
    if (chinese.length > 0) found[screen.path] = chinese
  }
  expect(found).toEqual({})
})

test('a candidate is turned away from the console', async () => {
  const { page } = await world.open('phone')
  await makeUser(world.t, { account: 'kaosheng', role: 'candidate' })
  await signIn(world, page, 'kaosheng')
  await page.goto('/system/user')
  await page.waitForURL('**/403')
  await page.getByText('您没有权限查看这个页面').waitFor()
})
