import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { draftOf, drawing, makeStage, passed, seatStaff } from '../../../../tests/helper/seat-bench.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
let officer: Caller
let made: Awaited<ReturnType<typeof makeStage>>
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
  officer = await signIn(t, { role: 'exam_admin' })
})
beforeEach(async () => {
  made = await makeStage(t, 0)
})
afterAll(() => t.close())

const titles = ['考点代码', '名称', '地址', '考场号', '教室', '排', '列', '座位数', '预留', '科目', '特殊'] as const
type Cells = Partial<Record<(typeof titles)[number], unknown>>
const needed: readonly string[] = ['考点代码', '名称', '地址', '考场号', '座位数']
const columns = titles.map(title => ({ title, required: needed.includes(title) }))
const room = (no: string, more: Cells = {}): Cells => ({
  考点代码: 'K1',
  名称: '清源一中',
  地址: '学府路 18 号',
  考场号: no,
  教室: '101',
  排: 5,
  列: 6,
  座位数: 30,
  ...more,
})
const book = (rows: readonly Cells[], version = 'examroom-1') =>
  templateWorkbook({
    sheet: '考点考场',
    version,
    columns,
    rows: rows.map(row => titles.map(title => row[title] ?? null)),
  })

const downloadOf = (id: string | null) => `/api/blade-resource/attach/download?id=${id}`

/** The rows of the copy with the reasons. */
async function copyOf(id: string | null): Promise<string[][]> {
  const answer = await t.app.inject({ url: downloadOf(id), headers: staff.who.headers })
  const rows: string[][] = []
  for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text ?? ''))
  expect(rows[1]?.at(-1)).toBe('错误原因')
  return rows.slice(2)
}

interface Outcome {
  errFile: string | null
  okNum: number
  errNum: number
  rows: { row: number; column: string; msg: string }[]
}
const send = async (rows: readonly Cells[] | Buffer, mode = '1', itemId = made.itemId) =>
  staff.send<Outcome>(`${base}/importSchool`, Buffer.isBuffer(rows) ? rows : await book(rows as Cells[]), {
    itemId,
    examId: made.examId,
    mode,
  })
const stored = async () =>
  (
    await t.pool.query(
      `SELECT room.*, school."schoolName", school."schoolCode", school.address FROM examroom room JOIN school ON school.id = room."schoolId"
       WHERE room."itemId" = $1 AND room."isDeleted" = 0 ORDER BY room."roomNo"`,
      [made.itemId],
    )
  ).rows

/** A written subject: its key and its word. */
async function oneSubject(): Promise<[string, string]> {
  const { rows } = await t.pool.query(
    `SELECT "dictKey", "dictValue" FROM dict_biz WHERE code = 'exam_subject' AND "dictKey" <> '-1' LIMIT 1`,
  )
  return [rows[0].dictKey, rows[0].dictValue]
}

test('rooms of several sites come in with their sites', async () => {
  const subject = await oneSubject()
  const rows = [
    room('001'),
    room('002', { 预留: 2, 科目: subject[1], 特殊: '是', 教室: null }),
    room('003', { 科目: subject[0] }),
    room('001', { 考点代码: 'K2', 名称: '实验中学', 地址: '望湖路 6 号', 排: null, 列: null, 座位数: '20' }),
  ]
  expect(await send(rows)).toMatchObject({ code: 200, data: { okNum: 4, errNum: 0, rows: [] } })
  expect(await stored()).toMatchObject(
    [
      { roomNo: '001', schoolCode: 'K1', rows: 5, cols: 6, capacity: 30, isSpecial: 0, reserve: null, subject: null },
      { roomNo: '001', schoolCode: 'K2', schoolName: '实验中学', rows: null, capacity: 20, address: '望湖路 6 号' },
      { roomNo: '002', schoolCode: 'K1', reserve: 2, subject: subject[0], isSpecial: 1, roomName: null },
      { roomNo: '003', subject: subject[0] },
    ].toSorted((a, b) => a.roomNo.localeCompare(b.roomNo)),
  )
  const sites = await t.pool.query(`SELECT * FROM school WHERE "schoolCode" IN ('K1', 'K2') AND "schoolType" = 2`)
  expect(sites.rows).toHaveLength(2)
})

