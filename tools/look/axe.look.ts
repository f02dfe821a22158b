import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TaskStatus } from '#schemas/dictionaries'
import { Exporttask } from '#schemas/workbook/exporttask'
import { examWorkspace } from '../../resources/exams/examination-workspace.ts'
import { roleIds } from '../../src/platform/tenants/server/seed/roles.ts'
import { go, type Screen, screens, settle, visit } from '../../tests/e2e/screens.ts'
import { speak, t } from '../../tests/e2e/words.ts'
import { type Opened, signIn } from '../../tests/e2e/world.ts'
import { makeUser } from '../../tests/helper/login.ts'
import { insert } from '../../tests/helper/sample.ts'
import { type Address, candidatePages, type DemoWorld, exams, openDemo, openPages, staffPages } from './demo.ts'
import { chooseRows, look, lookAtLayer, lookBehind, type Notes, questionsOf, readMenus } from './looking.ts'
import { beginReport, isDone, printReport, report } from './report.ts'
import { isAsked, type Variant, variants } from './selection.ts'

let world: DemoWorld

beforeAll(async () => {
  beginReport()
  world = await openDemo()
})
afterAll(async () => {
  printReport()
  await world?.close()
})

/** What every generated screen has. */
const doors = ['新增', '编辑', '查看', '导入'] as const

/** A screen with everything that its buttons open. */
async function lookAtScreen(opened: Opened, screen: Screen, notes: Notes): Promise<void> {
  const { path, calls, isOwn } = screen
  await visit(opened, screen)
  await look(opened, path, notes, 'main')
  const menus = await readMenus(opened)
  const asked = questionsOf(calls)
  for (const { label, onRows } of [...doors.map(label => ({ label, onRows: false })), ...asked]) {
    if (onRows && !(await chooseRows(opened))) continue
    const opens = await lookBehind(opened, path, label, notes, { menus })
    // A page made by hand may have a button of that name that does what it says at once.
    if (!(opens || isOwn))
      notes.found[`${path} ${label}`] = notes.schemes.map(scheme => ({ scheme, text: 'opens nothing' }))
    const isLeft = new URL(opened.page.url()).pathname !== path
    if (!opens || isLeft) await visit(opened, screen)
  }
  await lookBehind(opened, path, '列设置', notes, { selector: '.ant-popover' })
}

