import type { Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { modules } from '#resources'
import { pages as made } from '../../src/web/pages/index.ts'
import { mostForList, openCold } from '../bench/pages.ts'
import { makeUser } from '../helper/login.ts'
import type { sizes } from './browser.ts'
import { speak, t } from './words.ts'
import { type Opened, openWorld, signIn, type World } from './world.ts'

const byHand = new Set(made.map(page => page.path))

/** Every screen of the menu, with the calls it lives on where it is a generated one. */
const screens = modules.flatMap(({ path: below, pages = [], resources }) => [
  ...pages.map(({ path }) => ({ path, calls: undefined, isOwn: true })),
  ...resources.map(({ name, route, path: calls }) => {
    const path = route ?? `${below}/${name}`
    return { path, calls: `/api${calls}/`, isOwn: byHand.has(path) }
  }),
])

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
async function visit({ page, quiet }: Opened, { path, calls, isOwn }: (typeof screens)[number]): Promise<void> {
  // A page made by hand may ask for its rows only when something has been chosen.
  const answer = calls && !isOwn && page.waitForResponse(response => response.url().includes(calls))
  await page.evaluate(to => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForURL(`**${path}`)
  await answer
  const main = page.getByRole('main')
  const shown = main.getByRole('button').or(main.getByRole('combobox')).or(main.locator('.ant-empty'))
  await shown.first().waitFor()
  await quiet()
  await page.waitForFunction(() => !document.querySelector('.ant-skeleton, .ant-spin-spinning, [aria-busy=true]'))
}

/** What a page says that could not be shown. */
const failures = ['没有取到数据', '加载失败', '页面不存在', '您没有权限查看这个页面']

/** What is wrong with the page that is open, in words. */
async function faults({ page, complaints }: Opened): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const failed = await page.getByText(new RegExp(failures.map(one => t(one)).join('|'))).count()
  return [
    ...complaints.splice(0),
    ...(wide > 0 ? [`${wide} px wider than the window`] : []),
    ...(failed > 0 ? ['says that it failed'] : []),
  ]
}

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

test.each<[keyof typeof sizes, 'zh' | 'en']>([
  ['phone', 'zh'],
  ['desk', 'en'],
])('every screen opens without a complaint and speaks one language: %s, %s', async (size, language) => {
  const opened = await world.open(size)
  speak(language)
  await signIn(world, opened.page, 'admin')
  opened.complaints.splice(0)
  const found: Record<string, string[]> = {}
  for (const screen of screens) {
    await visit(opened, screen)
    const wrong = [...(await faults(opened)), ...(language === 'en' ? await chineseOn(opened.page) : [])]
    if (wrong.length > 0) found[screen.path] = wrong
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
