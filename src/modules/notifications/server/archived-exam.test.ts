import { afterAll, beforeAll, expect, test } from 'vitest'
import { ExamRole, ExamStatus } from '#schemas/dictionaries'
import { Examuser } from '#schemas/exams/examuser'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { get, makeExam, post, signApp } from '../../../../tests/helper/sign-bench.ts'
import type { EventChoices } from '../contract.ts'

let t: TestApp
let manager: Caller
let examId: string
beforeAll(async () => {
  t = await signApp()
  manager = await signIn(t, { role: 'exam_admin' })
  examId = (await makeExam(t)).exam.id
  await insert(t.app, Examuser, { examId, userId: manager.userId, examRole: ExamRole.manager, enable: 1 })
})
afterAll(() => t?.close())

const base = '/api/blade-desk/inbox'
const settings = [
  ['choose', { code: 'signup.submitted', isOn: false }],
  ['words', { code: 'signup.submitted', zh: '已收到。' }],
  ['limit', { most: 500 }],
  ['plan', { code: 'result.notLookedAt', isOn: true, steps: [5] }],
] as const
const settle = async (): Promise<number[]> => {
  const codes: number[] = []
  for (const [call, body] of settings) codes.push((await post(t, manager, `${base}/${call}`, { examId, ...body })).code)
  return codes
}
const isArchived = async (call: 'choices' | 'reminders') =>
  (await get<Pick<EventChoices, 'isArchived'>>(t, manager, `${base}/${call}?examId=${examId}`)).data.isArchived

test('how people are told of an exam is settled until it is archived', async () => {
  expect(await settle()).toEqual([200, 200, 200, 200])
  expect([await isArchived('choices'), await isArchived('reminders')]).toEqual([false, false])
  await t.pool.query('UPDATE examination SET "examStatus" = $1 WHERE id = $2', [ExamStatus.archived, examId])
  expect(await settle()).toEqual([21011, 21011, 21011, 21011])
  expect([await isArchived('choices'), await isArchived('reminders')]).toEqual([true, true])
})
