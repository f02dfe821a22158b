import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApp } from '../../../../tests/helper/app.ts'
import { bulk } from '../../../../tests/helper/bulk.ts'
import { readingsOf } from '../../../../tests/helper/plans.ts'
import {
  type Applicant,
  applicant,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
} from '../../../../tests/helper/sign-bench.ts'

// What a candidate does and what a reviewer takes next reads few rows of the sign-ups, however many the exam has.

/** Sign-ups of the exam, and the most rows that a statement may expect to read. */
const [many, most] = [5000, 200]

let t: TestApp
let examId: string
let who: Applicant
let id: string
beforeAll(async () => {
  t = await signApp()
  const { exam } = await makeExam(t, { exam: { examineMode: 1, maxSignup: 900_000 }, post: { maxSignup: 900_000 } })
  examId = exam.id
  who = await applicant(t)
  id = (await submit(t, who, examId)).data.id
  await bulk(
    t.pool,
    `INSERT INTO "user" SELECT (jsonb_populate_record(u, jsonb_build_object('id', 900000 + i, 'account', 'l' || i,
       'idCardHash', md5(i::text), 'phoneHash', md5(i::text)))).* FROM "user" u, generate_series(2, $2) i WHERE u.id = $1`,
    [who.userId, many],
  )
  await bulk(
    t.pool,
    `INSERT INTO signup SELECT (jsonb_populate_record(s, jsonb_build_object('id', next_id(), 'userId', 900000 + i,
       'idCardHash', md5(i::text), 'signNo', 'L' || i, 'submitTime', s."submitTime" + i * interval '1 second'))).*
     FROM signup s, generate_series(2, $2) i WHERE s.id = $1`,
    [id, many],
  )
  await t.pool.query('ANALYZE signup')
  await t.pool.query('ANALYZE place_count')
})
afterAll(() => t.close())

const base = '/api/blade-signup/signup'
const review = '/api/blade-signup/examine'

/** Readings that grow with the sign-ups of the exam. */
async function growing(work: () => Promise<unknown>) {
  const readings = await readingsOf(t, 'signup', work)
  expect(readings).not.toEqual([])
  return readings.filter(({ by, rows }) => by === 'Seq Scan' || rows > most)
}

it('handing in', async () => {
  const other = await applicant(t)
  expect(await growing(async () => expect((await submit(t, other, examId)).code).toBe(200))).toEqual([])
})

it.each([
  ['the exams', 'examList'],
  ['the own sign-ups', 'myExamList'],
  ['an exam with its positions', () => `getExamInfoOrSignUpInfo?examId=${examId}`],
  ['the own sign-up', () => `detail?id=${id}`],
] as const)('looking at %s', async (_, path) => {
  const url = typeof path === 'function' ? path() : path
  expect(await growing(async () => expect((await get(t, who, url)).code).toBe(200))).toEqual([])
})

it('taking back, handing in again and giving up', async () => {
  const other = await applicant(t)
  const made = (await submit(t, other, examId)).data
  expect(
    await growing(async () => {
      expect((await post(t, other, 'withdraw', { id: made.id })).code).toBe(200)
      expect((await submit(t, other, examId, { id: made.id })).code).toBe(200)
      expect((await post(t, other, `${base}/giveUp`, { id: made.id })).code).toBe(200)
    }),
  ).toEqual([])
})

it('a decision with the next one to decide on', async () => {
  const first = await reviewer(t, examId, 2)
  const decide = (signUpId: string, more: object = {}) =>
    post<{ nextId: string }>(t, first, `${review}/examine`, { signUpId, examineResult: 1, ...more })
  const read = await growing(async () => {
    const { code, data } = await decide(id)
    expect([code, data.nextId]).toEqual([200, expect.stringMatching(/\d/)])
    expect((await decide(data.nextId, { filter: { examId } })).code).toBe(200)
  })
  // Which one is next is looked for among all that wait, of whom the database answers one.
  const isSearch = (statement: string) => /order by "signup"\."submitTime", "signup"\."id" limit/.test(statement)
  expect(read.filter(({ statement }) => !isSearch(statement))).toEqual([])
})
