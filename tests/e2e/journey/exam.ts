import type { Locator, Page } from '@playwright/test'
import { add, choose, fill, fillTimes, save } from '../controls.ts'
import { buttonNamed, like, t } from '../words.ts'

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

/** What is asked for every new exam. */
interface NewExam {
  /** Title of the template. */
  template: string
  texts: Readonly<Record<string, string>>
  choices?: Readonly<Record<string, string>>
  /** `yyyy-MM-dd` */
  day: string
}

/** Begins an exam by a template and waits for its workspace. @returns its id */
async function beginExam(page: Page, { template, texts, choices = {}, day }: NewExam): Promise<string> {
  await page.goto('/exam/examination')
  await page.getByRole('button', { name: buttonNamed('新增') }).click()
  const form = page.locator('.new-exam')
  await form.getByRole('radio', { name: like(template) }).check()
  await goOn(form)
  await fill(form, texts)
  await fillTimes(form, { 笔试日期: day })
  await choose(page, form, choices)
  await goOn(form)
  await form.getByText(t('建议'), { exact: true }).first().waitFor()
  await form.getByRole('button', { name: t('保存'), exact: true }).click()
  await page.waitForURL(/\/exam\/\d+$/)
  return new URL(page.url()).pathname.slice('/exam/'.length)
}

/** Goes to the next step of a new exam. */
const goOn = (form: Locator): Promise<void> => form.getByRole('button', { name: t('下一步'), exact: true }).click()

/** Makes the exam by the pages of the console: begun blank, and then with times of its own. */
export async function createExam(page: Page): Promise<void> {
  const id = await beginExam(page, {
    template: '空白',
    texts: { 考试名称: examName, 主办单位: '区卫生健康局', 咨询电话: '0591-88001234' },
    day: days.examStart.slice(0, 10),
  })
  await page.goto(`/exam/${id}/edit`)
  const form = page.locator('.place-form')
  await fill(form, { 考试代码: 'ZP2027', 默认开考比例: '1' })
  await fillTimes(form, { 报名开始时间: days.signStart, 报名结束时间: days.signEnd })
  await fillTimes(form, { 补正截止时间: days.modifyEnd, 审核截止时间: days.examineEnd, 年龄计算基准日: '2027-03-01' })
  for (const name of ['允许调剂', '是否收费']) await form.getByRole('switch', { name: t(name), exact: true }).click()
  await fillTimes(form, { 缴费开始时间: days.payStart, 缴费结束时间: days.payEnd })
  await fillTimes(form, { 考试开始时间: days.examStart, 考试结束时间: days.examEnd })
  await fillTimes(form, { 准考证下载开始: days.ticketStart, 准考证下载结束: days.examStart })
  await fill(form, { 报名须知: '请如实填写，一人限报一个岗位。', 诚信承诺书: '本人承诺所填内容真实。' })
  await form.getByRole('button', { name: t('保存'), exact: true }).click()
  await form.waitFor({ state: 'hidden' })
}

/** Makes the written test, with a fee, seats and tickets. */
export async function createStage(page: Page): Promise<void> {
  await page.goto('/exam/examinationitem')
  const form = await add(page, '考试项目')
  await choose(page, form, { 考试: examName, 项目类型: '笔试', 人员范围: '全部有效考生' })
  await fill(form, { 项目名称: '笔试' })
  await fillTimes(form, { 开始时间: days.examStart, 结束时间: days.examEnd })
  for (const name of ['是否收费', '是否编排座位', '是否需准考证']) {
    await form.getByRole('switch', { name: t(name), exact: true }).click()
  }
  await fill(form, { 收费金额: '80' })
  await save(page, form)
}

/** Items of the library that the exam asks for. */
const asked = [
  '民族',
  '政治面貌',
  '户籍所在地',
  '最高学历',
  '最高学位',
  '所学专业',
  '是否应届毕业生',
  '参加工作时间',
  '学习经历',
]

/** Builds the form of the exam from the library, and asks for a photo and a degree scan. */
export async function buildForm(page: Page, examId: string): Promise<void> {
  await page.goto(`/exam/form/${examId}`)
  await page.getByRole('button', { name: t('从库添加') }).click()
  const library = page.getByRole('dialog', { name: t('从信息项库添加') })
  for (const name of asked) await library.getByRole('checkbox', { name: t(name), exact: true }).check()
  await library.getByRole('button', { name: t('添加 {{n}} 项', { n: asked.length }) }).click()
  await library.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: t('附件项') }).click()
  for (const [附件编码, 附件名称, photo, 允许格式] of [
    ['photo', '证件照', true, 'jpg,png'],
    ['degree', '学位证书', false, 'jpg,png,pdf'],
  ] as const) {
    const form = await add(page, '考试报名附件项')
    await fill(form, { 附件编码, 附件名称, 允许格式, 排序: '1', 最多份数: '1' })
    await form.getByRole('switch', { name: t('必传'), exact: true }).click()
    if (photo) await form.getByRole('switch', { name: t('证件照'), exact: true }).click()
    await save(page, form)
  }
}

/** Appoints people for all units of the exam: name to what they are. */
export async function appoint(page: Page, people: Readonly<Record<string, '初审员' | '财务'>>): Promise<void> {
  await page.goto('/exam/examuser')
  for (const [人员, 考试角色] of Object.entries(people)) {
    const form = await add(page, '考试工作人员')
    await choose(page, form, { 考试: examName, 人员, 考试角色 })
    await save(page, form)
  }
}

/** What the list before a release says is missing. */
export async function missing(page: Page, examId: string): Promise<string[]> {
  await page.goto(`/exam/${examId}`)
  await page.getByRole('heading', { name: like('{{step}}前：已完成 {{done}} / {{all}}') }).waitFor()
  const lines = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: t('未完成') }) })
  return lines.locator('strong').allTextContents()
}

/** Releases the exam on its home. */
export async function release(page: Page, examId: string): Promise<void> {
  await page.goto(`/exam/${examId}`)
  await page.getByRole('button', { name: t('发布'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('确定'), exact: true })
    .click()
  await page.getByRole('link', { name: t('公开页面') }).waitFor()
}
