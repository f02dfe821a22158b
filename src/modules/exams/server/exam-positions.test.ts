import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, drafting, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
let officer: Caller
let made: Awaited<ReturnType<typeof makeDraft>>
const at = '/blade-examitem/examitems'

beforeAll(async () => {
  t = await testApp({ now: drafting })
  officer = await signIn(t, { role: 'exam_admin' })
  await t.pool.query(
    `INSERT INTO dict_biz ("tenantId", code, "dictKey", "dictValue", "parentId", sort)
     SELECT '000000', 'recruit_unit', k, w, heading.id, 1 FROM dict_biz heading, (VALUES ('u1', '区人民医院'), ('u2', '区中医院')) one (k, w)
     WHERE heading.code = 'recruit_unit' AND heading."parentId" IS NULL AND heading."tenantId" = '000000'`,
  )
})
beforeEach(async () => {
  made = await makeDraft(t)
  await appoint(t, made.exam.id, officer)
})
afterAll(() => t.close())

/** The template as staff get it: its version and titles. */
async function template() {
  const answer = await t.app.inject({ url: `/api${at}/template`, headers: officer.headers })
  const rows = []
  for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
  const titles = rows[1] ?? []
  return { version: /：(\S+?)（/.exec(rows[0]?.[0] ?? '')?.[1] ?? '', titles }
}

type Cells = Record<string, unknown>
const row = (code: string, more: Cells = {}): Cells => ({
  考试: made.exam.examName,
  招聘单位: '区人民医院',
  岗位类别: '临床',
  岗位代码: code,
  岗位名称: `岗位${code}`,
  招聘计划数: 2,
  开考比例: '3',
  不设开考比例: '否',
  启用: '是',
  考试项目: '笔试',
  学历要求: '大学本科',
  ...more,
})

async function book(rows: Cells[]): Promise<Buffer> {
  const { version, titles } = await template()
  const columns = titles.map(title => ({ title: title.replace('* ', ''), required: title.startsWith('* ') }))
  const cells = rows.map(one => columns.map(({ title }) => one[title] ?? null))
  return templateWorkbook({ sheet: '招聘岗位', version, columns, rows: cells })
}

interface Outcome {
  total: number
  success: number
  failed: number
  errors: { row: number; column: string; msg: string }[]
}
const send = async (rows: Cells[] | Buffer, query = '?mode=1', who = officer) =>
  asCaller(t, who).send<Outcome>(`${at}/import${query}`, Array.isArray(rows) ? await book(rows) : rows)
const stored = async (examId = made.exam.id) =>
  (await t.pool.query(`SELECT * FROM examitems WHERE "examId" = $1 AND code <> 'A01' ORDER BY code`, [examId])).rows

test('the template asks for what a position must have', async () => {
  const { version, titles } = await template()
  expect(version).toBe('examitems-1')
  expect(titles).toEqual(
    expect.arrayContaining(['* 考试', '* 招聘单位', '* 岗位类别', '* 岗位代码', '* 岗位名称', '* 招聘计划数']),
  )
  expect(titles).not.toContain('核减后计划数')
})

test('words of units, types and education become keys, stages ids, the plan the present plan', async () => {
  const interview = await insert(t.app, Examinationitem, { examId: made.exam.id, itemName: '面试', itemStatus: 1 })
  await makeDraft(t)
  const answer = await send([
    row('B01', { 考试项目: '笔试、面试', 学位要求: '硕士、学士', 招聘计划数: '12', 专业要求: '临床医学、内科学' }),
    row('B02', { 招聘单位: 'u2', 岗位类别: '护理', 年龄上限: 35 }),
  ])
  expect(answer).toMatchObject({ code: 200, data: { total: 2, success: 2, failed: 0, errors: [] } })
  const rows = await stored()
  expect(rows[0]).toMatchObject({ unit: 'u1', type: '01', planNum: 12, curPlanNum: 12, eduReq: '30', enable: 1 })
  expect(rows[0]).toMatchObject({ itemIds: `${made.stage.id},${interview.id}`, createUser: officer.userId })
  expect(rows[0].degreeReq.split(',')).toHaveLength(2)
  expect(rows[1]).toMatchObject({ unit: 'u2', type: '02', ageMax: 35, itemIds: made.stage.id, tenantId: '000000' })
})