test('a room known by site and number is brought up to date, as is its site', async () => {
  await send([room('001'), room('002')])
  const [before] = await stored()
  const again = [room('001', { 名称: '清源一中（新校区）', 座位数: 25, 教室: '305' }), room('003')]
  expect(await send(again.map(one => ({ ...one, 名称: '清源一中（新校区）' })))).toMatchObject({ data: { okNum: 2 } })
  const rows = await stored()
  expect(rows.map(row => [row.roomNo, row.capacity, row.schoolName])).toEqual([
    ['001', 25, '清源一中（新校区）'],
    ['002', 30, '清源一中（新校区）'],
    ['003', 30, '清源一中（新校区）'],
  ])
  expect(rows[0]).toMatchObject({ id: before.id, roomName: '305' })
  const kept = await t.pool.query(
    `SELECT entity, act, changes FROM history WHERE "userId" = $1 AND "rowId" IN ($2, $3) ORDER BY id`,
    [staff.who.userId, before.id, before.schoolId],
  )
  expect(kept.rows.slice(-2)).toMatchObject([
    { entity: 'school', act: 'edit', changes: { schoolName: [expect.any(String), '清源一中（新校区）'] } },
    { entity: 'examroom', act: 'edit', changes: { capacity: [30, 25] } },
  ])
})

test('the template carries what there is and comes back as it was', async () => {
  await send([room('001'), room('002', { 特殊: '是', 预留: 3 })])
  const before = await stored()
  const url = `/api${base}/getSchoolExcel?itemId=${made.itemId}`
  const answer = await t.app.inject({ method: 'POST', url, headers: staff.who.headers })
  expect(answer.headers['content-type']).toContain('spreadsheetml')
  const rows = []
  for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
  expect(rows[1]?.map(text => text.replace('* ', ''))).toEqual([...titles])
  expect(rows.slice(2).map(row => row.slice(0, 4))).toEqual([
    ['K1', '清源一中', '学府路 18 号', '001'],
    ['K1', '清源一中', '学府路 18 号', '002'],
  ])
  expect(await send(answer.rawPayload)).toMatchObject({ data: { okNum: 2, errNum: 0 } })
  const { updateTime: _, version: _version, ...first } = before[0]
  expect((await stored())[0]).toMatchObject(first)
})

test('every bad row is named; mode 1 takes none, mode 2 the good ones', async () => {
  const rows = [
    room('001'),
    room('002', { 考点代码: '一中' }),
    room('003', { 座位数: 100 }),
    room('004', { 排: 5, 列: 5, 座位数: 26 }),
    room('005', { 预留: 31 }),
    room('006', { 特殊: '也许' }),
    room('001'),
    room('', {}),
    room('008', { 座位数: '三十' }),
    room('009', { 名称: null, 地址: null }),
    room('010', { 科目: '没有的科目' }),
    room('011'),
  ]
  const refused = await send(rows)
  expect(refused).toMatchObject({ status: 400, code: 28006, data: { okNum: 0, errNum: 10 } })
  expect(refused.data.rows.map(one => [one.row, one.column])).toEqual([
    [4, '考点代码'],
    [5, '座位数'],
    [6, '座位数'],
    [7, '预留'],
    [8, '特殊'],
    [9, '考场号'],
    [10, '考场号'],
    [11, '座位数'],
    [12, '名称'],
    [12, '地址'],
    [13, '科目'],
  ])
  expect(await stored()).toEqual([])
  const taken = await send(rows, '2')
  expect(taken).toMatchObject({ code: 200, data: { okNum: 2, errNum: 10 } })
  expect((await stored()).map(row => row.roomNo)).toEqual(['001', '011'])
  // Each leaves a copy with the reasons: of all rows when none was taken, of those that are still out otherwise.
  const [whole, rest] = [await copyOf(refused.data.errFile), await copyOf(taken.data.errFile)]
  expect([whole.length, rest.length]).toEqual([12, 10])
  expect(whole[0]?.at(-1)).toBe('')
  expect(whole[1]?.at(-1)).toBe('考点代码：请输入考点代码，只能是字母、数字和 -')
  expect(rest[8]?.at(-1)).toBe('名称：请输入名称；地址：请输入地址')
  const tasks = t.db
    .selectFrom('importtask')
    .selectAll()
    .where('createUser', '=', staff.who.userId)
    .orderBy('id', 'desc')
  expect((await tasks.limit(2).execute()).toReversed()).toMatchObject([
    { bizType: 'school', mode: 1, totalNum: 12, okNum: 0, errNum: 10, taskStatus: 3 },
    { bizType: 'school', mode: 2, totalNum: 12, okNum: 2, errNum: 10, taskStatus: 2 },
  ])
})

