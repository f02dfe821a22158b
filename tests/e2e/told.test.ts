import type { Page } from '@playwright/test'
import { beforeAll, expect, test } from 'vitest'
import { tellDue } from '../../src/modules/notifications/server/tell.ts'
import { hashPassword } from '../../src/platform/vault/password.ts'
import { shanghai } from '../helper/app.ts'
import { appoint, windows } from '../helper/exam-bench.ts'
import { password } from '../helper/login.ts'
import { as, notify, order, owing, payAt } from '../helper/pay-exam.ts'
import { type Caller, signIn as signInAs } from '../helper/person.ts'
import { choose, cutAll, makeCutExam, makePassed, reduceTimes } from '../helper/reduction-bench.ts'
import { makeWritten, marking, resultsOf, resultTimes, sitterWithAccount, twoStaff } from '../helper/result-bench.ts'
import { candidateOf, drawing, makeStage, seatStaff, ticketsOf } from '../helper/seat-bench.ts'
import { give, makeTemplate, sendOut } from '../helper/send-bench.ts'
import { applicant, makeExam, post, reviewer, submit, times } from '../helper/sign-bench.ts'
import { sharedWorld, signIn } from './world.ts'

// What staff do reaches the candidate: in the inbox in both languages, on the phone, with the way to where something can be done; and it
// is settled once that has been done.

const shared = sharedWorld()

/** What a candidate was told of, and what the candidate then does about it. */
interface Told {
  who: Caller
  /** A part of the sentence in each language. */
  zh: string
  en: string
  /** A part of the text message. */
  sms: string
  /** The page that the message opens. */
  opens: string
  /** What settles it; nothing where there is nothing to do. */
  act?: () => Promise<{ code: number }>
}

const sms = {
  'signup.returned': '{exam}的报名被退回，请在{until}前修改',
  'signup.mustChoose': '{exam}岗位{code}已取消，请在{until}前改报',
  'payrefund.done': '{exam}的{amount}元已原路退回',
  'examinationitem.ticketsReleased': '{exam}准考证已发布，请登录下载',
  'result.corrected': '{exam}{item}的成绩已更正',
}

beforeAll(async () => {
  const { t } = shared.world
  for (const [smsCode, templateContent] of Object.entries(sms)) await makeTemplate(t, { smsCode, templateContent })
  await give(t, 100)
})

async function returned(): Promise<Told> {
  const { world } = shared
  await world.at(shanghai(times.inside))
  const { exam } = await makeExam(world.t)
  const first = await reviewer(world.t, exam.id, 2)
  const who = await applicant(world.t)
  const { id } = (await submit(world.t, who, exam.id)).data
  const decision = { signUpId: id, examineResult: 3, examineResultRemark: '请补证书' }
  expect((await post(world.t, first, '/api/blade-signup/examine/examine', decision)).code).toBe(200)
  // It can be undone for ten minutes.
  await world.at(new Date(shanghai(times.inside).getTime() + 11 * 60_000))
  const act = () => submit(world.t, who, exam.id, { id })
  return { who, zh: '被退回', en: 'was returned', sms: '的报名被退回', opens: `/signup/form/${exam.id}`, act }
}

async function cut(): Promise<Told> {
  const { world } = shared
  await world.at(shanghai(reduceTimes.computing))
  const made = await makeCutExam(world.t)
  const mine = await makePassed(world.t, made.exam.id, 'A01')
  for (const code of ['B01', 'B01', 'B02', 'B02']) await makePassed(world.t, made.exam.id, code)
  expect((await cutAll(world.t, made.exam.id, made.staff, made.admin)).code).toBe(200)
  await world.at(shanghai(reduceTimes.inside))
  const act = () => choose(world.t, mine.who, mine.id, 'B01')
  return {
    who: mine.who,
    zh: '已取消，请在',
    en: 'cancelled',
    sms: '岗位A01已取消',
    opens: `/signup/mySignup/${mine.id}`,
    act,
  }
}

async function refunded(): Promise<Told> {
  const { world } = shared
  await world.at(shanghai('2026-12-01 09:00:00'))
  const staff = await signInAs(world.t, { role: 'admin' })
  const one = await owing({ ...world.t, staff })
  const finance = await signInAs(world.t, { role: 'finance' })
  await appoint(world.t, one.exam.id, finance, 4)
  const { orderNo, codeUrl } = (await order(world.t, one.caller, one.recordId)).data
  await payAt(codeUrl)
  await notify(world.t, orderNo)
  const base = '/api/blade-payOrder/payrefund'
  expect((await as(world.t, finance).post(`${base}/apply`, { orderNo, reason: '放弃考试' })).code).toBe(200)
  const { id } = await world.t.db.selectFrom('payrefund').select('id').executeTakeFirstOrThrow()
  expect((await as(world.t, staff).post(`${base}/approve?id=${id}`)).code).toBe(200)
  return { who: one.caller, zh: '已原路退回', en: 'returned', sms: '80.00元已原路退回', opens: '/signup/examPay' }
}