/** Locks the console and opens it again. */
async function lookAtLock(opened: Opened, notes: Notes): Promise<void> {
  const { page } = opened
  await page.getByRole('button', { name: t('锁屏'), exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look(opened, 'locking', notes, '[role=dialog]')
  await page.getByRole('dialog').getByRole('textbox').fill('000000')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lock')
  await look(opened, '/lock', notes)
}

/** Questions that are asked before rows are deleted and before somebody leaves; neither is answered. */
async function lookAtQuestions(opened: Opened, notes: Notes): Promise<void> {
  const { page } = opened
  expect(await chooseRows(opened)).toBe(true)
  const remove = page.getByRole('main').getByRole('button', { name: t('删除'), exact: true })
  await remove.filter({ visible: true }).first().click()
  expect(await lookAtLayer(opened, '删除', notes)).toBe(true)
  await page.locator('.person').click()
  await page.getByRole('menuitem', { name: t('退出登录') }).click()
  expect(await lookAtLayer(opened, '退出登录', notes)).toBe(true)
}

/** What the window around the pages opens. */
async function lookAround(opened: Opened, notes: Notes): Promise<void> {
  const { page } = opened
  const { width = 0 } = page.viewportSize() ?? {}
  await go(opened, '/wel/index')
  await page
    .locator('header')
    .getByRole('button', { name: t('{{n}} 个导出文件可以下载', { n: 1 }) })
    .waitFor()
  await settle(opened)
  await look(opened, '/wel/index', notes)
  for (const label of ['切换角色与机构', '外观', '键盘快捷键']) {
    await page.locator('.person').click()
    await page.getByRole('menuitem', { name: t(label) }).click()
    expect(await lookAtLayer(opened, label, notes)).toBe(true)
  }
  for (const label of ['本地错误日志', '消息', ...(width < 768 ? ['搜索页面、考试、人员', '展开菜单'] : [])]) {
    const button = page.locator('header').getByRole('button', { name: new RegExp(`^${t(label)}`) })
    await button.click()
    expect(await lookAtLayer(opened, label, notes)).toBe(true)
  }
  for (const path of ['/system/param', '/system/role', '/system/dept']) {
    await page.evaluate(to => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await page.locator(`.tabs a[aria-current][href^="${path}"]`).waitFor()
  }
  await settle(opened)
  await look(opened, 'many tabs', notes, '.tabs')
  await lookAtQuestions(opened, notes)
  await page.locator('.tabs-all').click()
  expect(await lookAtLayer(opened, 'all tabs', notes, '.tab-chooser')).toBe(true)
  await lookAtLock(opened, notes)
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

/** A window of somebody who has two roles, a file to download and an error that was met before. */
async function openBusy({ size, language, schemes }: Variant): Promise<Opened> {
  const opened = await world.open(size, { colorScheme: schemes[0] })
  await opened.page.addInitScript(log => localStorage.setItem('juxian-logs', log), JSON.stringify([error]))
  const account = `two-${size}-${language}`
  const createUser = await makeUser(world.t, { account, roleId: `${roleIds.administrator},${roleIds.exam_admin}` })
  const endTime = world.t.app.now()
  await insert(world.t.app, Exporttask, { taskStatus: TaskStatus.done, inBackground: 1, endTime, createUser })
  await signIn(world, opened.page, account)
  return opened
}

/** A window of somebody who does not sign in. */
async function openPublic({ size, language, schemes }: Variant): Promise<Opened> {
  const opened = await world.open(size, { colorScheme: schemes[0] })
  await opened.page.addInitScript(name => localStorage.setItem('juxian-lang', name), language)
  return opened
}

/** A window of somebody of the demonstration. */
const openAs =
  (account: string) =>
  async ({ size, schemes }: Variant): Promise<Opened> => {
    const opened = await world.open(size, { colorScheme: schemes[0] })
    await signIn(world, opened.page, account)
    return opened
  }

/** Whose window pages are looked at in; it stays open from one page to the next. */
const people = { nobody: openPublic, busy: openBusy, staff: openAs('admin'), candidate: openAs('kaosheng') }

/** Something to look at, under the name that `--page` is about. */
interface Place {
  readonly name: string
  readonly who: keyof typeof people
  lookAt(opened: Opened, notes: Notes): Promise<void>
}

const addressOf = (address: Address): string => (typeof address === 'string' ? address : address(world.rows))

/** Pages by their names, each looked at as it opens. */
function placesOf(who: keyof typeof people, pages: Readonly<Record<string, Address>>, part?: string): Place[] {
  return Object.entries(pages).map(
    ([name, address]): Place => ({
      name: `${who}/${name}`,
      who,
      lookAt: async (opened, notes) => {
        const path = addressOf(address)
        if (who === 'nobody') await opened.page.goto(path)
        else await go(opened, path)
        await settle(opened)
        await look(opened, path, notes, part)
      },
    }),
  )
}

/** Every page of the workspace of an exam, with the form that adds a row to its list. */
const examPlaces: Place[] = Object.entries(exams).flatMap(([stage, row]) =>
  examWorkspace.pages.map(
    ({ name }): Place => ({
      name: `exam/${stage}/${name}`,
      who: 'staff',
      lookAt: async (opened, notes) => {
        const path = `/exam/${world.rows[row]}/${name}`
        await go(opened, path)
        await settle(opened)
        await look(opened, path, notes, 'main')
        await lookBehind(opened, path, '新增', notes)
      },
    }),
  ),
)

const places: Place[] = [
  ...placesOf('nobody', openPages),
  ...screens.map(
    (screen): Place => ({
      name: screen.path,
      who: 'staff',
      lookAt: (opened, notes) => lookAtScreen(opened, screen, notes),
    }),
  ),
  ...placesOf('staff', staffPages, 'main'),
  ...examPlaces,
  ...placesOf('candidate', candidatePages),
  {
    name: 'candidate/pay dialog',
    who: 'candidate',
    lookAt: async (opened, notes) => {
      await go(opened, '/signup/examPay')
      await settle(opened)
      expect(await lookBehind(opened, '/signup/examPay', '去支付', notes)).toBe(true)
    },
  },
  { name: 'window', who: 'busy', lookAt: lookAround },
]

describe.each(variants)('nobody is kept out: $size, $language, $schemes', variant => {
  const windows = new Map<string, Opened>()

  for (const { name, who, lookAt } of places.filter(one => isAsked(one.name) && !isDone(variant, one.name))) {
    test(name, async () => {
      speak(variant.language)
      const notes: Notes = { schemes: variant.schemes, seen: [], found: {} }
      const opened = windows.get(who) ?? (await people[who](variant))
      windows.set(who, opened)
      let isWhole = false
      try {
        await lookAt(opened, notes)
        isWhole = true
      } finally {
        report(variant, name, notes, isWhole)
        if (!isWhole) {
          // What was left open would lie above the next page.
          windows.delete(who)
          await opened.page.context().close()
        }
      }
      expect(notes.found).toEqual({})
    })
  }
})