test('every bad row is named with its column and reason; mode 1 takes none, mode 2 the good ones', async () => {
  const rows = [
    row('C01'),
    row('C02', { 招聘计划数: 0 }),
    row('C03', { 开考比例: '三比一' }),
    row('C04', { 招聘单位: '没有的单位' }),
    row('C05', { 岗位名称: '' }),
    row('C06', { 考试项目: '体能测试' }),
    row('C01'),
    row('A01'),
    row('C07', { 学历要求: '很高' }),
    row('C08'),
  ]
  const refused = await send(rows)
  expect(refused).toMatchObject({ status: 400, code: 28006, data: { total: 10, success: 0, failed: 8 } })
  expect(refused.data.errors.map(one => [one.row, one.column])).toEqual([
    [4, '招聘计划数'],
    [5, '开考比例'],
    [6, '招聘单位'],
    [7, '岗位名称'],
    [8, '考试项目'],
    [9, '考试、岗位代码'],
    [10, '岗位代码'],
    [11, '学历要求'],
  ])
  expect(refused.data.errors.every(one => one.msg !== '')).toBe(true)
  expect(refused.data.errors[5]?.msg).toBe('与第3行重复')
  expect(refused.data.errors[6]?.msg).toBe('岗位代码重复')
  expect(await stored()).toEqual([])
  const partly = await send(rows, '?mode=2')
  expect(partly).toMatchObject({ code: 200, data: { total: 10, success: 2, failed: 8 } })
  expect((await stored()).map(one => one.code)).toEqual(['C01', 'C08'])
})

test('a formula is refused in its cell', async () => {
  const { writeXlsx, readXlsx } = await import('hucre')
  const plain = await book([row('D01')])
  const { titles } = await template()
  const { sheets } = await readXlsx(new Uint8Array(plain))
  const cells = new Map([[`2,${titles.indexOf('* 招聘计划数')}`, { value: 2, formula: '1+1' }]])
  const bytes = await writeXlsx({ sheets: [{ name: '招聘岗位', rows: sheets[0]!.rows, cells }] })
  const answer = await send(Buffer.from(bytes))
  expect(answer.code).toBe(28006)
  expect(answer.data.errors).toEqual([{ row: 3, column: '招聘计划数', msg: '不能使用公式，请填写值' }])
})

test('the exam may be given for the whole file; a row of another exam is then bad', async () => {
  const other = await makeDraft(t)
  await appoint(t, other.exam.id, officer)
  const query = `?mode=1&examId=${made.exam.id}`
  expect(await send([row('E01', { 考试: '' }), row('E02')], query)).toMatchObject({ code: 200, data: { success: 2 } })
  const wrong = await send([row('E03', { 考试: other.exam.examName })], query)
  expect(wrong.data.errors[0]).toMatchObject({ row: 3, column: '考试', msg: expect.stringContaining('不是当前的考试') })
  expect((await send([row('E04', { 考试: '' })])).data.errors[0]).toMatchObject({ row: 3, column: '考试' })
})

test('an exam out of scope, archived or of nobody takes no rows', async () => {
  const hidden = await makeDraft(t)
  const unseen = await send([row('F01', { 考试: hidden.exam.examName })])
  expect(unseen.data.errors[0]).toMatchObject({ column: '考试', msg: expect.stringContaining('不存在') })
  for (const id of [hidden.exam.id, '1', 'x'])
    expect((await send([row('F02', { 考试: '' })], `?mode=1&examId=${id}`)).code).toBe(29005)
  await t.pool.query('UPDATE examination SET "examStatus" = 3 WHERE id = $1', [made.exam.id])
  expect((await send([row('F03')])).data.errors).toMatchObject([{ msg: '考试已归档，只能查看' }])
  expect(await stored()).toEqual([])
})

test('a stage that only another exam has is refused in a file and in a form', async () => {
  const other = await makeDraft(t)
  await appoint(t, other.exam.id, officer)
  const far = await insert(t.app, Examinationitem, { examId: other.exam.id, itemName: '实操', itemStatus: 1 })
  const sent = await send([row('G01', { 考试项目: '实操' })])
  expect(sent.data.errors).toEqual([{ row: 3, column: '考试项目', msg: '「实操」不存在' }])
  const body = { id: made.post.id, version: 0, itemIds: far.id }
  const answer = await asCaller(t, officer).post(`${at}/submit`, body)
  expect(answer).toMatchObject({ code: 29005, data: [{ field: 'itemIds' }] })
})

test('120 rows are in at once', async () => {
  const rows = Array.from({ length: 120 }, (_, i) => row(`H${String(i).padStart(3, '0')}`))
  const file = await book(rows)
  const began = performance.now()
  expect(await send(file)).toMatchObject({ code: 200, data: { success: 120 } })
  const took = performance.now() - began
  console.log(`120 rows in ${Math.round(took)} ms`)
  // One second on a machine with nothing else to do.
  expect(took).toBeLessThan(20_000)
  expect(await stored()).toHaveLength(120)
})
