import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExamStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { bulk } from '../../../../tests/helper/bulk.ts'
import { choose, cutAll, makeCutExam, makePassed, reduceTimes } from '../../../../tests/helper/reduction-bench.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  put,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import { checkPlaces, placeDifferences } from './place-check.ts'

let t: TestApp
let other: TestApp
const lines: string[] = []
beforeAll(async () => {
  t = await signApp()
  other = await testApp({ url: t.url, now: t.app.now(), config: { logTo: line => lines.push(line) } })
})
afterAll(async () => {
  await other.close()
  await t.close()
})

/** The counts of an exam by code, `[signed, passed, taken]`; those of nothing are left out. */
async function countsOf(examId: string): Promise<Record<string, readonly number[]>> {
  expect(await placeDifferences(t.db, examId)).toEqual([])
  const rows = await t.db.selectFrom('place_count').selectAll().where('examId', '=', examId).orderBy('code').execute()
  const counts = rows.map(one => [one.code, [one.signed, one.passed, one.taken]] as const)
  return Object.fromEntries(counts.filter(([, numbers]) => numbers.some(n => n !== 0)))
}

let copied = 910_000

/** Adds copies of a sign-up by SQL, each of somebody of its own, by turns at A01 and A02. */
async function copies(id: string, many: number): Promise<void> {
  const from = copied
  copied += many
  await bulk(
    t.pool,
    `INSERT INTO "user" SELECT (jsonb_populate_record(u, jsonb_build_object('id', $2::int + i, 'account', 'copy' || ($2::int + i),
       'idCardHash', md5(($2::int + i)::text), 'phoneHash', md5(($2::int + i)::text)))).*
     FROM "user" u JOIN signup s ON s."userId" = u.id, generate_series(1, $3::int) i WHERE s.id = $1`,
    [id, from, many],
  )
  await bulk(
    t.pool,
    `INSERT INTO signup SELECT (jsonb_populate_record(s, jsonb_build_object('id', next_id(), 'userId', $2::int + i, 'code',
       CASE WHEN i % 2 = 0 THEN 'A02' ELSE 'A01' END, 'idCardHash', md5(($2::int + i)::text), 'signNo', 'C' || ($2::int + i)))).*
     FROM signup s, generate_series(1, $3::int) i WHERE s.id = $1`,
    [id, from, many],
  )
}

const examine = '/api/blade-signup/examine'

describe('the counts follow', () => {
  it('a sign-up from its draft to its end', async () => {
    const { exam } = await makeExam(t)
    const who = await applicant(t)
    const draft = await submit(t, who, exam.id, { draft: 1 })
    expect(await countsOf(exam.id)).toEqual({})
    const { id } = (await submit(t, who, exam.id, { id: draft.data.id })).data
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
    await submit(t, who, exam.id, { id, code: 'A02' })
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A02: [1, 0, 1] })
    await post(t, who, 'withdraw', { id })
    expect(await countsOf(exam.id)).toEqual({})
    await submit(t, who, exam.id, { id })
    await post(t, who, 'giveUp', { id })
    expect(await countsOf(exam.id)).toEqual({})
    await submit(t, who, exam.id)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
  })

  it('what reviewers decide and take back', async () => {
    const { exam } = await makeExam(t, { exam: { examineMode: 1 } })
    const first = await reviewer(t, exam.id, 2)
    const managers = [await reviewer(t, exam.id, 1), await reviewer(t, exam.id, 1)]
    const { id } = (await submit(t, await applicant(t), exam.id)).data
    const decide = (examineResult: number) =>
      post(t, first, `${examine}/examine`, { signUpId: id, examineResult, examineResultRemark: '说明' })
    const undo = () => post(t, managers[0]!, `${examine}/revoke`, { signUpId: id, reason: '误操作' })
    expect((await decide(2)).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 0], A01: [1, 0, 0] })
    expect((await undo()).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
    expect((await decide(1)).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 1, 1], A01: [1, 1, 1] })
    for (const who of managers)
      await post(t, who, `/api/blade-signup/signup/cancelQualification?id=${id}`, { reason: '作弊' })
    expect(await countsOf(exam.id)).toEqual({})
    const back = await post(t, managers[0]!, `/api/blade-signup/signup/restoreQualification?id=${id}`, {
      reason: '查明',
    })
    expect(back.code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 1, 1], A01: [1, 1, 1] })
  })

  it('who chooses anew, and falls back to a position that has meanwhile fewer places', async () => {
    await at(t, reduceTimes.computing)
    const { exam, staff, admin } = await makeCutExam(t)
    const [mine] = [await makePassed(t, exam.id, 'A01'), await makePassed(t, exam.id, 'A01')]
    for (const code of ['B01', 'B01', 'B02', 'B02']) await makePassed(t, exam.id, code)
    expect((await cutAll(t, exam.id, staff, admin)).code).toBe(200)
    await at(t, reduceTimes.inside)
    expect((await choose(t, mine!.who, mine!.id, 'B01')).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [6, 6, 6], A01: [1, 1, 1], B01: [3, 3, 3], B02: [2, 2, 2] })
    await t.db
      .updateTable('examitems')
      .set({ maxSignup: 1 })
      .where('examId', '=', exam.id)
      .where('code', '=', 'A01')
      .execute()
    const first = await reviewer(t, exam.id, 2)
    const refused = { signUpId: mine!.id, examineResult: 2, examineResultRemark: '不符' }
    expect((await post(t, first, `${examine}/examine`, refused)).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [6, 6, 6], A01: [2, 2, 2], B01: [2, 2, 2], B02: [2, 2, 2] })
    await at(t, times.inside)
  })

  it('rows that are written, moved and removed by SQL', async () => {
    const { exam } = await makeExam(t)
    const { id } = (await submit(t, await applicant(t), exam.id)).data
    await copies(id, 20)
    expect(await countsOf(exam.id)).toEqual({ '': [21, 0, 21], A01: [11, 0, 11], A02: [10, 0, 10] })
    await t.pool.query(`UPDATE signup SET "isDeleted" = 1 WHERE "examId" = $1 AND code = 'A02'`, [exam.id])
    await t.pool.query(`DELETE FROM signup WHERE "examId" = $1 AND id <> $2`, [exam.id, id])
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
    const client = await t.pool.connect()
    await client.query('BEGIN')
    await client.query('SAVEPOINT one')
    await client.query('UPDATE signup SET examine = 2 WHERE id = $1', [id])
    await client.query('ROLLBACK TO one')
    await client.query('UPDATE signup SET examine = 1 WHERE id = $1', [id])
    await client.query('COMMIT')
    client.release()
    expect(await countsOf(exam.id)).toEqual({ '': [1, 1, 1], A01: [1, 1, 1] })
  })
})

