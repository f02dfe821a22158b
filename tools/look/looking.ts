import type { Locator, Page } from '@playwright/test'
import type { Action } from '#engine'
import { modules } from '#resources'
import { barriers } from '../../tests/e2e/axe.ts'
import { settle } from '../../tests/e2e/screens.ts'
import { like, t } from '../../tests/e2e/words.ts'
import type { Opened } from '../../tests/e2e/world.ts'
import type { Scheme } from './selection.ts'

/** Something that keeps somebody out. */
interface Finding {
  readonly scheme: Scheme
  readonly text: string
}

/** What is noted on a page. */
export interface Notes {
  /** Schemes that every place is looked at in. */
  readonly schemes: readonly Scheme[]
  /** Places that were looked at. */
  readonly seen: string[]
  /** What was found, by the place. */
  readonly found: Record<string, Finding[]>
}

/** What is drawn above the page, of whichever kind it is. */
const LAYER = '[role=dialog]'

/** Rows whose menus are searched for an action that only some rows have. */
const ROWS = 4

/** Milliseconds in which a button opens what it opens. */
const PROMPT = 4000

/** Milliseconds between two looks whether it has. */
const TICK = 50

/** The scheme that a page was changed to last. */
const worn = new WeakMap<Page, Scheme>()

/** Changes the device's scheme under a page that is open, and waits until it is drawn so. */
export async function wear(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme })
  worn.set(page, colorScheme)
  await page.evaluate(async () => {
    const drawn = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await drawn()
    // Colours may pass from one to the other in steps; one that is replaced meanwhile never finishes.
    const ending = document.getAnimations().filter(one => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(one => one.finished))
    await drawn()
  })
}

/**
 * Looks at what is open in every scheme and notes what keeps somebody out.
 * @param part selector of what is new since the last look; else all of the window
 */
export async function look({ page }: Opened, where: string, notes: Notes, part?: string): Promise<void> {
  const wrong: Finding[] = []
  // Each change draws all of the window anew: a look begins with the scheme that the last one ended with.
  const last = worn.get(page)
  const schemes = [...notes.schemes].sort((a, b) => Number(b === last) - Number(a === last))
  for (const [i, scheme] of schemes.entries()) {
    await wear(page, scheme)
    const isFirst = i === 0
    // Colours are all that a scheme changes.
    const measured = () => barriers(page, part, isFirst ? undefined : ['color-contrast'])
    let met = await measured()
    if (met.length > 0) {
      // What has come meanwhile may still change its colours: what counts is what stays.
      await wear(page, scheme)
      met = await measured()
    }
    const wide = isFirst ? await page.evaluate(() => document.documentElement.scrollWidth - innerWidth) : 0
    if (wide > 0) met.push(`${wide} px wider than the window`)
    wrong.push(...met.map(text => ({ scheme, text: text.replace(/\s+/g, ' ') })))
  }
  notes.seen.push(where)
  if (wrong.length > 0) notes.found[where] = wrong
}

/** Looks at the layer that has been opened, and closes it. False when there is none. */
export async function lookAtLayer(opened: Opened, where: string, notes: Notes, selector = LAYER): Promise<boolean> {
  const { page } = opened
  const layer = page.locator(selector).filter({ visible: true }).last()
  const isOpen = await layer.waitFor({ timeout: PROMPT }).then(
    () => true,
    () => false,
  )
  if (!isOpen) return false
  await settle(opened)
  await look(opened, where, notes, selector)
  await page.keyboard.press('Escape')
  await layer.waitFor({ state: 'hidden' })
  return true
}

const seen = (of: Locator): Locator => of.filter({ visible: true })

/** Names of the actions that the menus of the first rows offer, menu by menu. */
type Menus = readonly (readonly string[])[]

const menusIn = (page: Page): Promise<Locator[]> =>
  seen(page.getByRole('main').getByRole('button', { name: like('{{name}}的更多操作') })).all()

/** Opens the menu of a row. @returns what it offers */
async function openMenu(page: Page, menu: Locator): Promise<Locator> {
  await menu.click()
  const open = seen(page.getByRole('menu')).last()
  await open.waitFor()
  return open.getByRole('menuitem')
}

/** Reads what the menus of the first rows offer. */
export async function readMenus({ page }: Opened): Promise<Menus> {
  const found: string[][] = []
  for (const menu of (await menusIn(page)).slice(0, ROWS)) {
    const items = await openMenu(page, menu)
    found.push((await items.allInnerTexts()).map(text => text.trim()))
    await page.keyboard.press('Escape')
    await seen(page.locator('.ant-dropdown')).waitFor({ state: 'hidden' })
  }
  return found
}

/** Presses an action where it stands: as a button of the page, or in the menu of one of the first rows. */
async function press({ page }: Opened, label: string, menus: Menus): Promise<boolean> {
  const button = seen(page.getByRole('main').getByRole('button', { name: t(label), exact: true })).first()
  if (await button.isVisible()) {
    await button.click()
    return true
  }
  const menu = (await menusIn(page))[menus.findIndex(names => names.includes(t(label)))]
  if (!menu) return false
  const items = await openMenu(page, menu)
  await items.getByText(t(label), { exact: true }).click()
  return true
}

/** Where a button is looked for, and what it opens. */
interface Behind {
  /** What the menus of rows offer besides the buttons of the page. */
  readonly menus?: Menus
  /** What it opens; a layer unless it is said. */
  readonly selector?: string
}

/**
 * Presses a button where there is one, looks at what it opens, and closes that when it lies above the page; false when it opens
 * nothing.
 */
export async function lookBehind(
  opened: Opened,
  path: string,
  label: string,
  notes: Notes,
  { menus = [], selector = LAYER }: Behind = {},
): Promise<boolean> {
  const { page } = opened
  const { href } = new URL(page.url())
  if (!(await press(opened, label, menus))) return true
  const layer = seen(page.locator(selector)).last()
  const isLeft = () => new URL(page.url()).pathname !== new URL(href).pathname
  const end = Date.now() + PROMPT
  while (Date.now() < end && !isLeft() && !(await layer.isVisible())) await page.waitForTimeout(TICK)
  if (!isLeft()) return lookAtLayer(opened, `${path} ${label}`, notes, selector)
  await settle(opened)
  await look(opened, `${path} ${label}`, notes, 'main')
  return true
}

/** A question that an action of a screen asks before it runs. */
interface Question {
  readonly label: string
  /** It is for rows chosen before. */
  readonly onRows: boolean
}

/** What the actions of a generated screen ask. */
export function questionsOf(calls = ''): readonly Question[] {
  const found = modules.flatMap(one => one.resources).find(one => `/api${one.path}/` === calls)
  return Object.values<Action<never>>(found?.actions ?? {})
    .filter(one => !one.upload && !one.open && (one.ask || one.input))
    .map(one => ({ label: one.label, onRows: one.on === 'rows' }))
}

/** Chooses rows of the list that is open; false when there are none. */
export async function chooseRows({ page }: Opened): Promise<boolean> {
  const box = page.getByRole('main').getByRole('checkbox').filter({ visible: true }).first()
  if (!(await box.isVisible())) return false
  await box.check()
  return true
}
