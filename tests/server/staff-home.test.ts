import { afterAll, beforeAll, expect, test } from 'vitest'
import { Examuser } from '#schemas/exam/examuser'
import type { TestApp } from '../helper/app.ts'
import { appoint } from '../helper/exam-bench.ts'
import { type Caller, signIn } from '../helper/person.ts'
import { insert } from '../helper/sample.ts'
import { applicant, get, makeExam, put, signApp, submit } from '../helper/sign-bench.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

interface Home {
  todo: { code: string; num: number }[]
  exams: {
    id: string
    phases: string[]
    deadline: { label: string } | null
    signed: number | ''
    today: number | ''
    waiting: number | ''
  }[]
}
const home = async (who: Caller) => (await get<Home>(t, who, '/api/blade-desk/home/staff')).data

/** Somebody with one right, appointed to an exam: 2 first, 3 second review. */
async function staffOf(examId: string, examRole: 2 | 3, right: string): Promise<Caller> {
  const who = await signIn(t, { role: `home_${right}`, permissions: ['examine_list', right] })
  await insert(t.app, Examuser, { examId, userId: who.userId, examRole, enable: 1 })
  return who
}

test('a reviewer is told what waits for him in his exams, and nothing of others', async () => {
  const { exam } = await makeExam(t, { exam: { examineMode: 2 } })
  const [first, second] = [await staffOf(exam.id, 2, 'examine_act'), await staffOf(exam.id, 3, 'examine_recheck')]
  const stranger = await signIn(t, { role: 'reviewer' })
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  expect(await home(first)).toMatchObject({
    todo: [{ code: 'examine', num: 1 }],
    exams: [{ id: exam.id, phases: expect.arrayContaining(['报名中']), signed: 1, today: 1, waiting: 1 }],
  })
  expect(await home(second)).toMatchObject({ todo: [] })
  expect(await home(stranger)).toMatchObject({ todo: [], exams: [] })
  await put(t, id, { examine: 1 })
  expect((await home(first)).todo).toEqual([])
  expect((await home(second)).todo).toEqual([{ code: 'review', num: 1 }])
})

test('with one review nothing waits for a second one', async () => {
  const { exam } = await makeExam(t, { exam: { examineMode: 1 } })
  const second = await staffOf(exam.id, 3, 'examine_recheck')
  const { id } = (await submit(t, await applicant(t), exam.id)).data
  await put(t, id, { examine: 1 })
  expect((await home(second)).todo).toEqual([])
})

test('whoever may not see sign-ups sees no numbers of them; candidates do not come here', async () => {
  const { exam } = await makeExam(t)
  await submit(t, await applicant(t), exam.id)
  const cashier = await signIn(t, { role: 'sign_bench_cashier', permissions: ['wel', 'payrefund'] })
  await appoint(t, exam.id, cashier)
  expect(await home(cashier)).toMatchObject({ todo: [], exams: [{ id: exam.id, signed: '' }] })
  const answer = await get(t, await applicant(t), '/api/blade-desk/home/staff')
  expect(answer.status).toBe(403)
})
