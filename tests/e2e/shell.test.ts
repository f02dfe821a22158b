import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { astray } from './every-screen.ts'
import { openTab, screens, settle } from './screens.ts'
import { speak, t } from './words.ts'
import { type Opened, openSignIn, openWorld, signIn, type World } from './world.ts'

let world: World
let desk: Opened

beforeAll(async () => {
  world = await openWorld()
  speak('zh')
  desk = await world.open()
  await signIn(world, desk.page, 'admin')
})
afterAll(() => world?.close())

const rows = (page: Page) => page.locator('.ant-table-row:visible').first()

test('a kept list comes back as far down as it was, with its search and a half-typed dialog', async () => {
  const { page } = desk
  await openTab(page, '/system/param')
  await rows(page).waitFor()
  await page.getByLabel('参数键名').first().fill('sms')
  await page.evaluate(() => scrollTo(0, 200))
  const down = await page.evaluate(() => scrollY)
  expect(down).toBeGreaterThan(0)
  await page.getByRole('button', { name: '新增' }).first().click()
  await page.getByRole('dialog').getByLabel('参数名称').fill('half')
  await openTab(page, '/system/role')
  await rows(page).waitFor()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  // Not by the browser's own way back, which would know how far down the page was.
  await openTab(page, '/system/param')
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(down)
  expect(await page.getByRole('dialog').getByLabel('参数名称').inputValue()).toBe('half')
  expect(await page.getByLabel('参数键名').first().inputValue()).toBe('sms')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('取消') })
    .click()
  await page
    .getByRole('button', { name: t('关闭'), exact: true })
    .last()
    .click()
})

test('what closed tabs held is not in the page any more', async () => {
  const { page } = desk
  await openTab(page, '/system/role')
  const lists = () => page.locator('#main .ant-table').count()
  await expect.poll(lists).toBeGreaterThan(1)
  await page.locator('.tabs a[aria-current]').click({ button: 'right' })
  await page.getByText(t('关闭其他')).click()
  await expect.poll(lists).toBe(1)
})

test('one sees where one is by a link, by a tab and after a reload', async () => {
  const { page } = desk
  const far = screens.filter(one => !one.isOwn).slice(-3)
  for (const { path } of far) {
    await openTab(page, path)
    await settle(desk)
    await expect.poll(() => astray(page), { message: `${path} by a link` }).toEqual([])
    await openTab(page, '/system/param')
    await page.locator(`.tabs a[href^="${path}"]`).click()
    await expect.poll(() => astray(page), { message: `${path} by its tab` }).toEqual([])
  }
  await page.reload()
  await settle(desk)
  await expect.poll(() => astray(page)).toEqual([])
  await openTab(page, '/system/role')
})

test('dictionaries side by side show their columns in a window of 1366', async () => {
  const { page } = desk
  const before = page.viewportSize()
  await page.setViewportSize({ width: 1366, height: 768 })
  await openTab(page, '/dict-horizontal/index')
  await rows(page).locator('td').nth(1).click()
  const tables = page.locator('.dict-screen:visible .ant-table-content')
  await expect.poll(() => tables.count()).toBe(2)
  const hidden = await tables.evaluateAll(all => all.map(one => one.scrollWidth - one.clientWidth))
  expect(hidden).toEqual([0, 0])
  const headings = await page.locator('.dict-screen:visible thead th').allInnerTexts()
  expect(headings.filter(Boolean)).toEqual([
    '字典编号',
    '字典名称',
    '字典排序',
    '封存',
    '操作',
    '字典名称',
    '字典键值',
    '字典排序',
    '封存',
    '操作',
  ])
  if (before) await page.setViewportSize(before)
  await openTab(page, '/system/role')
})

test('the lock stands in every tab of the browser, also after a reload, and lets all of them back', async () => {
  const { page } = desk
  const other = await page.context().newPage()
  await other.goto('/system/param')
  await rows(other).waitFor()
  await page.getByRole('button', { name: t('锁屏') }).click()
  await page.getByRole('dialog').getByLabel(t('锁屏密码')).fill('geheim')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lock')
  await other.waitForURL('**/lock')
  await other.goto('/system/role')
  await other.waitForURL('**/lock')
  await other.getByLabel(t('锁屏密码')).fill('falsch')
  await other.keyboard.press('Enter')
  await other.getByText(t('锁屏密码错误')).waitFor()
  await other.getByLabel(t('锁屏密码')).fill('geheim')
  await other.keyboard.press('Enter')
  await other.waitForURL('**/system/role*')
  await page.waitForURL('**/system/role*')
  expect(desk.complaints).toEqual([])
})

test('whoever logs out in one tab is out in all of them, and nothing of the session is left', async () => {
  const { page } = desk
  const [, other] = page.context().pages()
  await other?.evaluate(() => localStorage.setItem('juxian-draft-1-1', '{}'))
  await page.bringToFront()
  await page.locator('.person').click()
  await page.getByText(t('退出登录')).click()
  await page.getByRole('button', { name: /^(确\s?定|OK)$/ }).click()
  await Promise.all([page.waitForURL('**/login'), other?.waitForURL('**/login*')])
  const left = await other?.evaluate(() => [
    ...Object.keys(localStorage).filter(name => /token|user|draft/.test(name)),
    ...Object.keys(sessionStorage),
  ])
  expect(left).toEqual([])
})

test('the sign-in page comes with what the site is like and does not ask for it', async () => {
  const { page } = desk
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  const title = '</script><b>聚贤</b>'
  await world.t.db.updateTable('param').set({ paramValue: title }).where('paramKey', '=', 'site.title').execute()
  await openSignIn(page)
  await page.getByText(title, { exact: true }).waitFor()
  expect(asked).not.toContain('/api/public/site')
})

test('a chosen colour is the ground of buttons as it was chosen', async () => {
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  for (const [colour, ground] of [
    ['#409EFF', 'rgb(64, 158, 255)'],
    ['#ffff00', 'rgb(255, 255, 0)'],
  ] as const) {
    await page.evaluate(chosen => localStorage.setItem('juxian-colour', chosen), colour)
    await page.goto('/system/param')
    const button = page.getByRole('button', { name: '新增' }).first()
    await button.waitFor()
    expect(await button.evaluate(one => getComputedStyle(one).backgroundColor)).toBe(ground)
  }
})

test('a token without its person asks whose it is', async () => {
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  const kept = await page.evaluate(() =>
    Object.entries({ ...localStorage })
      .filter(([name]) => /token/.test(name))
      .map(([name, value]) => ({ name, value })),
  )
  const storageState = { cookies: [], origins: [{ origin: world.url, localStorage: kept }] }
  const { page: other } = await world.open('desk', { storageState })
  const asked = other.waitForRequest('**/oauth/user-info')
  await other.goto('/system/param')
  await asked
  await rows(other).waitFor()
  expect(new URL(other.url()).pathname).toBe('/system/param')
})

test('the lock page shows the avatar, and unlocking after an unknown address leads home', async () => {
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  await page.goto('/system/param')
  await rows(page).waitFor()
  await page.getByRole('button', { name: t('锁屏') }).click()
  await page.getByRole('dialog').getByLabel(t('锁屏密码')).fill('geheim')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lock')
  await page.locator('.ant-avatar:visible').waitFor()
  await page.goto('/no/such/page')
  await page.waitForURL('**/lock')
  await page.getByLabel(t('锁屏密码')).fill('geheim')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/wel/index')
})
