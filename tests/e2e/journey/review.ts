import type { Page } from '@playwright/test'

/** Opens a sign-up from the work list. */
export async function open(page: Page, name: string): Promise<void> {
  await page.goto('/examine/list')
  await page.getByRole('row').filter({ hasText: name }).getByRole('link', { name: '审核' }).click()
  await page.getByRole('heading', { name }).waitFor()
}

/** Marks an item as wrong and says why. */
export async function remarkOn(page: Page, item: string, opinion: string): Promise<void> {
  await page.getByRole('button', { name: `${item}：有问题` }).click()
  await page.getByPlaceholder('写明哪里有问题、怎样改').fill(opinion)
}

/** Returns what is open for correction. */
export async function sendBack(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^退回修改/ }).click()
  await page.getByText('操作成功!').waitFor()
}

/** Passes what is open. */
export async function pass(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^通过/ }).click()
  await page.getByText('操作成功!').waitFor()
}
