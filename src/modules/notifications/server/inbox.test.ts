import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import type { Caller } from '../../../../tests/helper/person.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import type { InboxPage } from '../contract.ts'
import { tellDue } from './tell.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t?.close())

const review = '/api/blade-signup/examine'
const inbox = '/api/blade-desk/inbox'
const later = (seconds: number) => new Date(shanghai(times.inside).getTime() + seconds * 1000)

/** An exam with a reviewer and one sign-up that has been handed in. */
async function scene() {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const first = await reviewer(t, exam.id, 2)
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  return { exam, first, who, id }
}

const decide = (who: Caller, signUpId: string, examineResult: number, examineResultRemark = '') =>
  post(t, who, `${review}/examine`, { signUpId, examineResult, examineResultRemark })
const undo = (who: Caller, signUpId: string) =>
  post(t, who, `${review}/revoke`, { signUpId, reason: '10 秒内撤销', undo: true })
const page = async (who: Caller, query = '') => (await get<InboxPage>(t, who, `${inbox}/page?${query}`)).data.records
const titles = async (who: Caller, query = '') =>
  (await page(who, query)).filter(one => one.kind === 'message').map(one => one.title)

describe('the inbox', () => {
  test('has what became of a sign-up, in words, with what else was said and where to act', async () => {
    const { exam, first, who, id } = await scene()
    await tellDue(t.app)
    expect(await titles(who)).toEqual([expect.stringContaining('已收到您在')])
    expect((await decide(first, id, 3, '请补证书')).code).toBe(200)
    await at(t, later(14))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
    await at(t, later(16))
    await tellDue(t.app)
    const [line, before] = await page(who)
    expect(line).toMatchObject({ read: false, done: false, opens: `/signup/form/${exam.id}` })
    expect(line?.title).toMatch(/被退回，请在.+月.+日.+前登录修改并重新提交/)
    expect(line?.facts).toEqual([{ label: '审核意见', value: '请补证书' }])
    expect(before).toMatchObject({ done: true })
    expect(await titles(who, 'tab=todo')).toHaveLength(1)
  })

  test('is read by its owner alone', async () => {
    const { who } = await scene()
    const other = await applicant(t)
    await tellDue(t.app)
    const [line] = await page(who)
    const id = line?.id ?? ''
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 1 } })
    expect((await get(t, other, `${inbox}/info?id=${id}`)).code).toBe(29001)
    expect((await post(t, other, `${inbox}/read`, { id })).code).toBe(29001)
    expect((await post(t, who, `${inbox}/read`, { id })).code).toBe(200)
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 0 } })
    expect(await titles(who, 'tab=unread')).toEqual([])
    expect(await titles(other)).toEqual([])
  })

  test('never has a decision that was undone, nor that it was', async () => {
    const { first, who, id } = await scene()
    await decide(first, id, 2, '专业不符')
    await at(t, later(5))
    expect((await undo(first, id)).code).toBe(200)
    await at(t, later(60))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
  })

  test('settles a return once it is answered', async () => {
    const { exam, first, who, id } = await scene()
    await decide(first, id, 3, '请补证书')
    await at(t, later(20))
    await tellDue(t.app)
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    await tellDue(t.app)
    expect(await titles(who, 'tab=todo')).toEqual([])
    const lines = await page(who)
    expect(lines.map(one => one.done)).toEqual([false, true, true])
  })

  test('has each message once, however many tell it at the same time', async () => {
    const { who } = await scene()
    await Promise.all([tellDue(t.app), tellDue(t.app), tellDue(t.app)])
    expect(await titles(who)).toHaveLength(1)
  })
})
