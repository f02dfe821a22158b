import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { makeUser } from '../helper/login.ts'
import { fill, fillTimes } from './controls.ts'
import { buttonNamed, fieldNamed, t } from './words.ts'
import { sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()

/** Inputs that are asked of whoever makes an exam before it is there, at most. */
const most = 9
/** Times and the reference day, each of which is suggested. */
const times = 18

/** Opens the page from the list of exams. */
async function open(page: Page): Promise<Locator> {
  await page.goto('/exam/examination')
  await page.getByRole('button', { name: buttonNamed('新增') }).click()
  const form = page.locator('.new-exam')
  await form.waitFor()
  return form
}

const press = (form: Locator, name: string) => form.getByRole('button', { name: t(name), exact: true }).click()
const asked = (form: Locator) => form.locator('.ant-form-item:visible').count()

/** Looks at the times, saves and waits for the workspace. @returns how many lines its list of checks has open */
async function save(page: Page, form: Locator): Promise<number> {
  expect(await form.getByText(t('建议'), { exact: true }).count()).toBe(times)
  await press(form, '保存')
  await page.waitForURL(/\/exam\/\d+$/)
  await page.getByText(/发布前：/).waitFor()
  return page.locator('.place-lines').first().getByRole('listitem').count()
}

test('an exam is begun by nine inputs, and by none as a copy', async () => {
  const { world } = shared
  await makeUser(world.t, { account: 'kaowu', role: 'exam_admin' })
  const { page, complaints } = await world.open()
  await signIn(world, page, 'kaowu')

  const first = await open(page)
  await first.getByRole('radio', { name: /公开招聘/ }).check()
  await press(first, '下一步')
  await press(first, '下一步')
  // What is missing is told, and the page stays.
  await first.getByText('请输入考试名称').waitFor()
  expect(await asked(first)).toBe(most)
  await fill(first, { 考试名称: '2028年公开招聘', 主办单位: '区卫生健康局', 咨询电话: '0591-88001234' })
  await fillTimes(first, { 笔试日期: '2028-03-11' })
  await press(first, '下一步')
  expect(await save(page, first)).toBe(2)

  const copy = await open(page)
  await copy.getByRole('radio', { name: /复制/, checked: true }).waitFor()
  await press(copy, '下一步')
  const name = copy.getByRole('textbox', { name: fieldNamed('考试名称') })
  expect(await name.inputValue()).toBe('2029年公开招聘')
  expect(await asked(copy)).toBeLessThan(most)
  await press(copy, '下一步')
  expect(await save(page, copy)).toBe(2)

  const { rows } = await world.t.pool.query('SELECT "examCode", "needPay" FROM examination ORDER BY id')
  expect(rows).toEqual([
    { examCode: 'ZP2028', needPay: 1 },
    { examCode: 'ZP2029', needPay: 1 },
  ])
  expect(complaints).toEqual([])
})
