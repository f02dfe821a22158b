import type { Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { mostForList, openCold } from '../bench/pages.ts'
import { makeUser } from '../helper/login.ts'
import { barriers } from './axe.ts'
import type { sizes } from './browser.ts'
import { screens, visit } from './screens.ts'
import { speak, t } from './words.ts'
import { type Opened, openWorld, signIn, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
afterEach(async ({ task }) => {
  speak('zh')
  if (task.result?.state === 'fail') await world.picture(task.name)
})

/** What a page says that could not be shown. */
const failures = ['没有取到数据', '加载失败', '页面不存在', '您没有权限查看这个页面']

/** What is wrong with the page that is open, in words. */
async function faults({ page, complaints }: Opened): Promise<string[]> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const failed = page.getByText(new RegExp(failures.map(one => t(one)).join('|'))).filter({ visible: true })
  return [
    ...complaints.splice(0),
    ...(wide > 0 ? [`${wide} px wider than the window`] : []),
    ...((await failed.count()) > 0 ? ['says that it failed'] : []),
  ]
}

/** Chinese words that are no data: rows of tables and who is signed in keep their language. */
const chineseOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement
    // Pages behind other tabs have been looked at when they were open.
    const hidden = '[style*="display: none"]'
    for (const data of copy.querySelectorAll(`td, header, noscript, script, style, ${hidden}`)) data.remove()
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

/** Every second screen, beginning with the given one. */
const half = (from: 0 | 1) => screens.filter((_, place) => place % 2 === from)

// Half of the screens on a phone, all of them at a desk, barriers looked for once at each: `npm run axe` looks at all of them
// everywhere, which takes a quarter of an hour.
test.each<[keyof typeof sizes, 'zh' | 'en', 'light' | 'dark', typeof screens]>([
  ['phone', 'zh', 'light', half(0)],
  ['desk', 'en', 'dark', screens],
])('every screen opens without a complaint, bars nobody and speaks one language: %s, %s, %s', async (...pass) => {
  const [size, language, colorScheme, opens] = pass
  const looked = new Set(size === 'phone' ? opens : half(1))
  const opened = await world.open(size, { colorScheme })
  speak(language)
  await signIn(world, opened.page, 'admin')
  opened.complaints.splice(0)
  // What stands around the screens is the same at all of them.
  const found: Record<string, string[]> = { around: await barriers(opened.page) }
  for (const screen of opens) {
    await visit(opened, screen)
    const barred = looked.has(screen) ? await barriers(opened.page, 'main') : []
    const wrong = [...(await faults(opened)), ...barred, ...(language === 'en' ? await chineseOn(opened.page) : [])]
    if (wrong.length > 0) found[screen.path] = wrong
  }
  expect(found).toEqual({ around: [] })
})

test('a candidate is turned away from the console', async () => {
  const { page } = await world.open('phone')
  await makeUser(world.t, { account: 'kaosheng', role: 'candidate' })
  await signIn(world, page, 'kaosheng')
  await page.goto('/system/user')
  await page.waitForURL('**/403')
  await page.getByText('您没有权限查看这个页面').waitFor()
})
