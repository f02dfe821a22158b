import type { Page } from '@playwright/test'
import { modules } from '#resources'
import { pages as made } from '../../src/web/pages.ts'
import type { Opened } from './world.ts'

/** A screen of the menu. */
export interface Screen {
  path: string
  /** Name of its resource or view, where it is a generated one. */
  name?: string
  /** How the calls begin that a generated screen lives on. */
  calls?: string
  /** A page made by hand. */
  isOwn: boolean
}

const byHand = new Set(made.map(page => page.path))

/** Every screen of the menu, with the calls it lives on where it is a generated one. */
export const screens: readonly Screen[] = modules.flatMap(({ path: below, pages = [], resources, views }) => [
  ...pages.map(({ path }) => ({ path, isOwn: true })),
  ...[...views, ...resources.filter(({ menu }) => menu)].map(({ name, route, path: calls }) => {
    const path = route ?? `${below}/${name}`
    return { path, name, calls: `/api${calls}/`, isOwn: byHand.has(path) }
  }),
])

/** Opens a page in a tab of its own, as a link does. */
export async function openTab(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  // The page before it may still be the one that is shown. A tab may have no room.
  await page.locator(`.tabs a[aria-current][href^="${path}"]`).waitFor({ state: 'attached' })
}

/** Goes to an address without loading the application anew, and leaves one tab behind. */
export async function go({ page }: Opened, path: string): Promise<void> {
  await page.evaluate(to => {
    // Pages of open tabs stay in the document: with many of them every look at it would take longer.
    for (const close of document.querySelectorAll<HTMLElement>('.tabs li:not([data-active]) button')) close.click()
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForURL(`**${path}`)
}

/** Waits until what a page asks for has been answered and drawn. */
export async function settle({ page, quiet }: Opened): Promise<void> {
  await quiet()
  await page.waitForFunction(() => {
    const waiting = document.querySelectorAll('.skeleton, .ant-skeleton, .ant-spin-spinning, [aria-busy=true]')
    // Pages behind other tabs stay in the document.
    return ![...waiting].some(one => one.checkVisibility())
  })
}

/** Opens a screen and waits until it is all there. */
export async function visit(opened: Opened, { path, calls, isOwn }: Screen): Promise<void> {
  const { page } = opened
  // A page made by hand may ask for its rows only when something has been chosen.
  const answer = calls && !isOwn && page.waitForResponse(response => response.url().includes(calls))
  await go(opened, path)
  await answer
  const main = page.getByRole('main')
  const shown = main.getByRole('button').or(main.getByRole('combobox')).or(main.locator('.ant-empty'))
  await shown.filter({ visible: true }).first().waitFor()
  await settle(opened)
}
