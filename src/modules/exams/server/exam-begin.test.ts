import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daysOffOf } from '#engine'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { timesOf } from '../rules/exam-times.ts'

import type { CheckLine } from './check-line.ts'

let t: TestApp
let officer: Caller
const base = '/blade-exam/examination'
const times = timesOf('2027-06-26', { isOff: daysOffOf('') })
const facts = {
  examName: '2027年公开招聘',
  examType: '1',
  organizer: '区卫生健康局',
  contactPhone: '0591-1',
  examineMode: 1,
}

beforeAll(async () => {
  t = await testApp({ now: drafting })
  officer = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

type Row = Record<string, unknown>
const rowsOf = async (table: string, examId: string): Promise<Row[]> =>
  (await t.pool.query(`SELECT * FROM ${table} WHERE "examId" = $1 AND "isDeleted" = 0 ORDER BY id`, [examId])).rows
const examOf = async (id: string) =>
  t.db.selectFrom('examination').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const plain = {
  exam: { ...facts, ...times },
  take: [],
  template: 'recruitment',
  fee: 10_000,
  items: 1,
  papers: ['photo', 'idCard', 'diploma', 'certificate'],
}
const begin = (change: object = {}, who = officer) =>
  asCaller(t, who).post<{ id: string }>(`${base}/begin`, { ...plain, ...change })

async function begun(change: object = {}): Promise<string> {
  const answer = await begin(change)
  expect(answer).toMatchObject({ code: 200 })
  return answer.data.id
}

const openLines = async (id: string) => {
  const { data } = await asCaller(t, officer).get<CheckLine[]>(`${base}/checkRelease?id=${id}`)
  return data.filter(line => !line.ok && !line.advice).map(line => line.key)
}

describe('by a template', () => {
  test('an exam has everything but positions and staff', async () => {
    const id = await begun()
    expect(await examOf(id)).toMatchObject({
      ...facts,
      examCode: 'ZP2027',
      examYear: 2027,
      examStatus: 0,
      needPay: 1,
      consentVersion: '1.0',
      signStartTime: shanghai(times.signStartTime!),
      createUser: officer.userId,
    })
    const [written, interview] = (await rowsOf('examinationitem', id)) as [Row, Row]
    expect(written).toMatchObject({ itemName: '笔试', needPay: 1, fee: 10_000, needSeat: 1, weight: '0.6000' })
    expect(written.startTime).toEqual(shanghai('2027-06-26 09:00:00'))
    expect(written.endTime).toEqual(shanghai('2027-06-26 11:30:00'))
    expect(interview).toMatchObject({ itemName: '面试', needPay: 0, fee: null, candidateRule: 2, weight: '0.4000' })
    expect(interview.startTime).toEqual(shanghai('2027-07-26 09:00:00'))
    expect(await rowsOf('examsignitems', id)).toHaveLength(24)
    expect(await rowsOf('examsignfiles', id)).toMatchObject([
      { fileCode: 'photo', isPhoto: 1, photoW: 295, photoH: 413, required: 1 },
      { fileCode: 'idCard', isPhoto: 0 },
      { fileCode: 'diploma' },
      { fileCode: 'certificate', required: 0 },
    ])
    expect(await rowsOf('examuser', id)).toMatchObject([{ userId: officer.userId, examRole: 1 }])
    expect(await openLines(id)).toEqual(['position', 'reviewer'])
  })

  test('a blank one has none of it, and codes are never twice', async () => {
    const blank = { template: 'blank', fee: undefined, items: 0, papers: [] }
    const [one, other] = [await begun(blank), await begun(blank)]
    for (const table of ['examinationitem', 'examsignitems', 'examsignfiles', 'examitems'])
      expect(await rowsOf(table, one)).toEqual([])
    expect(await examOf(one)).toMatchObject({ examCode: 'KS2027', needPay: 0 })
    expect(await examOf(other)).toMatchObject({ examCode: 'KS2027C2' })
  })
})

describe('by another exam', () => {
  async function lastYears(examCode: string) {
    const made = await makeDraft(t, {
      exam: { examCode, examName: '2026年护理招聘', examStatus: 2, needPay: 1, signNotice: '<p>旧须知</p>' },
      stage: { needPay: 1, fee: 8000, payRelease: 1, ticketRelease: 1 },
    })
    await insert(t.app, Examinationitem, {
      examId: made.exam.id,
      itemName: '面试',
      itemStatus: 1,
      candidateRule: 2,
      startTime: shanghai('2027-02-06 09:00:00'),
      endTime: shanghai('2027-02-06 10:00:00'),
    })
    await insert(t.app, Signup, { examId: made.exam.id, code: 'A01', signStatus: 1 })
    await appoint(t, made.exam.id, officer)
    return made
  }
  const all = ['positions', 'stages', 'form', 'papers', 'staff', 'texts']

  test('it is proposed for the same day of the week a year later, and lacks nothing', async () => {
    const { exam, reviewer } = await lastYears('LY2026')
    const { data } = await asCaller(t, officer).get(`${base}/proposal?id=${exam.id}`)
    expect(data).toMatchObject({
      source: { id: exam.id, examName: '2026年护理招聘' },
      exam: { examName: '2028年护理招聘', organizer: exam.organizer },
      examDay: '2028-01-08',
      fee: 8000,
      parts: { positions: 1, stages: 2, form: 1, papers: 1, staff: 2 },
    })
    const id = await begun({ fromId: exam.id, take: all, fee: 9000, papers: [] })
    expect(await examOf(id)).toMatchObject({ examCode: 'LY2027', signNotice: '<p>旧须知</p>', hardRules: ['age'] })
    const [written, interview] = (await rowsOf('examinationitem', id)) as [Row, Row]
    expect(written).toMatchObject({ fee: 9000, payRelease: 0, ticketRelease: 0 })
    expect(written.startTime).toEqual(shanghai('2027-06-26 09:00:00'))
    expect(written.endTime).toEqual(shanghai('2027-06-26 11:30:00'))
    // The same day of the week would be a Saturday.
    expect(interview.startTime).toEqual(shanghai('2027-07-26 09:00:00'))
    expect(interview.endTime).toEqual(shanghai('2027-07-26 10:00:00'))
    expect(await rowsOf('examitems', id)).toMatchObject([{ code: 'A01', itemIds: written.id }])
    const staff = (await rowsOf('examuser', id)).map(one => [one.userId, one.examRole])
    expect(staff.toSorted()).toEqual(
      [
        [officer.userId, 1],
        [reviewer.userId, 2],
      ].toSorted(),
    )
    expect(await rowsOf('signup', id)).toEqual([])
    expect(await openLines(id)).toEqual([])
  })

  test('unless one is named it is the newest of the type asked for, or of the type that there are most of', async () => {
    const other = await signIn(t, { role: 'exam_admin' })
    const make = async (examCode: string, examType: string) => {
      const { exam } = await makeDraft(t, { exam: { examCode, examType, examStatus: 2 } })
      await appoint(t, exam.id, other)
      return exam.id
    }
    const [, second, third] = [await make('T1', '1'), await make('T2', '1'), await make('T3', '2')]
    const source = async (query = '') =>
      (await asCaller(t, other).get<{ source: { id: string } | '' }>(`${base}/proposal${query}`)).data.source
    expect(await source()).toMatchObject({ id: second })
    expect(await source('?examType=2')).toMatchObject({ id: third })
    expect(await source('?examType=3')).toBe('')
  })

  test('what is not taken comes from the template, and positions go through its stages', async () => {
    const { exam } = await lastYears('LZ2026')
    const id = await begun({ fromId: exam.id, take: ['positions'], papers: ['photo'] })
    const stages = await rowsOf('examinationitem', id)
    expect(stages.map(one => one.itemName)).toEqual(['笔试', '面试'])
    expect(await rowsOf('examitems', id)).toMatchObject([{ itemIds: stages.map(one => one.id).join() }])
    expect(await rowsOf('examsignitems', id)).toHaveLength(24)
    expect(await rowsOf('examsignfiles', id)).toHaveLength(1)
    expect(await rowsOf('examuser', id)).toHaveLength(1)
    expect((await examOf(id)).signNotice).toContain('报考条件')
  })

  test('one that is not theirs cannot be copied', async () => {
    const { exam } = await makeDraft(t, { exam: { examCode: 'FOREIGN' } })
    expect(await begin({ fromId: exam.id })).toMatchObject({ code: 21001 })
    expect(await asCaller(t, officer).get(`${base}/proposal?id=${exam.id}`)).toMatchObject({ code: 21001 })
  })
})

describe('lists without rows', () => {
  const stages = '/blade-item/examinationitem'
  const empty = () => begun({ template: 'blank', items: 0, papers: [] })

  test.each([
    [`${stages}/beginWritten`, 'examinationitem', 1],
    [`${stages}/beginBoth`, 'examinationitem', 2],
    ['/blade-signfiles/examsignfiles/beginUsual', 'examsignfiles', 4],
    ['/blade-signitems/examsignitems/beginUsual', 'examsignitems', 24],
  ] as const)('%s gives %s its first rows once, to whoever may', async (path, table, number) => {
    const examId = await empty()
    const give = (who: Caller) => asCaller(t, who).post<{ num: number }>(path, { examId })
    const codes = [`${table}_add`, table]
    expect((await give(await signIn(t, { permissions: [table] }))).code).toBe(403)
    expect((await give(await signIn(t, { permissions: codes }))).code).toBe(29001)
    const both = await Promise.all([give(officer), give(officer)])
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 29009])
    expect(both.find(({ code }) => code === 200)?.data).toEqual({ num: number })
    expect(await rowsOf(table, examId)).toHaveLength(number)
  })

  test('the stages stand on the day of the exam; without one they ask for it', async () => {
    const examId = await empty()
    await t.pool.query('UPDATE examination SET "examStartTime" = NULL WHERE id = $1', [examId])
    const refused = await asCaller(t, officer).post(`${stages}/beginWritten`, { examId })
    expect(refused).toMatchObject({ code: 29005, msg: expect.stringContaining('基本与时间') })
    expect(await rowsOf('examinationitem', examId)).toEqual([])
  })
})

