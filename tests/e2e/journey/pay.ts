import type { Page } from '@playwright/test'
import { add, choose, fill, fillTimes, save } from '../controls.ts'
import { t } from '../words.ts'
import { days, examName } from './exam.ts'

/** Makes the fee of the written test and releases it. */
export async function releaseFee(page: Page): Promise<void> {
  await page.goto('/pay/exampay')
  const form = await add(page, '考试缴费设置')
  await choose(page, form, { 考试: examName, 考试项目: '笔试' })
  await fill(form, { 缴费名称: '笔试考务费', 金额: '80' })
  await fillTimes(form, { 缴费开始: days.payStart, 缴费结束: days.payEnd })
  await save(page, form)
  const row = page.getByRole('row').filter({ hasText: '笔试考务费' })
  await row.getByRole('button', { name: t('发布缴费'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('确定'), exact: true })
    .click()
  await row.getByText(t('已发布'), { exact: true }).waitFor()
}

/** Pays what is due at the cashier of the payment channel, which is Chinese; the page finds out by itself. */
export async function payByPhone(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('去支付'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const [cashier] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: t('打开支付页面') }).click(),
  ])
  await cashier.getByRole('button', { name: '支付' }).click()
  await cashier.getByText('支付成功').waitFor()
  await cashier.close()
  await dialog
    .getByRole('status')
    .filter({ hasText: t('支付成功') })
    .waitFor()
  await dialog.getByRole('button', { name: t('完成') }).click()
  await page.getByText(t('已缴费'), { exact: true }).first().waitFor()
}
