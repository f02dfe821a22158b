import type { Page } from '@playwright/test'
import { choose, fill, fillTimes, save } from '../controls.ts'
import { downloaded, filledIn, type SheetRow } from '../sheet.ts'

/** What the exam of the journey is called. */
export const examName = '2027年公开招聘'

/** The days of the exam, in the order they come. */
export const days = {
  before: '2027-03-01 08:00:00',
  signStart: '2027-03-01 09:00:00',
  signing: '2027-03-02 10:00:00',
  signEnd: '2027-03-10 17:00:00',
  modifyEnd: '2027-03-15 17:00:00',
  examineEnd: '2027-03-20 17:00:00',
  payStart: '2027-03-21 09:00:00',
  paying: '2027-03-21 10:00:00',
  payEnd: '2027-03-28 17:00:00',
  seating: '2027-03-29 09:00:00',
  ticketStart: '2027-04-01 09:00:00',
  ticketing: '2027-04-02 09:00:00',
  examStart: '2027-04-10 09:00:00',
  examEnd: '2027-04-10 11:30:00',
} as const

/** Makes the exam by the form of the console. */
export async function createExam(page: Page): Promise<void> {
  await page.goto('/exam/examination')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog', { name: '新增考试' })
  await fill(form, {
    ...{ 考试名称: examName, 考试代码: 'ZP2027', 年度: '2027', 主办单位: '区卫生健康局', 咨询电话: '0591-88001234' },
    ...{ 默认开考比例: '1', 告知版本: '1.0' },
  })
  await choose(page, form, { 考试类型: '公开招聘', 负责机构: '卫生健康局' })
  await fillTimes(form, { 报名开始时间: days.signStart, 报名结束时间: days.signEnd })
  await fillTimes(form, { 补正截止时间: days.modifyEnd, 审核截止时间: days.examineEnd, 年龄计算基准日: '2027-03-01' })
  await form.getByRole('radio', { name: '一审' }).check()
  await form.getByRole('radio', { name: '审核通过人数' }).check()
  await form.getByRole('switch', { name: '是否收费' }).click()
  await fillTimes(form, { 缴费开始时间: days.payStart, 缴费结束时间: days.payEnd })
  await fillTimes(form, { 考试开始时间: days.examStart, 考试结束时间: days.examEnd })
  await fillTimes(form, { 准考证下载开始: days.ticketStart, 准考证下载结束: days.examStart })
  await fill(form, { 报名须知: '请如实填写，一人限报一个岗位。', 诚信承诺书: '本人承诺所填内容真实。' })
  await save(page, form)
}

/** Makes the written test, with a fee, seats and tickets. */
export async function createStage(page: Page): Promise<void> {
  await page.goto('/exam/examinationitem')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog', { name: '新增考试项目' })
  await choose(page, form, { 考试: examName, 项目类型: '笔试', 人员范围: '全部审核通过' })
  await fill(form, { 项目名称: '笔试' })
  await fillTimes(form, { 开始时间: days.examStart, 结束时间: days.examEnd })
  for (const name of ['是否收费', '是否编排座位', '是否需准考证']) await form.getByRole('switch', { name }).click()
  await fill(form, { 收费金额: '80' })
  await save(page, form)
}

/** Imports rows by a screen's import dialog: its template is downloaded, filled in and sent. */
export async function importRows(page: Page, path: string, rows: readonly SheetRow[]): Promise<void> {
  await page.goto(path)
  await page.getByRole('button', { name: '导入' }).click()
  const dialog = page.getByRole('dialog', { name: /^导入/ })
  const { name, bytes } = await downloaded(page, dialog.getByRole('button', { name: '下载模板' }))
  const buffer = await filledIn(bytes, name.replace('.xlsx', ''), rows)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByText('点击或拖入按模板填写的 .xlsx 文件').click(),
  ])
  await chooser.setFiles({ name, mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', buffer })
  await dialog.getByText(`共 ${rows.length} 行，导入 ${rows.length} 行，有误 0 行`).waitFor()
  await dialog.getByRole('button', { name: '关闭' }).click()
}
