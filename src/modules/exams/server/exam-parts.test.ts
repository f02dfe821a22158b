import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Result } from '#schemas/results/result'
import { Signup } from '#schemas/sign-up/signup'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'

let t: TestApp
let admin: Caller
let officer: Caller
let serial = 1000

beforeAll(async () => {
  t = await testApp({ now: drafting })
  admin = await signIn(t, { role: 'administrator' })
  officer = await signIn(t, { role: 'exam_admin' })
})
afterAll(() => t.close())

const signUp = (examId: string, code = 'A01', more: object = {}) =>
  insert(t.app, Signup, {
    examId,
    code,
    finalCode: null,
    unit: 'u1',
    signStatus: 1,
    userId: String(++serial),
    ...more,
  })

describe('positions', () => {
  const at = '/blade-examitem/examitems'
  const change = async (id: string, values: object) => {
    const { rows } = await t.pool.query('SELECT version FROM examitems WHERE id = $1', [id])
    return asCaller(t, admin).post(`${at}/submit`, { id, version: rows[0].version, ...values })
  }
  const fresh = (examId: string, itemIds: string, more: object = {}) => ({
    examId,
    itemIds,
    unit: 'u1',
    type: '01',
    code: 'B01',
    postName: '护士',
    planNum: 2,
    openRatio: '3',
    noRatio: 0,
    enable: 1,
    ...more,
  })

  test('a new one has its plan as the present plan; a code is there once', async () => {
    const { exam, stage } = await makeDraft(t)
    const { post } = asCaller(t, admin)
    await t.pool.query(
      `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort)
       SELECT '000000', code, 'u1', '区人民医院', id, 1 FROM dict_biz WHERE code = 'recruit_unit' AND "parentId" IS NULL
         AND "tenantId" = '000000' AND NOT EXISTS (SELECT 1 FROM dict_biz WHERE "dictKey" = 'u1')`,
    )
    expect(await post(`${at}/submit`, fresh(exam.id, stage.id))).toMatchObject({ code: 200 })
    const made = await t.db.selectFrom('examitems').selectAll().where('code', '=', 'B01').executeTakeFirstOrThrow()
    expect(made).toMatchObject({ planNum: 2, curPlanNum: 2, examId: exam.id })
    const twice = await post(`${at}/submit`, fresh(exam.id, stage.id, { code: 'A01' }))
    expect([twice.code, twice.data]).toEqual([21009, [{ field: 'code', msg: '岗位代码重复' }]])
    const zero = await post(`${at}/submit`, fresh(exam.id, stage.id, { code: 'B02', planNum: 0 }))
    expect([zero.code, zero.data]).toMatchObject([29005, [{ field: 'planNum' }]])
  })

  test('chosen by somebody, its plan only grows and it is neither renamed nor removed', async () => {
    const { exam, post } = await makeDraft(t, { exam: { examStatus: 1 } })
    expect((await change(post.id, { planNum: 2 })).code).toBe(200)
    await signUp(exam.id)
    expect((await change(post.id, { planNum: 1 })).code).toBe(21010)
    expect((await change(post.id, { code: 'Z' })).code).toBe(21010)
    expect((await asCaller(t, admin).post(`${at}/remove?ids=${post.id}`)).code).toBe(21010)
    expect((await change(post.id, { planNum: 5 })).code).toBe(200)
    const { rows } = await t.pool.query('SELECT * FROM examitems WHERE id = $1', [post.id])
    expect(rows[0]).toMatchObject({ code: 'A01', planNum: 5, curPlanNum: 5, isDeleted: 0 })
  })

  test('a draft or an abandoned sign-up does not hold it', async () => {
    const { exam, post } = await makeDraft(t)
    await signUp(exam.id, 'A01', { signStatus: 0 })
    await signUp(exam.id, 'A01', { signStatus: 2 })
    expect((await change(post.id, { planNum: 1 })).code).toBe(200)
    await signUp(exam.id, 'X', { finalCode: 'A01' })
    expect((await change(post.id, { code: 'Z' })).code).toBe(21010)
  })

  test('a reduced plan stays as it was reduced, and no position moves to another exam', async () => {
    const { post } = await makeDraft(t)
    const other = await makeDraft(t)
    await t.pool.query('UPDATE examitems SET "postStatus" = 2, "curPlanNum" = 1 WHERE id = $1', [post.id])
    expect((await change(post.id, { planNum: 9 })).code).toBe(200)
    const { rows } = await t.pool.query('SELECT "curPlanNum" FROM examitems WHERE id = $1', [post.id])
    expect(rows[0].curPlanNum).toBe(1)
    expect((await change(post.id, { examId: other.exam.id })).code).toBe(29005)
  })
})

