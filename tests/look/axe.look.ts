import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { barriers } from '../e2e/axe.ts'
import type { sizes } from '../e2e/browser.ts'
import { go, screens, settle, visit } from '../e2e/screens.ts'
import { speak, t } from '../e2e/words.ts'
import { type Opened, signIn } from '../e2e/world.ts'
import { type DemoWorld, openDemo } from './demo.ts'

let world: DemoWorld

beforeAll(async () => {
  world = await openDemo()
})
afterAll(() => world?.close())

type Found = Record<string, string[]>

/** Looks at what is open and notes what keeps somebody out. */
async function look({ page }: Opened, where: string, found: Found): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const wrong = [...(await barriers(page)), ...(wide > 0 ? [`${wide} px wider than the window`] : [])]
  if (wrong.length > 0) found[where] = wrong
}

/** Presses a button where there is one, looks at the dialog that it opens, and closes that. */
async function lookBehind(opened: Opened, path: string, label: string, found: Found): Promise<void> {
  const { page } = opened
  const button = page
    .getByRole('main')
    .getByRole('button', { name: t(label), exact: true })
    .first()
  if (!(await button.isVisible())) return
  await button.click()
  const dialog = page.getByRole('dialog').first()
  await dialog.waitFor()
  await settle(opened)
  await look(opened, `${path} ${label}`, found)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

/** Locks the console and opens it again. */
async function lookAtLock(opened: Opened, found: Found): Promise<void> {
  const { page } = opened
  await page.getByRole('button', { name: t('锁屏'), exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await look(opened, 'locking', found)
  await page.getByRole('dialog').getByRole('textbox').fill('000000')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/lock')
  await look(opened, '/lock', found)
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

  test('screens of staff, the form of a new row and the details of the first', async () => {
    const found: Found = {}
    speak(language)
    const opened = await world.open(size, { colorScheme })
    await signIn(world, opened.page, 'admin')
    for (const screen of screens) {
      await visit(opened, screen)
      await look(opened, screen.path, found)
      if (screen.isOwn) continue
      await lookBehind(opened, screen.path, '新增', found)
      await lookBehind(opened, screen.path, '查看', found)
    }
    for (const path of Object.values(world.staffPages)) {
      await go(opened, path)
      await settle(opened)
      await look(opened, path, found)
    }
    await go(opened, '/wel/index')
    await lookAtLock(opened, found)
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
    expect(found).toEqual({})
  })
})
