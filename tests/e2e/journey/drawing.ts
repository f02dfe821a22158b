import type { Locator, Page } from '@playwright/test'
import { fieldNamed, t } from '../words.ts'

/** The drawing that is shown. */
const canvas = (page: Page): Locator => page.locator('.modeler-canvas:visible')

/** What is said of the chosen step, to be changed. */
export const panel = (page: Page): Locator => page.getByRole('region', { name: t('属性') }).filter({ visible: true })

/** The step or line of the drawing at which a name stands; that of an event, a gateway or a line stands beside it. */
async function step(page: Page, name: string): Promise<Locator> {
  const named = canvas(page)
    .locator('[data-element-id]')
    .filter({ hasText: name })
    .filter({ has: page.locator('.djs-hit') })
  const id = await named.last().getAttribute('data-element-id')
  return canvas(page).locator(`[data-element-id="${id?.replace(/_label$/, '')}"] > .djs-hit`)
}

const isTouched = (page: Page): Promise<boolean> => page.evaluate(() => navigator.maxTouchPoints > 0)

/** Where there is little room, has the whole drawing shown. */
async function showAll(page: Page): Promise<void> {
  if (await isTouched(page))
    await page
      .getByRole('button', { name: t('适应窗口') })
      .filter({ visible: true })
      .click()
}

/** Chooses the step or line at which a name stands. A click at what is chosen already would choose it no longer. */
async function pick(page: Page, name: string): Promise<void> {
  await showAll(page)
  const hit = await step(page, name)
  if (!(await hit.evaluate(one => one.parentElement?.classList.contains('selected')))) await hit.click()
}

/** Chooses an event or a gateway by the name that stands beside it. */
export async function pickByName(page: Page, name: string): Promise<void> {
  await showAll(page)
  await canvas(page).locator('[data-element-id$="_label"]').filter({ hasText: name }).locator('.djs-hit').click()
}

/** Opens an empty drawing. */
export async function openDrawing(page: Page, id = 'new'): Promise<void> {
  await page.goto(`/flow/model/draw/${id}`)
  await canvas(page).locator('.djs-palette .entry').first().waitFor()
}

/** Types into the panel; each text stands in the model when the enter key is pressed. */
export async function write(page: Page, texts: Readonly<Record<string, string>>, within = panel(page)): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    const field = within.getByRole('textbox', { name: fieldNamed(label) })
    await field.fill(text)
    await field.press('Enter')
  }
}

/** Milliseconds for which the drawing program takes no click after something was put down, as it might belong to that. */
const DEAF = 450

/** Puts down at a point what hangs at the pointer. */
async function putDown(page: Page, x: number, y: number): Promise<void> {
  if (await isTouched(page)) await page.touchscreen.tap(x, y)
  else {
    await page.mouse.move(x - 5, y)
    await page.mouse.click(x, y)
  }
  await page.waitForTimeout(DEAF)
}

/** Takes a step from the palette and puts it on the drawing, right of and below its middle by so many pixels. */
export async function place(page: Page, entry: string, name: string, dx: number, dy: number): Promise<void> {
  await canvas(page)
    .locator('.djs-palette')
    .getByRole('button', { name: t(entry), exact: true })
    .click()
  const box = await canvas(page).boundingBox()
  if (!box) throw new Error('The drawing is not on the page.')
  await putDown(page, box.x + box.width / 2 + dx, box.y + box.height / 2 + dy)
  await call(page, entry, name)
}

/** Gives a step that has just been drawn its name: a task where it stands, others in the panel. */
async function call(page: Page, entry: string, name: string): Promise<void> {
  if (!entry.includes('任务')) return write(page, { 名称: name })
  const input = canvas(page).locator('.djs-direct-editing-content')
  await input.waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await input.waitFor({ state: 'detached' })
}

/** Presses a button beside the chosen step. */
async function beside(page: Page, title: string): Promise<void> {
  await canvas(page).locator('.djs-context-pad.open').getByTitle(t(title), { exact: true }).click()
}

/** Adds a step behind a named one, and names it; it is chosen then. */
export async function append(page: Page, behind: string, entry: string, name: string): Promise<void> {
  await pick(page, behind)
  await beside(page, entry)
  await call(page, entry, name)
}

/** Draws a line from one step to another; it is chosen then. */
export async function connect(page: Page, from: string, to: string): Promise<void> {
  await pick(page, from)
  await beside(page, '连接到其他步骤')
  const box = await (await step(page, to)).boundingBox()
  if (!box) throw new Error(`${to} is not on the page.`)
  await putDown(page, box.x + box.width / 2, box.y + box.height / 2)
}

/** Chooses the line from one step to another. */
export async function pickLine(page: Page, from: string, to: string): Promise<void> {
  await showAll(page)
  const [a, b] = await Promise.all([step(page, from), step(page, to)].map(async one => (await one).boundingBox()))
  if (!a || !b) throw new Error(`${from} or ${to} is not on the page.`)
  // Lines that are drawn by themselves come to a step from its left, at half of its height.
  await page.mouse.click(b.x - 12, b.y + b.height / 2)
}
