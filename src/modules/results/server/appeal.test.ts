import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint } from '../../../../tests/helper/exam-bench.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import {
  at,
  makeWritten,
  marking,
  resultsOf,
  resultTimes,
  scoreStaff,
  sitterWithAccount,
  twoStaff,
} from '../../../../tests/helper/result-bench.ts'

let t: TestApp
let staff: ReturnType<typeof scoreStaff>
let second: ReturnType<typeof scoreStaff>
const base = '/blade-result/resultappeal'
const scores = '/blade-signup/score/getExamScore'

beforeAll(async () => {
  t = await testApp({ now: marking })
  ;[staff, second] = await twoStaff(t)
})
afterAll(() => t.close())
beforeEach(() => at(t, resultTimes.resultTime))

/** A candidate whose score is out. */
async function candidate(score = '59.5') {
  const made = await makeWritten(t)
  const one = await sitterWithAccount(t, made)
  await staff.take(made.itemId, [{ 准考证号: one.ticket.ticketNo, 成绩: score }])
  await staff.act('releaseResult', made.itemId)
  const [result] = await resultsOf(t, made.itemId)
  const file = (reason = '怀疑漏判') => one.own.post<{ id: string }>(`${base}/submit`, { resultId: result!.id, reason })
  return { ...made, ...one, result: result!, file }
}

test('one appeal per score, until the end to the millisecond; two at once are one', async () => {
  const one = await candidate()
  expect((await one.own.get<{ canAppeal: boolean }[]>(scores)).data[0]).toMatchObject({ canAppeal: true, appeal: '' })
  await at(t, resultTimes.appealEndTime)
  expect(await one.file()).toMatchObject({ code: 26004, msg: '复核申请已于2027-01-25 17:00:00截止' })
  const [late] = (await one.own.get<{ canAppeal: boolean; appealBlock: string }[]>(scores)).data
  expect(late).toMatchObject({ canAppeal: false, appealBlock: '复核申请已于2027-01-25 17:00:00截止' })
  await at(t, new Date(resultTimes.appealEndTime.getTime() - 1))
  expect((await one.file(' ')).code).toBe(29005)
  const both = await Promise.all([one.file(), one.file()])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 26005])
  expect((await one.file()).code).toBe(26005)
  const [shown] = (await one.own.get<{ canAppeal: boolean; appeal: object }[]>(scores)).data
  expect(shown).toMatchObject({ canAppeal: false, appeal: { appealStatus: 0, reason: '怀疑漏判', reply: '' } })
})

test('nobody appeals against a score of another or one that is not out', async () => {
  const [one, other] = [await candidate(), await candidate()]
  const theirs = await one.own.post(`${base}/submit`, { resultId: other.result.id, reason: 'x' })
  expect(theirs.code).toBe(26001)
  await at(t, new Date(resultTimes.resultTime.getTime() - 1))
  expect((await one.file()).code).toBe(26001)
  await at(t, resultTimes.resultTime)
  await staff.act('recallResult', one.itemId, { reason: 'x' })
  expect((await one.file()).code).toBe(26001)
  expect((await staff.post(`${base}/submit`, { resultId: one.result.id, reason: 'x' })).code).toBe(403)
})

test('is answered once, with words', async () => {
  const one = await candidate()
  const { id } = (await one.file()).data
  const handle = (appealStatus: number, reply: string) => staff.post(`${base}/handle`, { id, appealStatus, reply })
  expect((await handle(1, '')).code).toBe(29005)
  expect((await handle(3, 'x')).code).toBe(29005)
  const both = await Promise.all([handle(1, '复核无误'), handle(1, '复核无误')])
  expect(both.map(({ code }) => code)).toEqual([200, 200])
  expect((await handle(1, '另一句')).code).toBe(29009)
  expect((await one.own.post(`${base}/withdraw`, { id })).code).toBe(29009)
  const [shown] = (await one.own.get<{ appeal: object }[]>(scores)).data
  expect(shown?.appeal).toMatchObject({ appealStatus: 1, reply: '复核无误' })
})

test('is called put right only when the score was', async () => {
  const one = await candidate()
  const { id } = (await one.file()).data
  // What somebody enters is kept as it is, also where a definition would mean something by it.
  const reply = '$now'
  const correct = () => staff.post(`${base}/handle?id=${id}&appealStatus=2`, { reply })
  expect((await correct()).code).toBe(29005)
  await staff.act('recallResult', one.itemId, { reason: '复核' })
  const [row] = await resultsOf(t, one.itemId)
  expect(
    (await staff.post('/blade-result/result/submit', { id: row!.id, version: row!.version, score: '62' })).code,
  ).toBe(200)
  expect((await staff.act('deleteResult', one.itemId)).code).toBe(29003)
  await second.act('releaseResult', one.itemId)
  expect((await correct()).code).toBe(200)
  const [shown] = (await one.own.get<{ score: string; isPass: number; appeal: object }[]>(scores)).data
  expect(shown).toMatchObject({ score: '62', isPass: 1, appeal: { appealStatus: 2, reply } })
})

test('is taken back by who filed it only', async () => {
  const [one, other] = [await candidate(), await candidate()]
  const { id } = (await one.file()).data
  expect((await other.own.post(`${base}/withdraw`, { id })).code).toBe(29001)
  expect((await one.own.post(`${base}/withdraw`, { id })).code).toBe(200)
  expect((await staff.post(`${base}/handle`, { id, appealStatus: 1, reply: 'x' })).code).toBe(29009)
  expect((await one.file()).code).toBe(26005)
})

test('staff meet the appeals of their exams only', async () => {
  const [one, other] = [await candidate(), await candidate()]
  const ids = [(await one.file()).data.id, (await other.file()).data.id]
  const officer = scoreStaff(t, await signIn(t, { role: 'exam_admin' }))
  await appoint(t, one.examId, officer.who)
  const page = await officer.get<{ records: { id: string; resultIdName: string; oldScore: string }[] }>(`${base}/page`)
  expect(page.data.records).toMatchObject([{ id: ids[0], resultIdName: one.signup.name, oldScore: '59.5' }])
  const answers = []
  for (const id of ids) answers.push(await officer.post(`${base}/handle`, { id, appealStatus: 1, reply: 'x' }))
  expect(answers.map(({ code }) => code)).toEqual([200, 29001])
  expect((await one.own.get(`${base}/page`)).code).toBe(403)
})
