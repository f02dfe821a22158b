import type { Page } from '@playwright/test'
import { modules } from '#resources'
import { barriers } from './axe.ts'
import type { sizes } from './browser.ts'
import { screens, settle, visit } from './screens.ts'
import { type Language, speak, t } from './words.ts'
import { type Opened, signIn, type World } from './world.ts'

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

/** What does not tell where one is: the heading, the way to the page, its entry of the menu; and entries that are cut. */
export const astray = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seen = (what: string) => [...document.querySelectorAll(what)].filter(one => one.checkVisibility())
    const wrong: string[] = []
    const headings = seen('h1')
    if (headings.length !== 1) wrong.push(`${headings.length} headings`)
    if (headings[0]?.closest('.list-body, .ant-card')) wrong.push('its heading stands in a card')
    // What has the window to itself stands in front of the rest.
    if (seen('.shell').length === 0) return wrong
    if (!document.title.startsWith(headings[0]?.textContent ?? '')) wrong.push(`is called ${document.title}`)
    if (seen('.page-head [aria-current]').length !== 1) wrong.push('no way to it')
    const menu = seen('aside .side-menu')[0]?.getBoundingClientRect()
    if (!menu) return wrong
    const cut = seen('.side-menu .ant-menu-title-content').filter(one => one.scrollWidth > one.clientWidth)
    wrong.push(...cut.map(one => `the menu cuts ${one.textContent}`))
    const entry = seen('.side-menu .ant-menu-item-selected')[0]?.getBoundingClientRect()
    if (!entry) wrong.push('no entry of the menu is marked')
    else if (entry.top < menu.top - 1 || entry.bottom > menu.bottom + 1) wrong.push('its entry is out of view')
    return wrong
  })

/** Chinese words that are no data: rows of tables and who is signed in keep their language. */
const chineseOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement
    // Pages behind other tabs have been looked at when they were open.
    const hidden = '[style*="display: none"]'
    for (const data of copy.querySelectorAll(`td, header, noscript, script, style, ${hidden}`)) data.remove()
    return [...new Set((copy.innerText.match(/[^\n]*\p{Script=Han}[^\n]*/gu) ?? []).map(line => line.trim()))]
  })

/** How the screens are looked at. */
export interface Pass {
  size: keyof typeof sizes
  language: Language
  colorScheme: 'light' | 'dark'
  /** Which are opened, and at which of them what bars people is looked for. */
  opens: typeof screens
  looks: typeof screens
}

/** Every second screen, beginning with the given one. */
export const half = (from: 0 | 1): typeof screens => screens.filter((_, place) => place % 2 === from)

/** Every second page made by hand, and of the generated screens, which are one page with other definitions, every sixth. */
export const some = (from: 0 | 1): typeof screens => [
  ...screens.filter(one => one.isOwn).filter((_, place) => place % 2 === from),
  ...screens.filter(one => !one.isOwn).filter((_, place) => place % 6 === from * 3),
]

/** What does not tell where one is, once the page is drawn and its group of the menu unfolded. */
async function strayed(page: Page): Promise<string[]> {
  let wrong = await astray(page)
  for (let tried = 0; wrong.length > 0 && tried < 20; tried++) {
    await page.waitForTimeout(100)
    wrong = await astray(page)
  }
  return wrong
}

/** The last screen of each part of the menu: what is marked there is farthest down. */
const lastOfGroups = new Set(
  modules.flatMap(({ path }) => screens.findLast(one => one.path.startsWith(`${path}/`))?.path ?? []),
)

/** Goes to a screen that is open and back, by their tabs, and answers what does not tell there where one is. */
async function byTabs({ page }: Opened, there: string, here: string): Promise<string[]> {
  const tab = (path: string) => page.locator(`.tabs a[href="${path}"], .tabs a[href^="${path}?"]`)
  if ((await tab(there).count()) === 0 || (await tab(here).count()) === 0) return []
  await tab(there).first().click()
  await page.waitForURL(url => url.pathname === there)
  const wrong = await strayed(page)
  await tab(here).first().click()
  await page.waitForURL(url => url.pathname === here)
  return wrong.map(one => `by its tab: ${one}`)
}

/** Opens screens one after the other; answers what is wrong, by their addresses. What stands around them is looked at once. */
export async function lookAtScreens(world: World, pass: Pass): Promise<Record<string, string[]>> {
  const { size, language, colorScheme, opens, looks } = pass
  const opened = await world.open(size, { colorScheme })
  speak(language)
  await signIn(world, opened.page, 'admin')
  opened.complaints.splice(0)
  const around = await barriers(opened.page)
  const found: Record<string, string[]> = around.length > 0 ? { around } : {}
  let before: string | undefined
  for (const screen of opens) {
    await visit(opened, screen)
    const barred = looks.includes(screen) ? await barriers(opened.page, 'main') : []
    const wrong = [
      ...(await faults(opened)),
      ...(await astray(opened.page)),
      ...barred,
      ...(language === 'en' ? await chineseOn(opened.page) : []),
    ]
    if (wrong.length > 0) found[screen.path] = wrong
    if (size === 'desk' && before) {
      const lost = await byTabs(opened, before, screen.path)
      if (lost.length > 0) found[before] = [...(found[before] ?? []), ...lost]
    }
    before = screen.path
    if (size === 'desk' && lastOfGroups.has(screen.path)) {
      await opened.page.reload()
      await settle(opened)
      const lost = (await strayed(opened.page)).map(one => `after a reload: ${one}`)
      if (lost.length > 0) found[screen.path] = [...(found[screen.path] ?? []), ...lost]
    }
  }
  return found
}
