import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Examitems } from '#schemas/exams/examitems'
import { Examuser } from '#schemas/exams/examuser'
import { Signup } from '#schemas/sign-up/signup'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint as appointOne, asCaller, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

const base = '/blade-examUser/examuser'

let t: TestApp
let officer: Caller
let anna: Caller
let bert: Caller
let examId: string
let serial = 100

beforeAll(async () => {
  t = await testApp({ now: drafting })
  officer = await signIn(t, { role: 'exam_admin' })
  anna = await signIn(t, { role: 'reviewer' })
  bert = await signIn(t, { role: 'reviewer' })
})
afterAll(() => t.close())

const position = (exam: string, unit: string, code: string, enable: 0 | 1 = 1) =>
  insert(t.app, Examitems, {
    examId: exam,
    unit,
    code,
    type: '01',
    postName: code,
    planNum: 1,
    curPlanNum: 1,
    enable,
    postStatus: 1,
  })

/** An exam of units u1 (two positions), u2 and u3 with nobody appointed but the officer. */
async function makeExam(examineMode: 1 | 2 = 1): Promise<string> {
  const { exam, reviewer } = await makeDraft(t, { exam: { examineMode } })
  await t.pool.query('DELETE FROM examuser WHERE id = $1', [reviewer.id])
  await appointOne(t, exam.id, officer)
  for (const [unit, code] of ['u1 A02', 'u2 B01', 'u3 C01'].map(one => one.split(' ') as [string, string]))
    await position(exam.id, unit, code)
  return exam.id
}

beforeEach(async () => {
  t.setNow(drafting)
  examId = await makeExam()
})

interface Matrix {
  units: { unit: string; waiting: number; lacking: string[] }[]
  people: { userId: string; usable: boolean; all: boolean; units: string[]; part: string[]; idle: number }[]
}

const matrix = async (examRole = 2, who = officer) =>
  (await asCaller(t, who).get<Matrix>(`${base}/getStaffMatrix?examId=${examId}&examRole=${examRole}`)).data
const send = (what: string, values: object, who = officer) =>
  asCaller(t, who).post<{ changed: number }>(`${base}/${what}`, { examId, examRole: 2, ...values })
const give = (who: readonly Caller[], units: readonly string[], more: object = {}) =>
  send('appoint', { userIds: who.map(one => one.userId), units, ...more })
const take = (who: readonly Caller[], units: readonly string[], more: object = {}) =>
  send('dismiss', { userIds: who.map(one => one.userId), units, ...more })
const rows = (exam = examId, role = 2) =>
  t.db
    .selectFrom('examuser')
    .select(['userId', 'units', 'codes', 'startTime', 'endTime', 'userName'])
    .where('examId', '=', exam)
    .where('examRole', '=', role as 2)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .execute()
const unitsOf = async (who: Caller) =>
  (await rows()).filter(row => row.userId === who.userId).map(row => row.units ?? 'all')
const line = (who: Caller, more: object) =>
  insert(t.app, Examuser, { examId, userId: who.userId, userName: '甲', examRole: 2, enable: 1, ...more })
const signUp = (unit: string, code: string, more: object = {}) =>
  insert(t.app, Signup, {
    examId,
    unit,
    code,
    signStatus: 1,
    examine: 0,
    reviewStatus: 0,
    userId: String(++serial),
    finalUnit: null,
    finalCode: null,
    reduceState: 0,
    ...more,
  })

