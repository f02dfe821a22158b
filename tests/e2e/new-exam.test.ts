import type { Locator, Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { ExamStatus } from '#schemas/dictionaries'
import { addUnit } from '../helper/exam-bench.ts'
import { makeUser } from '../helper/login.ts'
import { choose, fill, fillTimes } from './controls.ts'
import { tapsOn } from './taps.ts'
import { buttonNamed, fieldNamed, t } from './words.ts'
import { sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()

/** Inputs that are asked of whoever makes an exam before it is there, at most. */
const most = 9
/** Times and the reference day, each of which is suggested. */
const times = 18

/** Clicks from the list of exams to one that is released, at most. */
const clicks = { template: 45, copy: 25 }

/** Opens the page from the list of exams. */
async function open(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: buttonNamed('新增') }).click()
  const form = page.locator('.new-exam')
  await form.waitFor()
  return form
}

const press = (form: Locator | Page, name: string) => form.getByRole('button', { name: t(name), exact: true }).click()
const asked = (form: Locator) => form.locator('.ant-form-item:visible').count()

/** Looks at the times, saves and waits for the workspace. @returns the lines of its list of checks that are open */
async function save(page: Page, form: Locator): Promise<string[]> {
  expect(await form.getByText(t('建议'), { exact: true }).count()).toBe(times)
  await press(form, '保存')
  await page.waitForURL(/\/exam\/\d+$/)
  await page.getByText(/发布前：/).waitFor()
  return page.locator('.place-lines').first().locator('li:has([aria-label]) strong').allTextContents()
}

/** Releases the exam whose workspace is open and lacks nothing. */
async function release(page: Page): Promise<void> {
  await press(page, '发布')
  await press(page.getByRole('dialog'), '确定')
  await page.getByRole('link', { name: '公开页面' }).waitFor()
}

test('an exam is begun by nine inputs, and by none as a copy, and released in 45 clicks or 25', async () => {
  const { world } = shared
  await makeUser(world.t, { account: 'kaowu', role: 'exam_admin' })
  await makeUser(world.t, { account: 'shenhe', role: 'reviewer', realName: '林审核' })
  await addUnit(world.t, '区人民医院')
  const { page, complaints } = await world.open()
  const clicked = await tapsOn(page.context())
  await signIn(world, page, 'kaowu')
  await page.goto('/exam/examination')

  clicked()
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
  expect(await save(page, first)).toEqual(['至少有一个启用的招聘岗位', '每个招聘单位都有初审员'])

  // From here on, what is missing leads to the next.
  await page.getByRole('link', { name: /至少有一个启用的招聘岗位/ }).click()
  const post = page.getByRole('dialog', { name: '新增招聘岗位' })
  await choose(page, post, { 招聘单位: '区人民医院', 岗位类别: '临床', 考试项目: '笔试' })
  await page.keyboard.press('Escape')
  await fill(post, { 岗位代码: 'A01', 岗位名称: '内科医师', 招聘计划数: '2', 开考比例: '3' })
  await press(post, '保存')
  const reviewer = page.getByRole('dialog', { name: '新增考试工作人员' })
  await choose(page, reviewer, { 人员: '林审核' })
  await press(reviewer, '保存')
  await page.waitForURL(/\/exam\/\d+\?checks$/)
  await release(page)
  expect(clicked()).toBeLessThanOrEqual(clicks.template)

  await page.goto('/exam/examination')
  clicked()
  const copy = await open(page)
  await copy.getByRole('radio', { name: /复制/, checked: true }).waitFor()
  await press(copy, '下一步')
  const name = copy.getByRole('textbox', { name: fieldNamed('考试名称') })
  expect(await name.inputValue()).toBe('2029年公开招聘')
  expect(await asked(copy)).toBeLessThan(most)
  await press(copy, '下一步')
  expect(await save(page, copy)).toEqual([])
  await release(page)
  expect(clicked()).toBeLessThanOrEqual(clicks.copy)

  const { rows } = await world.t.pool.query('SELECT "examCode", "needPay", "examStatus" FROM examination ORDER BY id')
  expect(rows).toEqual([
    { examCode: 'ZP2028', needPay: 1, examStatus: ExamStatus.released },
    { examCode: 'ZP2029', needPay: 1, examStatus: ExamStatus.released },
  ])
  expect(complaints).toEqual([])
})