describe('stages, forms and staff', () => {
  test('a stage keeps its times while tickets are out or seats locked, and its end is after its beginning', async () => {
    const { stage } = await makeDraft(t)
    const change = (values: object) =>
      asCaller(t, admin).post('/blade-item/examinationitem/submit', { id: stage.id, ...values })
    const later = { startTime: '2027-01-09 09:30:00' }
    expect((await change({ endTime: '2027-01-09 09:00:00' })).data).toMatchObject([{ field: 'endTime' }])
    await t.pool.query('UPDATE examinationitem SET "ticketRelease" = 1, "seatStatus" = 2 WHERE id = $1', [stage.id])
    expect((await change(later)).code).toBe(25011)
    expect((await change({ startTime: '2027-01-09 09:00:00', place: '一中' })).code).toBe(200)
    await t.pool.query('UPDATE examinationitem SET "ticketRelease" = 2 WHERE id = $1', [stage.id])
    expect((await change(later)).code).toBe(25008)
    await t.pool.query('UPDATE examinationitem SET "seatStatus" = 1 WHERE id = $1', [stage.id])
    expect((await change(later)).code).toBe(200)
  })

  test('a stage something hangs on is not switched off', async () => {
    const { exam, stage } = await makeDraft(t)
    const disable = () => asCaller(t, admin).post(`/blade-item/examinationitem/disable?id=${stage.id}`)
    const made = await insert(t.app, Result, { examId: exam.id, itemId: stage.id })
    expect((await disable()).code).toBe(29003)
    await t.pool.query('DELETE FROM result WHERE id = $1', [made.id])
    expect((await disable()).code).toBe(200)
    expect((await disable()).code).toBe(200)
  })

  test('a field somebody has answered is neither renamed nor removed', async () => {
    const { exam, item, photo } = await makeDraft(t)
    await signUp(exam.id)
    const { post } = asCaller(t, admin)
    expect((await post('/blade-signitems/examsignitems/submit', { id: item.id, itemCode: 'x' })).code).toBe(29003)
    expect((await post('/blade-signitems/examsignitems/submit', { id: item.id, enable: 0 })).code).toBe(200)
    expect((await post(`/blade-signitems/examsignitems/remove?ids=${item.id}`)).code).toBe(29003)
    expect((await post(`/blade-signfiles/examsignfiles/remove?ids=${photo.id}`)).code).toBe(29003)
  })

  test('only staff of the tenant are appointed, under their name', async () => {
    const { exam } = await makeDraft(t)
    const candidate = await signIn(t, { role: 'candidate' })
    const foreign = await signIn(t, { role: 'administrator', tenantId: '000003' })
    const send = (userId: string) =>
      asCaller(t, admin).post('/blade-examUser/examuser/submit', { examId: exam.id, userId, examRole: 2, enable: 1 })
    expect(await send(candidate.userId)).toMatchObject({ code: 29005, data: [{ field: 'userId' }] })
    expect((await send(foreign.userId)).code).toBe(29005)
    expect((await send(officer.userId)).code).toBe(200)
    const { rows } = await t.pool.query('SELECT "userName" FROM examuser WHERE "examId" = $1 AND "userId" = $2', [
      exam.id,
      officer.userId,
    ])
    expect(rows[0].userName).toMatch(/^测试/)
  })
})