test('a copy that was corrected is taken in again', async () => {
  const { data } = await send([room('001'), room('002', { 座位数: 100 })], '2')
  const [wrong] = await copyOf(data.errFile)
  expect(wrong?.slice(0, 4)).toEqual(['K1', '清源一中', '学府路 18 号', '002'])
  const answer = await t.app.inject({ url: downloadOf(data.errFile), headers: staff.who.headers })
  const rows: unknown[][] = []
  for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
  const corrected = rows.slice(2).map(row => row.map(cell => (cell === '100' ? '30' : cell)))
  const titled = [...columns, { title: '错误原因' }]
  const again = await templateWorkbook({ sheet: '考点考场', version: 'examroom-1', columns: titled, rows: corrected })
  expect(await send(again)).toMatchObject({ code: 200, data: { okNum: 1, errNum: 0, errFile: '' } })
  expect((await stored()).map(row => row.roomNo)).toEqual(['001', '002'])
})

test('a file without a good row takes nothing in, in either mode', async () => {
  for (const mode of ['1', '2']) {
    const { code, data } = await send([room('001', { 座位数: 100 + Number(mode) })], mode)
    expect([code, data.okNum, data.errNum, (await copyOf(data.errFile)).length]).toEqual([28006, 0, 1, 1])
  }
})

test('another sheet, an empty one, no file and no workbook are refused', async () => {
  expect((await send(await book([room('001')], 'other-1'))).code).toBe(28005)
  expect((await send([])).code).toBe(28005)
  expect((await send(Buffer.from('x'))).code).toBe(28003)
  const form = new FormData()
  form.set('itemId', made.itemId)
  const none = { method: 'POST', url: `/api${base}/importSchool`, headers: staff.who.headers, payload: form } as const
  expect((await t.call(none as never)).code).toBe(29005)
  const json = { method: 'POST', url: `/api${base}/importSchool`, headers: staff.who.headers, payload: {} } as const
  expect((await t.call(json)).status).toBeLessThan(500)
})

test('nothing changes once the seats are locked, by file or by hand', async () => {
  await send([room('001'), room('002')])
  await passed(t, made.examId)
  await staff.act('allotSeat', made.itemId)
  expect((await send([room('001'), room('002', { 座位数: 29 })])).code).toBe(200)
  await staff.act('lockAllot', made.itemId)
  expect((await send([room('001', { 座位数: 12 })])).code).toBe(25008)
  const [one] = await stored()
  const other = await makeStage(t, 1)
  const { rows } = await t.pool.query('SELECT id FROM examroom WHERE "itemId" = $1', [other.itemId])
  const save = async (values: { id: string } & Record<string, unknown>) => {
    const { rows } = await t.pool.query('SELECT version FROM examroom WHERE id = $1', [values.id])
    return staff.post('/blade-exam/examroom/submit', { version: rows[0].version, ...values })
  }
  expect((await save({ id: one.id, capacity: 10 })).code).toBe(25008)
  const at = ({ examId, itemId }: typeof made) => ({ examId, itemId })
  expect((await save({ id: one.id, ...at(other) })).code).toBe(25008)
  expect((await save({ id: rows[0].id, ...at(made) })).code).toBe(25008)
  const strayed = await save({ id: rows[0].id, itemId: made.itemId })
  expect(strayed).toMatchObject({ code: 29005, data: [{ field: 'itemId' }] })
  expect((await staff.post(`/blade-exam/examroom/remove?ids=${one.id}`)).code).toBe(25008)
  expect((await stored())[0]).toMatchObject({ capacity: 30 })
  expect((await save({ id: rows[0].id, capacity: 5 })).code).toBe(200)
  expect(await draftOf(t, made.itemId)).toHaveLength(1)
})

test('only whoever is appointed to the exam', async () => {
  const own = asCaller(t, officer)
  const file = await book([room('001')])
  const fields = { itemId: made.itemId, mode: '1' }
  expect((await own.send(`${base}/importSchool`, file, fields)).code).toBe(29001)
  expect((await own.get(`${base}/getSchoolExcel?itemId=${made.itemId}`)).code).toBe(29001)
  await appoint(t, made.examId, officer)
  expect((await own.send(`${base}/importSchool`, file, fields)).code).toBe(200)
  const candidate = asCaller(t, await signIn(t, { role: 'candidate' }))
  expect((await candidate.send(`${base}/importSchool`, file, fields)).status).toBe(403)
})

test('two files at once make each site and room once', async () => {
  const rows = Array.from({ length: 40 }, (_, i) => room(String(i + 1).padStart(3, '0'), { 考点代码: 'P1' }))
  const [file, other] = [await book(rows), await book([...rows, room('041', { 考点代码: 'P1' })])]
  const answers = await Promise.all([send(file), send(file), send(other)])
  // The same file twice within ten minutes is one import.
  expect(answers.map(one => one.code).toSorted()).toEqual([200, 200, 29006])
  expect(await stored()).toHaveLength(41)
  const sites = await t.pool.query(`SELECT 1 FROM school WHERE "schoolCode" = 'P1'`)
  expect(sites.rows).toHaveLength(1)
})