test('a tenant says other days, but only of what is suggested', async () => {
  const { get, post } = asCaller(t, await signIn(t, { role: 'administrator' }))
  const { rows } = await t.pool.query(`SELECT id FROM param WHERE "paramKey" = 'suggest.examination'`)
  const save = (paramValue: string) => post('/blade-system/param/submit', { id: rows[0].id, paramValue })
  expect(await save('signStart=-60')).toMatchObject({ code: 29005, data: [{ field: 'paramValue' }] })
  expect(await save('signStartTime=-60@25:00')).toMatchObject({ code: 29005 })
  expect(await save('signStartTime=-60@08:30')).toMatchObject({ code: 200 })
  const { data } = await get('/blade-system/param/suggesting?form=examination')
  expect(data).toEqual({
    daysOff: expect.stringContaining('2027-02-05~2027-02-08'),
    changes: 'signStartTime=-60@08:30',
  })
})

test('nothing is kept of an exam that is refused, whichever part of it', async () => {
  const count = async () => (await t.db.selectFrom('examination').select('id').execute()).length
  const before = await count()
  const { examName: _name, ...nameless } = plain.exam
  expect(await begin({ exam: nameless })).toMatchObject({ code: 29005, data: [{ field: 'examName' }] })
  const late = { ...plain.exam, signEndTime: '2026-01-01 00:00:00' }
  expect(await begin({ exam: late })).toMatchObject({ code: 21006, data: [{ field: 'signEndTime' }] })
  expect(await begin({ template: 'x' })).toMatchObject({ code: 29005 })
  expect(await count()).toBe(before)
})

test('sent six times with one key there is one', async () => {
  const headers = { ...officer.headers, 'idempotency-key': 'one-exam' }
  const send = () => t.call<{ id: string }>({ method: 'POST', url: `/api${base}/begin`, headers, payload: plain })
  const answers = await Promise.all([send(), send(), send(), send(), send(), send()])
  expect(answers.map(one => one.code)).toEqual([200, 200, 200, 200, 200, 200])
  expect(new Set(answers.map(one => one.data.id)).size).toBe(1)
})