describe('the matrix', () => {
  test('shows who has which unit, in whole or in part, and what lacks somebody with how many waiting', async () => {
    await line(anna, { units: 'u1' })
    await line(bert, { units: 'u2,u3', codes: 'C01' })
    await signUp('u2', 'B01')
    await signUp('u2', 'B01', { examine: 1 })
    await signUp('u1', 'A01', { reduceState: 2, unit2: 'u2', code2: 'B01' })
    const { units, people } = await matrix()
    expect(units).toMatchObject([
      { unit: 'u1', waiting: 0, lacking: [] },
      { unit: 'u2', waiting: 2, lacking: ['B01'] },
      { unit: 'u3', waiting: 0, lacking: [] },
    ])
    expect(people).toMatchObject([
      { userId: anna.userId, usable: true, all: false, units: ['u1'], part: [] },
      { userId: bert.userId, units: ['u3'], part: [] },
    ])
    await line(anna, { units: 'u2', codes: 'B01' })
    await position(examId, 'u2', 'B02')
    expect((await matrix()).people[0]).toMatchObject({ units: ['u1'], part: ['u2'] })
    expect((await matrix()).units[1]).toMatchObject({ lacking: ['B02'] })
  })

  test('who is over, switched off or out of use covers nothing; who begins later does', async () => {
    const gone = await signIn(t, { role: 'reviewer' })
    await line(anna, { units: 'u1', endTime: shanghai('2026-10-31 09:00:00') })
    await line(bert, { units: 'u2', enable: 0 })
    await line(gone, { units: 'u3' })
    await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [gone.userId])
    const { units, people } = await matrix()
    expect(units.map(one => one.lacking.length)).toEqual([2, 1, 1])
    expect(people.map(one => [one.usable, one.units, one.idle])).toEqual([
      [true, [], 1],
      [true, [], 1],
      [false, ['u3'], 0],
    ])
    await line(anna, { units: 'u1', startTime: shanghai('2026-12-31 09:00:00') })
    expect((await matrix()).units[0]?.lacking).toEqual([])
    // The release asks the same of its reviewers.
    const check = `/blade-exam/examination/checkRelease?id=${examId}`
    const { data } = await asCaller(t, officer).get<{ key: string; msg: string }[]>(check)
    expect(data.find(one => one.key === 'reviewer')?.msg).toContain('u2、u3')
  })

  test('for second reviewers counts what passed the first, and only where there is a second', async () => {
    await signUp('u1', 'A01', { examine: 1 })
    await signUp('u1', 'A01', { examine: 1, reviewStatus: 1 })
    expect((await matrix(3)).units[0]?.waiting).toBe(0)
    await t.pool.query('UPDATE examination SET "examineMode" = 2 WHERE id = $1', [examId])
    expect((await matrix(3)).units[0]?.waiting).toBe(1)
  })

  test('a position out of use lacks nobody unless somebody waits there', async () => {
    await t.pool.query(`UPDATE examitems SET enable = 0 WHERE "examId" = $1 AND unit = 'u3'`, [examId])
    expect((await matrix()).units[2]?.lacking).toEqual([])
    await signUp('u3', 'C01')
    expect((await matrix()).units[2]?.lacking).toEqual(['C01'])
  })
})