describe('limits', () => {
  it('hold for rows that are written past every rule of the program', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 1 } })
    const { id } = (await submit(t, await applicant(t), exam.id)).data
    await expect(copies(id, 1)).rejects.toMatchObject({ code: 'JX001', constraint: 'place_full' })
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
  })

  it('are what they are when the place is taken: a change of them is met or waits', async () => {
    const { exam, first } = await makeExam(t, { post: { maxSignup: 5 } })
    await submit(t, await applicant(t), exam.id)
    const set = (maxSignup: number | null) =>
      t.db.updateTable('examitems').set({ maxSignup }).where('id', '=', first.id).execute()
    // Somebody has changed the limit and is not through: who comes now waits at the commit, and meets the new one.
    const client = await t.pool.connect()
    await client.query('BEGIN')
    await client.query('UPDATE examitems SET "maxSignup" = 1 WHERE id = $1', [first.id])
    await client.query('SET CONSTRAINTS ALL IMMEDIATE')
    const late = submit(t, await applicant(t), exam.id)
    await sleep(500)
    await client.query('COMMIT')
    client.release()
    expect((await late).code).toBe(22005)
    await set(2)
    expect((await submit(t, await applicant(t), exam.id)).code).toBe(200)
    await set(null)
    expect((await submit(t, await applicant(t), exam.id)).code).toBe(200)
    expect(await countsOf(exam.id)).toEqual({ '': [3, 0, 3], A01: [3, 0, 3] })
  })

  it.each([
    ['the exam is closed', `UPDATE examination SET "examStatus" = ${ExamStatus.closed} WHERE id = $1`, 21002],
    ['the position is switched off', `UPDATE examitems SET enable = 0 WHERE "examId" = $1 AND code = 'A01'`, 21008],
    ['the position is cancelled', `UPDATE examitems SET "postStatus" = 3 WHERE "examId" = $1 AND code = 'A01'`, 21008],
  ])('refuse who is on the way while %s', async (_, change, code) => {
    const { exam } = await makeExam(t)
    await submit(t, await applicant(t), exam.id)
    const client = await t.pool.connect()
    await client.query('BEGIN')
    await client.query(change, [exam.id])
    await client.query('SET CONSTRAINTS ALL IMMEDIATE')
    const late = submit(t, await applicant(t), exam.id)
    await sleep(500)
    await client.query('COMMIT')
    client.release()
    expect((await late).code).toBe(code)
    expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
  })

  it('never make two wait for each other who change positions crosswise', async () => {
    const { exam } = await makeExam(t, { post: { maxSignup: 50 } })
    const people = await Promise.all(Array.from({ length: 8 }, () => applicant(t)))
    const ids = await Promise.all(
      people.map(
        async (who, i) => (await submit(i % 2 ? t : other, who, exam.id, { code: i % 2 ? 'A01' : 'A02' })).data.id,
      ),
    )
    const codes: number[] = []
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        people.map((who, i) =>
          submit(i % 2 ? t : other, who, exam.id, { id: ids[i], code: (i + round) % 2 ? 'A02' : 'A01' }),
        ),
      )
      codes.push(...answers.map(answer => answer.code))
    }
    expect(codes.every(code => code === 200)).toBe(true)
    expect(await countsOf(exam.id)).toMatchObject({ '': [8, 0, 8] })
  })
})

it('counts that were spoilt are found, put right and told', async () => {
  const { exam } = await makeExam(t, { exam: { maxSignup: 9 } })
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  await t.pool.query(`UPDATE place_count SET taken = 9 WHERE "examId" = $1 AND code = ''`, [exam.id])
  await t.pool.query(`DELETE FROM place_count WHERE "examId" = $1 AND code = 'A01'`, [exam.id])
  expect((await submit(t, await applicant(t), exam.id)).code).toBe(22005)
  expect(await checkPlaces(other.app)).toBe(2)
  expect(await checkPlaces(other.app)).toBe(0)
  expect(await countsOf(exam.id)).toEqual({ '': [1, 0, 1], A01: [1, 0, 1] })
  expect(lines.filter(line => line.includes('a count of places differed') && line.includes(exam.id))).toHaveLength(2)
  expect((await submit(t, await applicant(t), exam.id)).code).toBe(200)
  await put(t, id, { examine: 2 })
  expect(
    (await get<{ positions: object[] }>(t, who, `getExamInfoOrSignUpInfo?examId=${exam.id}`)).data.positions,
  ).toMatchObject([
    { code: 'A01', signNum: 2, full: false },
    { code: 'A02', signNum: 0 },
  ])
})
