import { afterAll, beforeAll, expect, test } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Typecode } from '#schemas/exams/typecode'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, drafting, makeDraft, windows } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

let t: TestApp
let officer: Caller
const base = '/blade-exam/examination'
const day = 86_400_000

beforeAll(async () => {
  t = await testApp({ now: drafting })
  officer = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

type Row = Record<string, unknown>
const rowsOf = async (table: string, examId: string): Promise<Row[]> =>
  (await t.pool.query(`SELECT * FROM ${table} WHERE "examId" = $1 AND "isDeleted" = 0 ORDER BY id`, [examId])).rows

/** An exam that is over, with two stages, one of them switched off, two positions, and somebody who signed up. */
async function lastYears() {
  const made = await makeDraft(t, {
    exam: {
      examCode: 'LASTYEAR2025',
      examStatus: 2,
      examName: '去年的考试',
      needPay: 0,
      closeReason: '已结束',
      ageBaseDate: '2026-02-28',
      examYear: 2025,
    },
    stage: { seatStatus: 2, ticketRelease: 1, payRelease: 1, resultRelease: 1 },
  })
  const examId = made.exam.id
  const interview = await insert(t.app, Examinationitem, {
    examId,
    itemName: '面试',
    itemStatus: 0,
    candidateRule: 2,
    startTime: shanghai('2027-02-01 09:00:00'),
    endTime: shanghai('2027-02-01 10:00:00'),
  })
  await insert(t.app, Examitems, {
    examId,
    code: 'A02',
    planNum: 5,
    curPlanNum: 2,
    postStatus: 2,
    itemIds: `${made.stage.id},${interview.id}`,
    enable: 1,
  })
  await insert(t.app, Typecode, { examId, type: '01', typeName: '临床', typeCode: '21' })
  await insert(t.app, Signup, { examId, code: 'A01', signStatus: 1 })
  return made
}

const copy = async (id: string, more = '&shiftDays=365') => {
  const answer = await asCaller(t, officer).post<{ id: string }>(`${base}/copyExam?id=${id}${more}`)
  expect(answer).toMatchObject({ code: 200, data: { id: expect.stringMatching(/^\d+$/) } })
  return answer.data.id
}

test('takes everything that was set up, and nobody and nothing that happened', async () => {
  const { exam, reviewer } = await lastYears()
  await appoint(t, exam.id, officer)
  const id = await copy(exam.id)
  const made = await t.db.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(made).toMatchObject({
    examName: '去年的考试 副本',
    examCode: 'LASTYEAR20C2',
    examYear: 2026,
    examStatus: 0,
    version: 0,
    ageBaseDate: '2027-02-28',
    closeReason: null,
    closeTime: null,
    releaseTime: null,
    createUser: officer.userId,
    hardRules: ['age'],
    contactPhone: exam.contactPhone,
    createTime: shanghai(drafting),
  })
  for (const [field, time] of Object.entries(windows))
    expect([field, (made as unknown as Row)[field]]).toEqual([field, new Date(time.getTime() + 365 * day)])
  const stages = await rowsOf('examinationitem', id)
  const [written, interview] = stages as [Row, Row]
  expect(written).toMatchObject({ seatStatus: 0, ticketRelease: 0, payRelease: 0, resultRelease: 0, itemStatus: 1 })
  expect(written.startTime).toEqual(new Date(windows.examStartTime.getTime() + 365 * day))
  expect(interview).toMatchObject({ itemName: '面试', itemStatus: 0 })
  const positions = await rowsOf('examitems', id)
  expect(positions).toMatchObject([
    { code: 'A01', planNum: 3, curPlanNum: 3, itemIds: written.id },
    { code: 'A02', planNum: 5, curPlanNum: 5, postStatus: 1, itemIds: `${written.id},${interview.id}` },
  ])
  expect(await rowsOf('examsignitems', id)).toMatchObject([{ itemCode: 'major' }])
  expect(await rowsOf('examsignfiles', id)).toMatchObject([{ fileCode: 'photo', isPhoto: 1 }])
  expect(await rowsOf('examuser', id)).toMatchObject([
    { userId: reviewer.userId, examRole: 2 },
    { userId: officer.userId, examRole: 1 },
  ])
  expect(await rowsOf('typecode', id)).toMatchObject([{ typeCode: '21' }])
  expect(await rowsOf('signup', id)).toEqual([])
  expect(await rowsOf('signup', exam.id)).toHaveLength(1)
  expect((await asCaller(t, officer).get(`${base}/detail?id=${id}`)).data).toMatchObject({ examName: made.examName })
})

test('copies of copies and of one exam at the same moment have codes of their own', async () => {
  const { exam } = await makeDraft(t, { exam: { examCode: 'AB26' } })
  await appoint(t, exam.id, officer)
  const ids = await Promise.all([copy(exam.id), copy(exam.id), copy(exam.id)])
  ids.push(await copy(ids[0]!, `&newName=${encodeURIComponent('春季招聘')}&shiftDays=-30`))
  const made = await t.db
    .selectFrom('examination')
    .select(['examCode', 'examName'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  expect(new Set(made.map(one => one.examCode)).size).toBe(4)
  expect(made.map(one => one.examName)).toContain('春季招聘')
})

test('whoever copies sees the copy, whatever the old appointment says', async () => {
  const { exam } = await makeDraft(t, { exam: { examCode: 'CD26' } })
  await insert(t.app, Examuser, {
    examId: exam.id,
    userId: officer.userId,
    examRole: 1,
    enable: 1,
    startTime: shanghai('2026-01-01 00:00:00'),
    endTime: shanghai('2026-12-31 00:00:00'),
  })
  const id = await copy(exam.id, '&shiftDays=365')
  expect((await asCaller(t, officer).get(`${base}/detail?id=${id}`)).code).toBe(200)
})

test('an administrator is not appointed, and a bad shift or name is refused', async () => {
  const { exam } = await makeDraft(t, { exam: { examCode: 'EF26' } })
  const { post } = asCaller(t, await signIn(t, { role: 'administrator' }))
  const made = await post<{ id: string }>(`${base}/copyExam?id=${exam.id}`)
  expect(await rowsOf('examuser', made.data.id)).toHaveLength(1)
  for (const wrong of ['shiftDays=1.5', 'shiftDays=99999', 'shiftDays=x', `newName=${'x'.repeat(101)}`])
    expect([wrong, (await post(`${base}/copyExam?id=${exam.id}&${wrong}`)).code]).toEqual([wrong, 29005])
})

test('an exam of more positions than one statement takes is copied whole', async () => {
  const { exam, stage } = await makeDraft(t, { exam: { examCode: 'GH26' } })
  await appoint(t, exam.id, officer)
  await t.pool.query(
    `INSERT INTO examitems ("examId", unit, type, code, "postName", "planNum", "curPlanNum", "openRatio", "itemIds")
     SELECT $1, 'u1', '01', 'N' || i, 'n', 1, 1, 3, $2::text FROM generate_series(1, 2500) i`,
    [exam.id, stage.id],
  )
  expect(await rowsOf('examitems', await copy(exam.id))).toHaveLength(2501)
})

test('copied six times with one key is copied once', async () => {
  const { exam } = await makeDraft(t, { exam: { examCode: 'ONCE2026', examName: '只复制一次' } })
  await appoint(t, exam.id, officer)
  const count = async () => (await t.db.selectFrom('examination').select('id').execute()).length
  const before = await count()
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() =>
      t.call<{ id: string }>({
        method: 'POST',
        url: `/api${base}/copyExam?id=${exam.id}&shiftDays=365`,
        headers: { ...officer.headers, 'idempotency-key': 'one-copy' },
      }),
    ),
  )
  expect(answers.map(one => one.code)).toEqual([200, 200, 200, 200, 200, 200])
  expect(new Set(answers.map(one => one.data.id)).size).toBe(1)
  expect(await count()).toBe(before + 1)
})
