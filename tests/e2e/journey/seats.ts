import type { Page } from '@playwright/test'
import { downloaded, filledIn, give } from '../sheet.ts'
import { t } from '../words.ts'

/** Downloads the sheet of rooms, fills it in and sends it. */
export async function importRooms(page: Page): Promise<void> {
  const { name, bytes } = await downloaded(page, page.getByRole('button', { name: t('下载模板') }))
  const site = { 考点代码: '01', 名称: '区第一中学', 地址: '清源路 1 号', 排: 6, 列: 5, 座位数: 30 }
  const book = await filledIn(bytes, '考点考场', [
    { ...site, 考场号: '001' },
    { ...site, 考场号: '002' },
  ])
  await page.getByRole('button', { name: t('导入考点考场') }).click()
  const dialog = page.getByRole('dialog', { name: t('导入考点考场') })
  await give(page, dialog.getByRole('button', { name: t('选择文件') }), name, book)
  await dialog.getByText(t('导入 {{ok}} 个考场，有误 {{bad}} 行', { ok: 2, bad: 0 })).waitFor()
  await dialog.getByRole('button', { name: t('关闭') }).click()
}

/** Draws the seats with a seed, which the page then shows. */
export async function draw(page: Page, seed: string): Promise<void> {
  await page.getByRole('button', { name: t('编排座位') }).click()
  const dialog = page.getByRole('dialog', { name: t('编排座位') })
  await dialog.getByLabel(t('随机种子')).fill(seed)
  await dialog.getByRole('button', { name: t('编排'), exact: true }).click()
  await page
    .getByRole('dialog', { name: t('已编排 {{n}} 人，{{m}} 个考场', { n: 1, m: 1 }) })
    .getByRole('button')
    .click()
  await page.getByText(seed, { exact: true }).waitFor()
}

async function confirm(page: Page, button: string, ask: string): Promise<void> {
  await page.getByRole('button', { name: t(button), exact: true }).click()
  const question = page.getByRole('dialog', { name: t(ask) })
  await question.getByRole('button', { name: t('确定'), exact: true }).click()
  await question.waitFor({ state: 'hidden' })
}

/** Locks the seats, which numbers the tickets, and releases these. */
export async function lockAndRelease(page: Page): Promise<void> {
  await confirm(page, '锁定座位', '锁定后生成准考证号，确定锁定座位?')
  await confirm(page, '发布准考证', '发布后考生可在下载时间内下载准考证，确定发布?')
  await page.getByRole('button', { name: t('撤回准考证') }).waitFor()
}

/** Downloads the ticket; answers its bytes. */
export async function fetchTicket(page: Page): Promise<Buffer> {
  await page.goto('/signup/ticket')
  return (await downloaded(page, page.getByRole('button', { name: t('下载准考证') }))).bytes
}
