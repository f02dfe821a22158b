import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { speak, t } from './words.ts'
import { type Opened, openWorld, signIn, type World } from './world.ts'

let world: World
let desk: Opened
let laptop: Opened

beforeAll(async () => {
  world = await openWorld()
  speak('zh')
  desk = await world.open()
  laptop = await world.open()
  await signIn(world, desk.page, 'admin')
})
afterAll(() => world?.close())

const heading = (page: Page, name: string) => page.locator('th').filter({ hasText: name }).first()
const wide = async (page: Page, name: string) => Math.round((await heading(page, name).boundingBox())?.width ?? 0)

/** Drags the right edge of a heading. */
async function drag(page: Page, name: string, px: number): Promise<void> {
  const box = (await heading(page, name).boundingBox())!
  const [x, y] = [box.x + box.width - 2, box.y + box.height / 2]
  await page.mouse.move(x - 40, y)
  await page.locator('tr[data-edge]').or(heading(page, name)).first().waitFor()
  // What takes the edge comes with the pointer.
  await expect
    .poll(async () => {
      await page.mouse.move(x - 1, y)
      await page.mouse.move(x, y)
      return page.locator('tr[data-edge]').count()
    })
    .toBe(1)
  await page.mouse.down()
  await page.mouse.move(x + px / 2, y)
  await page.mouse.move(x + px, y)
  await page.mouse.up()
}

test('columns that are chosen on one computer and their widths are there on another within two seconds', async () => {
  const { page } = desk
  await page.goto(`${world.url}/system/param`)
  await page.locator('.ant-table-row').first().waitFor()
  const before = await wide(page, '参数名称')
  await drag(page, '参数名称', 60)
  await expect.poll(() => wide(page, '参数名称')).toBeGreaterThan(before + 55)
  expect(await wide(page, '参数名称')).toBeLessThan(before + 65)
  expect(page.url(), 'dragging is no press on the heading').not.toContain('sorters')
  const kept = page.waitForResponse(
    one => one.url().endsWith('/preference/change') && Boolean(one.request().postData()?.includes('333')),
  )
  await page.getByRole('button', { name: t('列设置') }).click()
  await page.getByRole('checkbox', { name: '参数键名' }).uncheck()
  // Without a pointer, too.
  await page.getByRole('spinbutton', { name: '参数键值的宽度' }).fill('333')
  await page.keyboard.press('Enter')
  await kept

  await signIn(world, laptop.page, 'admin')
  await laptop.page.goto(`${world.url}/system/param`)
  await laptop.page.locator('.ant-table-row').first().waitFor()
  const soon = { timeout: 2000 }
  await expect.poll(() => heading(laptop.page, '参数键名').count(), soon).toBe(0)
  for (const name of ['参数名称', '参数键值'])
    await expect.poll(() => wide(laptop.page, name), soon).toBe(await wide(page, name))
})
