import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { ExamRole } from '#schemas/dictionaries'
import { Examuser } from '#schemas/exams/examuser'
import { shanghai } from '../helper/app.ts'
import { makeUser } from '../helper/login.ts'
import { insert } from '../helper/sample.ts'
import { give, makeTemplate } from '../helper/send-bench.ts'
import { applicant, makeExam, rowsOf, submit, times } from '../helper/sign-bench.ts'
import * as review from './journey/review.ts'
import { t } from './words.ts'
import { sharedWorld, signIn } from './world.ts'

// Decisions by keys: what they send, what they do not, and how the latest is undone.

const shared = sharedWorld()
let examId: string
let page: Page
/** The decisions that the page has sent. */
const sent: string[] = []

beforeAll(async () => {
  const { world } = shared
  await world.stopAt(shanghai(times.inside))
  const { exam } = await makeExam(world.t, { exam: { textDelay: 0 } })
  examId = exam.id
  for (let n = 0; n < 3; n++) await submit(world.t, await applicant(world.t), examId)
  const userId = await makeUser(world.t, { account: 'shenhe', role: 'reviewer' })
  await insert(world.t.app, Examuser, { examId, userId, examRole: ExamRole.firstReviewer, enable: 1 })
  // Whoever is decided upon would be told by this.
  await makeTemplate(world.t, { smsCode: 'review', templateContent: '{exam}{number}：{result}' })
  await give(world.t, 100)
  page = (await world.open()).page
  page.on('request', request => {
    if (request.url().endsWith('/examine/examine')) sent.push(request.method())
  })
  await page.clock.install({ time: world.t.app.now() })
  await signIn(world, page, 'shenhe')
})

/** Names of those who wait, first come first. */
const names = async (): Promise<string[]> => {
  const rows = await rowsOf(shared.world.t, examId)
  return rows.toSorted((one, other) => Number(one.signNo) - Number(other.signNo)).map(row => row.name ?? '')
}

/** Moves everybody's clock on: that of the server, which stands still otherwise, and that of the browser. */
async function wait(seconds: number): Promise<void> {
  const { t: server } = shared.world
  await shared.world.stopAt(new Date(server.app.now().getTime() + seconds * 1000))
  await page.clock.fastForward(seconds * 1000)
}

/** What candidates have been told of reviews. */
async function told(): Promise<number> {
  const { t: server } = shared.world
  await server.app.queue.workOff()
  return (await server.db.selectFrom('send').select('id').where('title', '=', '审核结果').execute()).length
}

const opinion = () => page.getByRole('textbox', { name: t('审核意见') })

test('2 without an opinion sends and says nothing, and puts the cursor there', async () => {
  const [first = ''] = await names()
  await review.open(page, first)
  await page.getByRole('button', { name: t('不通过 (2)') }).waitFor()
  await page.keyboard.press('2')
  await expect.poll(() => opinion().evaluate(self => self === document.activeElement)).toBe(true)
  expect([await opinion().inputValue(), sent, await page.locator('.ant-message-notice').count()]).toEqual(['', [], 0])
  // Keys are typed there until it is left.
  await page.getByRole('heading', { name: first }).click()
})

test('Z within ten seconds has it wait again where it is, and the candidate never hears of it', async () => {
  const [first = '', second = ''] = await names()
  await page.keyboard.press('1')
  await page.getByRole('heading', { name: second }).waitFor()
  await page.keyboard.press('z')
  await page.getByText(t('{{name}}：已撤销，重新待审', { name: first })).waitFor()
  await page.getByRole('heading', { name: first }).waitFor()
  await page.getByRole('button', { name: t('通过 (1)') }).waitFor()
  await wait(20)
  expect([sent.length, await told()]).toEqual([1, 0])
})

test('after eleven seconds Z asks for a reason, and what stands is told', async () => {
  const [first = '', second = ''] = await names()
  await page.keyboard.press('1')
  await page.getByRole('heading', { name: second }).waitFor()
  await wait(11)
  await page.keyboard.press('z')
  await page.getByRole('heading', { name: first }).waitFor()
  const asked = page.getByRole('dialog', { name: t('撤销审核') })
  await asked.getByPlaceholder(t('请输入撤销原因')).waitFor()
  await page.keyboard.press('Escape')
  await asked.waitFor({ state: 'hidden' })
  await wait(10)
  expect([sent.length, await told()]).toEqual([2, 1])
})

test('1 on one that is decided sends nothing and says nothing', async () => {
  await page.getByText(t('该报名当前不需要您审核')).waitFor()
  await page.keyboard.press('1')
  await wait(1)
  expect([sent.length, await page.locator('.ant-message-notice').count()]).toEqual([2, 0])
})
