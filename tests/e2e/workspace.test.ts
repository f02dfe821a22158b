import type { Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { EnableStatus, ExamStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { shanghai } from '../helper/app.ts'
import { addUnit, drafting, makeDraft, windows } from '../helper/exam-bench.ts'
import { insert } from '../helper/sample.ts'
import { choose, fill, fillTimes } from './controls.ts'
import { settle } from './screens.ts'
import { type Opened, sharedWorld, signIn } from './world.ts'

const shared = sharedWorld()

const rowOf = (id: string) =>
  shared.world.t.db.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Somebody's page, with everything of exams open to them. */
async function enter(): Promise<Opened> {
  const { world } = shared
  const opened = await world.open()
  await signIn(world, opened.page, 'admin')
  return opened
}

const bar = (page: Page) => page.locator('.place-checks')
const save = (page: Page) => page.getByRole('button', { name: '保存', exact: true }).click()

test('each line of the check list opens what it asks for, the next one follows, and then the exam is released', async () => {
  const { world } = shared
  await world.at(shanghai(drafting))
  const { exam, post, stage } = await makeDraft(world.t, { stage: { needPay: 1, fee: null } })
  await world.t.pool.query('UPDATE examitems SET enable = 0 WHERE id = $1', [post.id])
  await addUnit(world.t, '区人民医院')
  const { page } = await enter()
  await page.goto(`/exam/release/${exam.id}`)
  const release = page.getByRole('button', { name: '发布', exact: true })
  await page.getByRole('link', { name: /^未完成\s*笔试收费/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/exam/${exam.id}`)
  expect(await release.isDisabled()).toBe(true)

  await page.getByRole('link', { name: /至少有一个启用的招聘岗位/ }).click()
  const form = page.getByRole('dialog', { name: '新增招聘岗位' })
  await form.getByRole('textbox', { name: '岗位代码' }).waitFor()
  expect(await form.getByText('考试', { exact: true }).count()).toBe(0)
  await bar(page).getByText('发布前检查：还有 2 项').waitFor()
  await choose(page, form, { 招聘单位: '区人民医院', 岗位类别: '临床', 考试项目: '笔试' })
  await page.keyboard.press('Escape')
  await fill(form, { 岗位代码: 'B01', 岗位名称: '护士', 招聘计划数: '2', 开考比例: '1' })
  await save(page)
  const made = () => world.t.db.selectFrom('examitems').select('examId').where('code', '=', 'B01').executeTakeFirst()
  await expect.poll(made).toEqual({ examId: exam.id })

  // What is missing next is open already, and back leads home.
  const fee = page.getByRole('dialog', { name: '修改考试项目' })
  await fee.getByRole('spinbutton', { name: '收费金额' }).waitFor()
  await fee.getByRole('button', { name: '取消' }).click()
  await bar(page).getByText('笔试收费：收费，但没有金额').waitFor()
  expect(await bar(page).getByRole('button', { name: '下一项' }).count()).toBe(0)
  await bar(page).getByRole('button', { name: '返回' }).click()
  await page.getByRole('link', { name: /笔试收费/ }).click()
  await fill(fee, { 收费金额: '80' })
  await save(page)
  await bar(page).getByText('笔试收费：收费，但考试没有设为收费').waitFor()
  const charged = page.getByRole('switch', { name: '是否收费' })
  await expect.poll(() => charged.evaluate(one => one === document.activeElement)).toBe(true)
  await charged.click()
  await fillTimes(page.locator('.place-form'), {
    缴费开始时间: '2026-12-11 09:00:00',
    缴费结束时间: '2026-12-15 17:00:00',
  })
  await save(page)

  await page.waitForURL(`/exam/${exam.id}?checks`)
  await page.locator('.place-seen').getByText(exam.examName).waitFor()
  await release.click()
  const question = page.getByRole('dialog')
  await question.getByText('2026-12-01 09:00').waitFor()
  await question.getByRole('button', { name: '确定', exact: true }).click()
  const outside = page.getByRole('link', { name: '公开页面' })
  expect(await outside.getAttribute('href')).toBe(`/public/exam/${exam.id}`)
  expect((await rowOf(exam.id)).examStatus).toBe(ExamStatus.released)
  expect(
    (await world.t.db.selectFrom('examinationitem').select('fee').where('id', '=', stage.id).executeTakeFirst())?.fee,
  ).toBe(8000)
})

test('a released exam that breaks a rule says so within a minute; a closed one is released again with a reason', async () => {
  const { world } = shared
  await world.at(shanghai(drafting))
  const { exam, reviewer } = await makeDraft(world.t, { exam: { examStatus: ExamStatus.released } })
  const { page } = await enter()
  await page.clock.install()
  await Promise.all([
    page.waitForResponse(answer => answer.url().includes('/checkRelease')),
    page.goto(`/exam/${exam.id}`),
  ])
  await page.getByRole('heading', { name: /^今天 · \d+月\d+日/ }).waitFor()
  expect(await page.getByRole('heading', { name: '已不满足的要求' }).count()).toBe(0)
  await world.t.pool.query('UPDATE examuser SET enable = 0 WHERE id = $1', [reviewer.id])
  await page.clock.fastForward(61_000)
  await page.getByRole('heading', { name: '已不满足的要求' }).waitFor()
  await page.getByRole('link', { name: /每个招聘单位都有初审员/ }).waitFor()

  // A window of the line across the header is changed where it stands.
  await page.getByRole('button', { name: '修改报名中' }).click()
  const dates = page.getByRole('dialog', { name: '报名中' })
  await fillTimes(dates, { 报名结束时间: '2026-12-06 17:00:00' })
  expect(await dates.getByRole('textbox').count()).toBe(2)
  await dates.getByRole('button', { name: '保存', exact: true }).click()
  // Nobody has signed up yet, and what is drafted for those who do is a click away.
  await page
    .getByText(/会通知 0 人/)
    .last()
    .waitFor()
  await page.getByRole('button', { name: '确定', exact: true }).click()
  await dates.waitFor({ state: 'hidden' })
  expect((await rowOf(exam.id)).signEndTime).toEqual(shanghai('2026-12-06 17:00:00'))
  await page.getByRole('button', { name: '已起草公告，请核对后发布' }).click()
  await page.waitForURL(/\/notices\?.*row=\d+/)
  // The draft that is meant stands open.
  const draft = page.getByRole('dialog', { name: /^修改/ })
  const title = draft.getByRole('textbox', { name: /标题$/ })
  await title.waitFor()
  expect(await title.inputValue()).toBe(`${exam.examName}时间调整`)
  await page.keyboard.press('Escape')
  await draft.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: '记录', exact: true }).click()
  await page.getByText(/报名结束时间：.*→/).waitFor()

  await world.t.pool.query('UPDATE examuser SET enable = $2 WHERE id = $1', [reviewer.id, EnableStatus.enabled])
  await world.t.pool.query('UPDATE examination SET "examStatus" = $2 WHERE id = $1', [exam.id, ExamStatus.closed])
  await page.goto(`/exam/${exam.id}?checks`)
  await page.getByRole('button', { name: '发布', exact: true }).click()
  const question = page.getByRole('dialog', { name: '发布' })
  await question.getByRole('button', { name: '确定', exact: true }).click()
  await question.getByRole('alert').filter({ hasText: '重新发布原因' }).waitFor()
  await question.getByRole('textbox', { name: '重新发布原因' }).fill('公告已更正')
  await question.getByRole('button', { name: '确定', exact: true }).click()
  await page.getByRole('link', { name: '公开页面' }).waitFor()
  expect(await rowOf(exam.id)).toMatchObject({ examStatus: ExamStatus.released, reopenReason: '公告已更正' })
})

test('a screen of the menu opens in the exam last worked on, in each window its own; a key changes the exam and keeps the page', async () => {
  const { world } = shared
  const make = (examCode: string, examName: string) =>
    insert(world.t.app, Examination, { ...windows, examCode, examName, examStatus: ExamStatus.released, needPay: 0 })
  const [one, two] = [await make('WS1', '甲地公开招聘'), await make('WS2', '乙地护理招聘')]
  const { page } = await world.open()
  await signIn(world, page, 'admin')
  await page.goto(`/exam/${one.id}/dues`)
  const title = (of: Page, name: string) => of.getByRole('heading', { level: 1 }).getByRole('button', { name })
  await title(page, one.examName).waitFor()
  /** Opens the results by the menu. */
  const results = async (of: Page): Promise<string> => {
    const group = of.locator('.side [role=menuitem][aria-haspopup]').filter({ hasText: /^成绩$/ })
    await group.waitFor()
    if ((await group.getAttribute('aria-expanded')) !== 'true') await group.click()
    await of
      .locator('.side [role=menuitem]:not([aria-haspopup])')
      .filter({ hasText: /^成绩$/ })
      .click()
    await of.waitForURL(/\/results?(\/list)?$/)
    return new URL(of.url()).pathname
  }
  expect(await results(page)).toBe(`/exam/${one.id}/results`)
  await page.reload()
  await title(page, one.examName).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/exam/${one.id}/results`)

  const other = await page.context().newPage()
  await other.goto(`/exam/${two.id}`)
  await title(other, two.examName).waitFor()
  expect(await results(other)).toBe(`/exam/${two.id}/results`)
  await page.goto('/wel/index')
  expect(await results(page)).toBe(`/exam/${one.id}/results`)
  await title(page, one.examName).waitFor()

  await page.goto(`/exam/${one.id}/dues`)
  await title(page, one.examName).waitFor()
  // Other selects ask for exams, too; this one for all that can be chosen.
  const isAll = (url: string) => /\/examination\/select\?.*size=500/.test(url)
  await Promise.all([page.waitForResponse(answer => isAll(answer.url())), page.reload()])
  await title(page, one.examName).waitFor()
  await page.keyboard.press('e')
  await page.keyboard.type('乙地护')
  await page.locator('.ant-select-item-option', { hasText: two.examName }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`/exam/${two.id}/dues`)
  await title(page, two.examName).waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main')

  // What was kept for the person is there on another machine, too.
  const kept = () => world.t.db.selectFrom('preference').select('value').where('name', '=', 'place').execute()
  await expect.poll(kept).toEqual([{ value: { examination: two.id } }])
  const elsewhere = await enter()
  // Groups of the menu that are opened before the settings of the person have come may close again.
  await settle(elsewhere)
  expect(await results(elsewhere.page)).toBe(`/exam/${two.id}/results`)

  await title(elsewhere.page, two.examName).click()
  await elsewhere.page.getByText('全部考试', { exact: true }).click()
  await elsewhere.page.waitForURL('/result/list')
})
