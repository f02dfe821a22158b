import type { Page } from '@playwright/test'
import { downloaded, filledIn, give } from '../sheet.ts'

/** Downloads the sheet of rooms, fills it in and sends it. */
export async function importRooms(page: Page): Promise<void> {
  const { name, bytes } = await downloaded(page, page.getByRole('button', { name: '下载模板' }))
  const site = { 考点代码: '01', 名称: '区第一中学', 地址: '清源路 1 号', 排: 6, 列: 5, 座位数: 30 }
  const book = await filledIn(bytes, '考点考场', [
    { ...site, 考场号: '001' },
    { ...site, 考场号: '002' },
  ])
  await give(page, page.getByRole('button', { name: '导入考点考场' }), name, book)
  await page.getByText('已导入 2 个考场').waitFor()
}

/** Draws the seats with a seed, which the page then shows. */
export async function draw(page: Page, seed: string): Promise<void> {
  await page.getByRole('button', { name: '编排座位' }).click()
  const dialog = page.getByRole('dialog', { name: '编排座位' })
  await dialog.getByLabel('随机种子').fill(seed)
  await dialog.getByRole('button', { name: /编\s?排/ }).click()
  await page.getByRole('dialog', { name: '已编排 1 人，1 个考场' }).getByRole('button').click()
  await page.getByText(seed, { exact: true }).waitFor()
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const question = page.getByRole('dialog', { name: /确定/ })
  await question.getByRole('button', { name: /确\s?定/ }).click()
  await question.waitFor({ state: 'hidden' })
}

/** Locks the seats, which numbers the tickets, and releases these. */
export async function lockAndRelease(page: Page): Promise<void> {
  await confirm(page, '锁定座位')
  await confirm(page, '发布准考证')
  await page.getByRole('button', { name: '撤回准考证' }).waitFor()
}

/** Downloads the ticket; answers its bytes. */
export async function fetchTicket(page: Page): Promise<Buffer> {
  await page.goto('/signup/ticket')
  return (await downloaded(page, page.getByRole('button', { name: '下载准考证' }))).bytes
}
