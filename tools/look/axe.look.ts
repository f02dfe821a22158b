import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TaskStatus } from '#schemas/dictionaries'
import { Exporttask } from '#schemas/workbook/exporttask'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import type { sizes } from '../../tests/e2e/browser.ts'
import { go, type Screen, screens, settle, visit } from '../../tests/e2e/screens.ts'
import { speak, t } from '../../tests/e2e/words.ts'
import { type Opened, signIn } from '../../tests/e2e/world.ts'
import { makeUser } from '../../tests/helper/login.ts'
import { insert } from '../../tests/helper/sample.ts'
import { type DemoWorld, openDemo } from './demo.ts'
import { chooseRows, type Found, look, lookAtLayer, lookBehind, questionsOf } from './looking.ts'

let world: DemoWorld

beforeAll(async () => {
  world = await openDemo()
})
afterAll(() => world?.close())

/** What every generated screen has. */
const doors = ['新增', '编辑', '查看', '导入'] as const

/** A screen with everything that its buttons open. */
async function lookAtScreen(opened: Opened, screen: Screen, found: Found): Promise<void> {
  const { path, calls, isOwn } = screen
  await visit(opened, screen)
  await look(opened, path, found, 'main')
  const asked = questionsOf(calls)
  for (const { label, onRows } of [...doors.map(label => ({ label, onRows: false })), ...asked]) {
    if (onRows && !(await chooseRows(opened))) continue
    if (await lookBehind(opened, path, label, found)) continue
    // What a page made by hand opens may be another page.
    if (!isOwn) found[`${path} ${label}`] = ['opens nothing']
    await visit(opened, screen)
  }
  await lookBehind(opened, path, '列设置', found, '.ant-popover')
}

/** Locks the console and opens it again. */
async function lookAtLock(opened: Opened, found: Found): Promise<void> {
  const { page } = opened
  await page.getByRole('button', { name: t('锁屏'), exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look(opened, 'locking', found, '[role=dialog]')
  await page.getByRole('dialog').getByRole('textbox').fill('000000')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lock')
  await look(opened, '/lock', found)
}

/** Questions that are asked before rows are deleted and before somebody leaves; neither is answered. */
async function lookAtQuestions(opened: Opened, found: Found): Promise<void> {
  const { page } = opened
  expect(await chooseRows(opened)).toBe(true)
  const remove = page.getByRole('main').getByRole('button', { name: t('删除'), exact: true })
  await remove.filter({ visible: true }).first().click()
  expect(await lookAtLayer(opened, '删除', found)).toBe(true)
  await page.locator('.person').click()
  await page.getByRole('menuitem', { name: t('退出登录') }).click()
  expect(await lookAtLayer(opened, '退出登录', found)).toBe(true)
}

/** What the window around the pages opens. */
async function lookAround(opened: Opened, found: Found): Promise<void> {
  const { page } = opened
  const { width = 0 } = page.viewportSize() ?? {}
  await go(opened, '/wel/index')
  await page
    .locator('header')
    .getByRole('button', { name: t('{{n}} 个导出文件可以下载', { n: 1 }) })
    .waitFor()
  await settle(opened)
  await look(opened, '/wel/index', found)
  for (const label of ['切换角色与机构', '外观', '键盘快捷键']) {
    await page.locator('.person').click()
    await page.getByRole('menuitem', { name: t(label) }).click()
    expect(await lookAtLayer(opened, label, found)).toBe(true)
  }
  for (const label of ['本地错误日志', '消息', ...(width < 768 ? ['搜索菜单', '展开菜单'] : [])]) {
    const button = page.locator('header').getByRole('button', { name: new RegExp(`^${t(label)}`) })
    await button.click()
    expect(await lookAtLayer(opened, label, found)).toBe(true)
  }
  for (const path of ['/system/param', '/system/role', '/system/dept']) {
    await page.evaluate(to => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await page.locator(`.tabs a[aria-current][href^="${path}"]`).waitFor()
  }
  await settle(opened)
  await look(opened, 'many tabs', found, '.tabs')
  await lookAtQuestions(opened, found)
  await page.locator('.tabs-all').click()
  expect(await lookAtLayer(opened, 'all tabs', found, '.tab-chooser')).toBe(true)
  await lookAtLock(opened, found)
}

/** An error that the browser met before, as it is kept. */
const error = {
  url: 'https://example.org/system/user',
  time: '2026-11-20 09:00:00',
  type: 'error',
  info: '',
  message: 'GET /api/blade-system/user/page: Network Error',
  stack: 'Error: Network Error\n    at send',
}

describe.each<[keyof typeof sizes, 'light' | 'dark', 'zh' | 'en']>([
  ['desk', 'light', 'zh'],
  ['desk', 'dark', 'en'],
  ['phone', 'light', 'en'],
  ['phone', 'dark', 'zh'],
])('nobody is kept out: %s, %s, %s', (size, colorScheme, language) => {
  test('pages for everybody', async () => {
    const found: Found = {}
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await opened.page.addInitScript(name => localStorage.setItem('juxian-lang', name), language)
    for (const path of Object.values(world.openPages)) {
      await opened.page.goto(path)
      await settle(opened)
      await look(opened, path, found)
    }
    expect(found).toEqual({})
  })

  test('the window of staff with all that it opens', async () => {
    const found: Found = {}
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await opened.page.addInitScript(log => localStorage.setItem('juxian-logs', log), JSON.stringify([error]))
    const account = `two-${size}-${colorScheme}`
    const createUser = await makeUser(world.t, { account, roleId: `${roleIds.administrator},${roleIds.exam_admin}` })
    const endTime = world.t.app.now()
    await insert(world.t.app, Exporttask, { taskStatus: TaskStatus.done, inBackground: 1, endTime, createUser })
    await signIn(world, opened.page, account)
    await lookAround(opened, found)
    expect(found).toEqual({})
  })

  test('screens of staff with all that their buttons open', async () => {
    const found: Found = {}
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await signIn(world, opened.page, 'admin')
    for (const screen of screens) await lookAtScreen(opened, screen, found)
    for (const path of Object.values(world.staffPages)) {
      await go(opened, path)
      await settle(opened)
      await look(opened, path, found, 'main')
    }
    expect(found).toEqual({})
  })

  test('pages of a candidate', async () => {
    const found: Found = {}
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await signIn(world, opened.page, 'kaosheng')
    for (const path of Object.values(world.candidatePages)) {
      await go(opened, path)
      await settle(opened)
      await look(opened, path, found)
    }
    await go(opened, '/signup/examPay')
    await settle(opened)
    expect(await lookBehind(opened, '/signup/examPay', '去支付', found)).toBe(true)
    expect(found).toEqual({})
  })
})
