import type { Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUnit } from '../helper/exam-bench.ts'
import { makeUser } from '../helper/login.ts'
import { makeWritten } from '../helper/result-bench.ts'
import { passed } from '../helper/seat-bench.ts'
import { add, choose, fill, save } from './controls.ts'
import { like, t } from './words.ts'
import { openWorld, signIn, type World } from './world.ts'

let world: World
beforeAll(async () => {
  // Nobody reads the picture of letters here; that it is asked for is tested at the server.
  world = await openWorld({ config: { captchaMode: false } })
})
afterAll(() => world?.close())

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/** Presses a button of a row, which may stand behind «…», and what its question asks for. */
async function press(page: Page, row: Locator, label: string): Promise<void> {
  const button = row.getByRole('button', { name: t(label), exact: true })
  // The row may still be as it was before.
  await button.waitFor({ timeout: 5000 }).catch(() => undefined)
  if ((await button.count()) === 0) {
    await row.getByRole('button', { name: like('更多') }).click()
    await page.getByRole('menuitem', { name: t(label), exact: true }).click()
  } else await button.click()
}

const confirm = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: t('确定'), exact: true })
    .click()

/** The width of what is wider than the page. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

test('a list is made, confirmed by another, read on a phone without script, objected to and answered', async () => {
  const made = await makeWritten(world.t)
  await addUnit(world.t, '区人民医院')
  const people = [
    await passed(world.t, made.examId, { name: '张小明' }),
    await passed(world.t, made.examId, { name: '欧阳晓娜' }),
  ]
  for (const account of ['jiayi', 'yibing']) await makeUser(world.t, { account, role: 'admin' })

  const { page } = await world.open()
  await signIn(world, page, 'jiayi')
  await page.goto(`/exam/${made.examId}/publicity`)
  const form = await add(page, '公示')
  await choose(page, form, { 公示类别: '资格审核结果' })
  await fill(form, { 标题: '资格审核结果公示', 公示依据: '招聘公告第八条', 受理电话: '0591-87654321' })
  await save(page, form)
  await press(page, rowOf(page, '资格审核结果公示'), '提交确认')
  await rowOf(page, '资格审核结果公示').getByText(t('待确认')).waitFor()

  const { page: other } = await world.open()
  await signIn(world, other, 'yibing')
  await other.goto(`/exam/${made.examId}/publicity`)
  await press(other, rowOf(other, '资格审核结果公示'), '确认公示')
  await confirm(other)
  await rowOf(other, '资格审核结果公示').getByText(t('已发布')).waitFor()
  await world.t.app.queue.workOff()

  const { page: phone, complaints } = await world.open('phone', { javaScriptEnabled: false })
  await phone.goto('/public/publicity')
  await phone.getByRole('link', { name: '资格审核结果公示' }).click()
  await phone.getByText('张*明').waitFor()
  expect(await phone.getByText('张小明').count()).toBe(0)
  await phone.getByPlaceholder('报名号、准考证号或岗位代码').fill(people[1]!.signNo)
  await phone.getByRole('button', { name: '查找编号' }).click()
  expect(await phone.locator('tr.found').innerText()).toContain('欧阳*娜')
  await phone.getByRole('link', { name: '提出异议' }).click()
  await phone.getByLabel('异议类别').selectOption({ label: '资格条件' })
  await phone.getByLabel(/^异议内容/).fill('学历不符合岗位要求')
  await phone.getByLabel('匿名').check()
  await phone.getByRole('button', { name: '提交异议' }).click()
  const receipt = await phone.locator('.receipt').innerText()
  expect(receipt).toMatch(/^GS-/)

  await page.goto(`/exam/${made.examId}/objections`)
  await press(page, rowOf(page, receipt), '受理')
  await page
    .getByRole('tab', { name: like('办理中') })
    .or(page.getByText(like('办理中')))
    .first()
    .click()
  await press(page, rowOf(page, receipt), '开始核查')
  await press(page, rowOf(page, receipt), '拟定答复')
  const draft = page.getByRole('dialog')
  await choose(page, draft, { 结论: '不属实' })
  await fill(draft, { 答复: '经核查，学历符合要求' })
  await confirm(page)
  await draft.waitFor({ state: 'hidden' })
  await other.goto(`/exam/${made.examId}/objections?chip=${encodeURIComponent('等我确认')}`)
  await press(other, rowOf(other, receipt), '确认答复')
  await confirm(other)

  await phone.goto('/public/objection')
  await phone.getByLabel('受理编号').fill(receipt.toLowerCase())
  await phone.getByRole('button', { name: '查询' }).click()
  await phone.getByText('经核查，学历符合要求').waitFor()
  expect([await overflow(phone).catch(() => 0), complaints]).toEqual([0, []])
})