describe('cells', () => {
  test('one is switched on and off; twice is once', async () => {
    expect((await give([anna], ['u2'])).data).toEqual({ changed: 1 })
    expect((await give([anna], ['u2'])).data).toEqual({ changed: 0 })
    await give([anna], ['u1'])
    expect(await unitsOf(anna)).toEqual(['u2,u1'])
    expect((await take([anna], ['u2'])).data).toEqual({ changed: 1 })
    expect((await take([anna], ['u2'])).data).toEqual({ changed: 0 })
    expect(await unitsOf(anna)).toEqual(['u1'])
    await take([anna], ['u1'])
    expect(await unitsOf(anna)).toEqual([])
  })

  test('who was appointed to what, and by whom it was taken away, stands in the history of the exam', async () => {
    await give([anna], ['u1'])
    await give([anna], ['u2'])
    await take([anna], ['u1', 'u2'])
    const { data } = await asCaller(t, officer).get<{
      records: { actName: string; title: string; userName: string; changes: { field: string; to: string }[] }[]
    }>(`/blade-exam/examination/changes?id=${examId}`)
    const told = data.records.filter(one => one.title === '考试工作人员')
    expect(told.map(one => one.actName)).toEqual(['删除', '修改', '新增'])
    expect(told[1]?.changes).toEqual([expect.objectContaining({ field: 'units', to: 'u1,u2' })])
  })

  test('one unit of all leaves the others by name, the last one leaves nothing', async () => {
    await give([anna], [], { all: 1 })
    expect(await unitsOf(anna)).toEqual(['all'])
    expect((await give([anna], ['u2'])).data).toEqual({ changed: 0 })
    await take([anna], ['u2'])
    expect(await unitsOf(anna)).toEqual(['u1,u3'])
    await take([anna], ['u1', 'u3'])
    expect(await unitsOf(anna)).toEqual([])
  })

  test('positions of a unit that is taken go with it, and none never means all', async () => {
    await line(anna, { units: null, codes: 'A01,B01' })
    await take([anna], ['u1'])
    expect(await rows()).toMatchObject([{ units: null, codes: 'B01' }])
    await take([anna], ['u2'])
    expect(await rows()).toEqual([])
  })

  test('several people and units for a time: what they had of them for another time gives way', async () => {
    const time = { startTime: '2026-12-01 00:00:00', endTime: '2026-12-10 00:00:00' }
    await give([anna], ['u1', 'u2'])
    expect((await give([anna, bert], ['u2', 'u3'], time)).data).toEqual({ changed: 3 })
    expect((await rows()).map(row => [row.userId, row.units, row.endTime?.toISOString() ?? null])).toEqual([
      [anna.userId, 'u1', null],
      [anna.userId, 'u2,u3', '2026-12-09T16:00:00.000Z'],
      [bert.userId, 'u2,u3', '2026-12-09T16:00:00.000Z'],
    ])
  })

  test('what is over stays as it was', async () => {
    await line(anna, { units: 'u1', endTime: shanghai('2026-10-31 09:00:00') })
    expect((await take([anna], ['u1'])).data).toEqual({ changed: 0 })
    await give([anna], ['u1'])
    expect(await unitsOf(anna)).toEqual(['u1', 'u1'])
  })

  test('what is missing or wrong is refused by name', async () => {
    const wrong = [
      [{ userIds: [], units: ['u1'] }, '请选择人员'],
      [{ userIds: ['x'], units: ['u1'] }, '请选择人员'],
      [{ units: [] }, '请选择单位'],
      [{ units: ['u1', 'u9'] }, '单位不在本考试中：u9'],
      [{ units: ['u1'], examRole: 7 }, '考试角色不正确'],
      [{ units: ['u1'], endTime: 'tomorrow' }, '时间格式不正确'],
      [{ units: ['u1'], endTime: '2026-10-01 00:00:00' }, '授权结束应晚于现在'],
      [{ units: ['u1'], startTime: '2026-12-02 00:00:00', endTime: '2026-12-01 00:00:00' }, '授权结束应晚于授权开始'],
    ] as const
    for (const [values, words] of wrong) {
      const answer = await send('appoint', { userIds: [anna.userId], ...values })
      expect([answer.code, answer.msg]).toEqual([29005, `参数不正确：${words}`])
    }
    expect(await rows()).toEqual([])
  })
})

describe('who may, and whom', () => {
  test('nobody of another tenant, no candidate, nobody without a console role, nobody out of use; then none at all', async () => {
    const [foreign, candidate, plain, off] = [
      await signIn(t, { role: 'reviewer', tenantId: '000003' }),
      await signIn(t, { role: 'candidate' }),
      await signIn(t, { role: 'reviewer' }),
      await signIn(t, { role: 'reviewer' }),
    ]
    await t.pool.query(`UPDATE "user" SET "roleId" = '' WHERE id = $1`, [plain.userId])
    await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [off.userId])
    for (const who of [foreign, candidate, plain, off]) {
      const answer = await give([anna, who], ['u1'])
      expect([answer.code, answer.data]).toMatchObject([29005, [{ field: 'userId', userId: who.userId }]])
      const values = { examId, userId: who.userId, examRole: 2, enable: 1 }
      expect((await asCaller(t, officer).post(`${base}/submit`, values)).code).toBe(29005)
    }
    expect(await rows()).toEqual([])
    const { data } = await asCaller(t, officer).get<{ id: string }[]>(`${base}/getStaffPeople?examRole=2`)
    const offered = (data as unknown as { id: string }[]).map(one => one.id)
    expect(offered).toEqual(expect.arrayContaining([anna.userId, bert.userId]))
    for (const who of [foreign, candidate, plain, off]) expect(offered).not.toContain(who.userId)
  })

  test('whoever is out of use is still taken off and given an end', async () => {
    const gone = await signIn(t, { role: 'reviewer' })
    const { userId } = gone
    const row = await line(gone, { units: 'u1' })
    await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [userId])
    const end = await asCaller(t, officer).post(`${base}/submit`, { id: row.id, version: 0, userId, enable: 0 })
    expect(end.code).toBe(200)
    await t.pool.query('UPDATE examuser SET enable = 1 WHERE id = $1', [row.id])
    expect((await take([gone], ['u1'])).data).toEqual({ changed: 1 })
  })

  test('an exam out of sight, an archived one, a person without the permission', async () => {
    const stranger = await signIn(t, { role: 'exam_admin' })
    const values = { userIds: [anna.userId], units: ['u1'] }
    expect((await send('appoint', values, stranger)).code).toBe(21001)
    expect((await send('dismiss', values, stranger)).code).toBe(21001)
    expect((await send('copyFrom', { fromExamId: examId }, stranger)).code).toBe(21001)
    expect((await send('appoint', values, anna)).status).toBe(403)
    expect((await asCaller(t, anna).get(`${base}/getStaffMatrix?examId=${examId}&examRole=2`)).status).toBe(403)
    await t.pool.query('UPDATE examination SET "examStatus" = 3 WHERE id = $1', [examId])
    expect((await send('appoint', values)).code).toBe(21011)
    expect(await rows()).toEqual([])
  })

  test('an appointment is a security event', async () => {
    await give([anna], ['u1'])
    // Others of this file write there as well, refusals after they were answered.
    const query = t.db.selectFrom('auditlog').select('detail').where('event', '=', 'grant').orderBy('seq', 'desc')
    expect(await query.executeTakeFirst()).toMatchObject({ detail: { params: { units: ['u1'] } } })
  })
})