async function ticketed(): Promise<Told> {
  const { world } = shared
  await world.at(shanghai(drawing))
  const staff = await seatStaff(world.t)
  const { examId, itemId } = await makeStage(world.t, 1)
  const { caller } = await candidateOf(world.t, examId)
  for (const name of ['allotSeat', 'lockAllot', 'releaseTicket']) expect((await staff.act(name, itemId)).code).toBe(200)
  await world.at(windows.ticketStartTime)
  const [ticket, ...others] = await ticketsOf(world.t, itemId)
  expect(others).toEqual([])
  const url = `/api/blade-signup/signup/exportTicket?id=${ticket!.id}`
  const act = async () => ({ code: (await world.t.app.inject({ url, headers: caller.headers })).statusCode })
  return { who: caller, zh: '准考证已发布', en: 'admission tickets', sms: '准考证已发布', opens: '/signup/ticket', act }
}

async function corrected(): Promise<Told> {
  const { world } = shared
  await world.at(shanghai(marking))
  const made = await makeWritten(world.t)
  const one = await sitterWithAccount(world.t, made)
  const [staff, second] = await twoStaff(world.t)
  await staff.take(made.itemId, [{ 准考证号: one.ticket.ticketNo, 姓名: one.signup.name, 成绩: 59.5 }])
  await world.at(new Date(resultTimes.resultTime.getTime() + 3_600_000))
  expect((await second.act('releaseResult', made.itemId)).code).toBe(200)
  expect((await second.act('recallResult', made.itemId, { reason: '复核' })).code).toBe(200)
  const [row] = await resultsOf(world.t, made.itemId)
  const change = { id: row!.id, version: row!.version, score: '62' }
  expect((await staff.post('/blade-result/result/submit', change)).code).toBe(200)
  expect((await second.act('releaseResult', made.itemId)).code).toBe(200)
  return { who: one.caller, zh: '成绩已更正', en: 'was corrected', sms: '的成绩已更正', opens: '/signup/score' }
}

/** The account of somebody who was made without a password. */
async function accountOf({ userId }: Caller): Promise<{ account: string; phone: string }> {
  const { t } = shared.world
  await t.db
    .updateTable('user')
    .set({ password: await hashPassword(password) })
    .where('id', '=', userId)
    .execute()
  const { account, phone } = await t.db
    .selectFrom('user')
    .select(['account', 'phone'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { account, phone: t.app.vault.open(phone ?? '') }
}

const lineOf = (page: Page, sentence: string) => page.getByRole('listitem').filter({ hasText: sentence }).first()

test.each([
  ['a return', returned],
  ['a cancelled position', cut],
  ['a refund', refunded],
  ['a released ticket', ticketed],
  ['a corrected result', corrected],
])('%s reaches the inbox and the phone, opens where something can be done, and is settled then', async (_, happen) => {
  const { world } = shared
  const { t } = world
  const { who, zh, en, sms: text, opens, act } = await happen()
  await tellDue(t.app)
  await sendOut(t)
  const { account, phone } = await accountOf(who)

  const { page, complaints } = await world.open('phone')
  await signIn(world, page, account)
  await page.goto('/info/inbox')
  await lineOf(page, zh).click()
  await page.getByRole('heading', { name: new RegExp(zh) }).waitFor()
  await page.getByRole('button', { name: /^(去处理|查看)$/ }).click()
  await page.waitForURL(address => address.pathname === opens)

  await page.evaluate(() => localStorage.setItem('juxian-lang', 'en'))
  await page.goto('/info/inbox')
  await lineOf(page, en).waitFor()

  const sandbox = await world.open('phone')
  await sandbox.page.goto('/sandbox/sms')
  await sandbox.page.getByRole('textbox').fill(phone)
  await sandbox.page.getByRole('button').click()
  await sandbox.page.getByText(text).waitFor()

  if (act) {
    expect((await act()).code).toBe(200)
    await tellDue(t.app)
    await page.reload()
    await lineOf(page, en).getByText('Handled').waitFor()
  }
  expect(complaints).toEqual([])
})
