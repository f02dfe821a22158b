import type { Page } from '@playwright/test'
import { like, t } from '../words.ts'

/** Opens a sign-up from the work list. */
export async function open(page: Page, name: string): Promise<void> {
  await page.goto('/examine/list')
  await page
    .getByRole('row')
    .filter({ hasText: name })
    .getByRole('link', { name: t('审核'), exact: true })
    .click()
  await page.getByRole('heading', { name }).waitFor()
}

/** Marks an item as wrong and says why. */
export async function remarkOn(page: Page, item: string, opinion: string): Promise<void> {
  await page.getByRole('button', { name: `${t(item)}：${t('有问题')}` }).click()
  await page.getByPlaceholder(t('写明哪里有问题、怎样改')).fill(opinion)
}

/** Returns what is open for correction. */
export async function sendBack(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('退回修改 (3)') }).click()
  await page.getByText(like('{{name}}：已退回修改')).last().waitFor()
}

/** Passes what is open. */
export async function pass(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('通过 (1)') }).click()
  await page
    .getByText(new RegExp(`${like('{{name}}：审核通过').source}|${like('{{name}}：复审通过').source}`))
    .last()
    .waitFor()
}
