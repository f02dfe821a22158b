import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { School } from '#schemas/exams/school'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { insert } from '../../tests/helper/sample.ts'
import { cellsOf, schoolForm, schoolSheet, schools } from '../../tests/helper/school-sheet.ts'

interface Result {
  total: number
  success: number
  failed: number
  errors: { row: number; column: string; msg: string }[]
  errFile: string
}

let t: TestApp
let two: TestApp
let admin: Caller
let sheet: Awaited<ReturnType<typeof schoolSheet>>
const at = `/api${schools}`

beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00' })
  two = await testApp({ now: '2026-06-01 08:00:00', url: t.url })
  admin = await signIn(t, { role: 'administrator' })
  sheet = await schoolSheet(t, admin)
})
afterAll(async () => {
  await two.close()
  await t.close()
})

const fill = (rows: Parameters<typeof sheet.fill>[0]): Promise<Buffer> => sheet.fill(rows)

function send(book: Buffer, mode: 1 | 2, to: TestApp = t) {
  const form = schoolForm(book, mode)
  return to.call<Result>({ method: 'POST', url: `${at}/import`, headers: admin.headers, payload: form as never })
}

const school = (code: string) => sheet.school(code)
const codes = async (like: string): Promise<number> =>
  Number((await t.pool.query('SELECT count(*) FROM school WHERE "schoolCode" LIKE $1', [like])).rows[0].count)
const lastTask = async () =>
  (
    await t.pool.query(`SELECT k."bizType", k.mode, k."totalNum", k."okNum", k."errNum", k."taskStatus", k."errFile",
      f."originalName", f."createUser" FROM importtask k JOIN attach f ON f.id = k."fileId" ORDER BY k.id DESC LIMIT 1`)
  ).rows[0]

test('what the table holds already is named before anything is written, as is what the file repeats', async () => {
  await insert(t.app, School, { schoolName: '旧', schoolCode: 'OLD' })
  const answer = await send(await fill([school('NEW'), school('OLD'), school('NEW')]), 1)
  expect(answer).toMatchObject({ status: 400, code: 28006, data: { total: 3, success: 0, failed: 2 } })
  expect(answer.data.errors.map(({ row, column, msg }) => [row, column, msg])).toEqual([
    [4, '学校代码', '类型、学校代码重复'],
    [5, '类型、学校代码', '与第3行重复'],
  ])
  expect(await codes('NEW')).toBe(0)
})

test('every import leaves its file, its numbers and a copy that says what was wrong', async () => {
  const rows = [school('T1'), { ...school('T2'), 学校名称: '' }, { ...school('T3'), 类型: '没有' }]
  const refused = await send(await fill(rows), 1)
  expect(await lastTask()).toMatchObject({
    bizType: 'school',
    mode: 1,
    totalNum: 3,
    okNum: 0,
    errNum: 2,
    taskStatus: 3,
    errFile: refused.data.errFile,
    originalName: '考点.xlsx',
    createUser: admin.userId,
  })
  const file = `/api/blade-resource/attach/download?id=${refused.data.errFile}`
  const download = await t.app.inject({ url: file, headers: admin.headers })
  const [, titles, ...copy] = await cellsOf(download.rawPayload)
  expect(titles).toEqual([...sheet.titles, '错误原因'])
  expect(copy.map(cells => cells[sheet.titles.length] ?? '')).toEqual([
    '',
    '学校名称：请输入学校名称',
    '类型：「没有」不是可选值',
  ])
  const partly = await send(await fill(rows), 2)
  expect(partly).toMatchObject({ code: 200, data: { total: 3, success: 1, failed: 2 } })
  expect(await lastTask()).toMatchObject({ mode: 2, okNum: 1, errNum: 2, taskStatus: 2 })
  const rest = await t.app.inject({
    url: `/api/blade-resource/attach/download?id=${partly.data.errFile}`,
    headers: admin.headers,
  })
  expect((await cellsOf(rest.rawPayload)).slice(2).map(cells => cells[sheet.titles.indexOf('* 学校代码')])).toEqual([
    'T2',
    'T3',
  ])
})

describe('the same file', () => {
  test('is taken in once within ten minutes, and again later', async () => {
    const book = await fill([school('S1')])
    expect((await send(book, 1)).code).toBe(200)
    expect(await send(book, 1)).toMatchObject({ status: 409, code: 29006 })
    await t.pool.query(`DELETE FROM school WHERE "schoolCode" = 'S1'`)
    t.setNow('2026-06-01 08:10:01')
    expect((await send(book, 1)).code).toBe(200)
    t.setNow('2026-06-01 08:00:00')
  })

  test('of two who send it at once to two servers one is taken in', async () => {
    const book = await fill([school('D1'), school('D2')])
    const answers = await Promise.all([send(book, 2), send(book, 2, two), send(book, 2), send(book, 2, two)])
    expect(answers.map(one => one.code).sort()).toEqual([200, 29006, 29006, 29006])
    expect(await codes('D_')).toBe(2)
  })

  test('may be sent again when nothing of it was taken in', async () => {
    const book = await fill([{ ...school('A1'), 类型: '没有' }])
    expect((await send(book, 1)).code).toBe(28006)
    expect((await send(book, 1)).code).toBe(28006)
  })
})

test('of 2,000 rows 10 bad ones are named; mode 1 takes none, mode 2 the good ones', async () => {
  const bad = (i: number) => (i % 200 === 7 ? { 类型: '没有' } : {})
  const book = await fill(Array.from({ length: 2000 }, (_, i) => ({ ...school(`B${i}`), ...bad(i) })))
  const refused = await send(book, 1)
  expect(refused).toMatchObject({ code: 28006, data: { total: 2000, success: 0, failed: 10 } })
  expect(refused.data.errors[1]).toEqual({ row: 210, column: '类型', msg: '「没有」不是可选值' })
  expect(await codes('B%')).toBe(0)
  const partly = await send(book, 2)
  expect(partly).toMatchObject({ code: 200, data: { total: 2000, success: 1990, failed: 10 } })
  expect(await codes('B%')).toBe(1990)
})

test('what a rule of the database refuses nevertheless is named alone', async () => {
  await t.pool.query(`CREATE FUNCTION refuse_y() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW."schoolCode" LIKE 'Y%' THEN RAISE unique_violation USING CONSTRAINT = 'u_school_tenantId_schoolType_schoolCode', SCHEMA = 'public'; END IF;
    RETURN NEW; END $$`)
  await t.pool.query('CREATE TRIGGER refuse_y BEFORE INSERT ON school FOR EACH ROW EXECUTE FUNCTION refuse_y()')
  const rows = Array.from({ length: 40 }, (_, i) => school(i === 3 || i === 28 ? `Y${i}` : `Z${i}`))
  const whole = await send(await fill(rows), 1)
  expect(whole).toMatchObject({ code: 28006, data: { success: 0, failed: 2 } })
  expect(await codes('Z%')).toBe(0)
  const partly = await send(await fill(rows), 2)
  expect(partly).toMatchObject({ code: 200, data: { success: 38, failed: 2 } })
  expect(partly.data.errors.map(({ row, msg }) => [row, msg])).toEqual([
    [6, '类型、学校代码重复'],
    [31, '类型、学校代码重复'],
  ])
  expect(await codes('Z%')).toBe(38)
})