describe('at the same time', () => {
  test('two people switch the same cell: one appointment; different cells of a person: both', async () => {
    await Promise.all([give([anna], ['u1']), give([anna], ['u1']), give([anna], ['u2']), give([anna], ['u3'])])
    const [units, ...more] = await unitsOf(anna)
    expect([units?.split(',').toSorted(), more]).toEqual([['u1', 'u2', 'u3'], []])
    await Promise.all([take([anna], ['u1']), take([anna], ['u1']), take([anna], ['u3'])])
    expect(await unitsOf(anna)).toEqual(['u2'])
  })
})

describe('copying from another exam', () => {
  const copy = async (more: object = {}) => {
    const from = examId
    examId = await makeExam()
    return { from, answer: () => send('copyFrom', { fromExamId: from, ...more }) }
  }

  test('takes over what fits, joins what is there, and says what did not come along', async () => {
    const gone = await signIn(t, { role: 'reviewer' })
    await position(examId, 'u9', 'Z01')
    await line(anna, { units: 'u1,u9', endTime: shanghai('2026-10-01 09:00:00') })
    await line(bert, { units: 'u9' })
    await line(bert, { units: 'u1,u9', codes: 'A01,Z01' })
    await line(gone, { units: null })
    await line(officer, { units: null, examRole: 3 })
    await line(bert, { units: 'u3', enable: 0 })
    await t.pool.query('UPDATE "user" SET "accountStatus" = 2 WHERE id = $1', [gone.userId])
    const { answer } = await copy({ endTime: '2026-12-20 00:00:00' })
    await give([anna], ['u2'])
    const { data } = await answer()
    // The officer's own appointment stands in both exams.
    expect(data).toMatchObject({ copied: 3, same: 1 })
    expect((data as unknown as { left: { msg: string }[] }).left.map(one => one.msg)).toEqual([
      '单位不在本考试中：u9',
      '负责的单位都不在本考试中',
      '单位不在本考试中：u9；岗位不在本考试中：Z01',
      '账号已停用或不再有后台角色',
    ])
    expect((await rows()).map(row => [row.userId, row.units, row.codes, row.endTime === null])).toEqual([
      [anna.userId, 'u2', null, true],
      [anna.userId, 'u1', null, false],
      [bert.userId, 'u1', 'A01', false],
    ])
    expect(await rows(examId, 3)).toMatchObject([{ userId: officer.userId, units: null }])
    expect((await answer()).data).toMatchObject({ copied: 0, same: 4 })
  })

  test('an exam is not copied from itself', async () => {
    expect((await send('copyFrom', { fromExamId: examId })).code).toBe(29005)
  })
})
