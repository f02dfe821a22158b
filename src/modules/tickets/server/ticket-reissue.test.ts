import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Ticketremark } from '#schemas/tickets/ticketremark'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { asCaller, windows } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import {
  candidateOf,
  draftOf,
  drawing,
  makeStage,
  passed,
  seatStaff,
  ticketsOf,
} from '../../../../tests/helper/seat-bench.ts'
import { templateWorkbook } from '../../../platform/workbook/workbook.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
})
afterAll(() => t.close())

async function at(time: Date | string) {
  t.setNow(time)
  await stayLoggedIn(t)
}

async function seated(count = 2, release = true) {
  await at(drawing)
  const made = await makeStage(t, 1)
  const { caller, signup } = await candidateOf(t, made.examId)
  for (let i = 1; i < count; i++) await passed(t, made.examId)
  for (const name of ['allotSeat', 'lockAllot', ...(release ? ['releaseTicket'] : [])])
    await staff.act(name, made.itemId)
  const mine = async () => (await ticketsOf(t, made.itemId)).filter(one => one.signupId === signup.id)
  return { ...made, caller, signup, mine }
}

const verify = async (code: string) =>
  (await t.call<{ valid: boolean; reason?: string }>(`/api/public/verify?code=${encodeURIComponent(code)}`)).data

describe('a ticket issued anew', () => {
  test('has the same seat, a number and a code of its own; the old one is void', async () => {
    const { mine, signup, caller, itemId } = await seated()
    const [old] = await mine()
    await t.pool.query('UPDATE signup SET name = $2 WHERE id = $1', [signup.id, '改名后'])
    const reissue = (ids: string, reason = '姓名更正') =>
      staff.post(`${base}/reissueTicket`, { ticketIds: ids, reason })
    expect((await reissue(old!.id, '')).code).toBe(29005)
    expect((await reissue(old!.id)).data).toEqual({ num: 1 })
    const [first, second] = (await mine()).toSorted((a, b) => a.ticketNo.length - b.ticketNo.length)
    expect(first).toMatchObject({ id: old!.id, ticketStatus: 2, voidReason: '姓名更正' })
    expect(second).toMatchObject({ ticketNo: `${old!.ticketNo}-2`, name: '改名后', ticketStatus: 1 })
    expect([second?.roomId, second?.seatNo]).toEqual([old!.roomId, old!.seatNo])
    expect([await verify(old!.qrPayload), await verify(second!.qrPayload)]).toMatchObject([
      { valid: false, reason: '已作废' },
      { valid: true, roomNo: old!.roomNo },
    ])
    const kept = await t.pool.query(
      'SELECT "rowId", act, reason, changes FROM history WHERE "rowId" IN ($1, $2) ORDER BY id',
      [first?.id, second?.id],
    )
    expect(kept.rows).toMatchObject([
      { rowId: first?.id, act: 'reissue', reason: '姓名更正', changes: { ticketStatus: [1, 2] } },
      { rowId: second?.id, act: 'reissue', reason: '姓名更正', changes: { name: [null, '改名后'] } },
    ])
    await at(windows.ticketStartTime)
    const own = await asCaller(t, caller).post('/blade-ticketNotice/ticketnotice/saveTicketDownInfo', { itemId })
    expect(own.code).toBe(200)
    expect((await reissue(second!.id)).data).toEqual({ num: 1 })
    expect(
      (await mine())
        .map(one => one.ticketNo)
        .toSorted()
        .at(-1),
    ).toBe(`${old!.ticketNo}-3`)
    const { rows } = await t.pool.query('SELECT "downNum", "ticketNo" FROM ticketnotice WHERE "itemId" = $1', [itemId])
    expect(rows).toEqual([{ downNum: 0, ticketNo: `${old!.ticketNo}-3` }])
    expect((await reissue(first!.id)).data).toEqual({ num: 0 })
  })

  test('is made once when two ask at once', async () => {
    const { mine } = await seated()
    const [old] = await mine()
    const ask = () => staff.post(`${base}/reissueTicket`, { ticketIds: old!.id, reason: 'x' })
    const codes = (await Promise.all([ask(), ask(), ask()])).map(one => one.code)
    expect(codes).toEqual([200, 200, 200])
    expect((await mine()).filter(one => one.ticketStatus !== 2)).toHaveLength(1)
  })

  test('is not made for somebody who is out, nor on a seat that was given away', async () => {
    const { mine, signup, itemId } = await seated()
    const [old] = await mine()
    const reissue = () => staff.post(`${base}/reissueTicket`, { ticketIds: old!.id, reason: 'x' })
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [signup.id])
    expect((await reissue()).code).toBe(29009)
    await t.pool.query('UPDATE signup SET "signStatus" = 1 WHERE id = $1', [signup.id])
    await staff.post(`${base}/voidTicket`, { ids: old!.id, reason: 'x' })
    const other = (await ticketsOf(t, itemId)).find(one => one.signupId !== signup.id)
    await t.pool.query('UPDATE examinationticket SET "seatNo" = $2 WHERE id = $1', [other?.id, old!.seatNo])
    expect((await reissue()).code).toBe(25009)
    await t.pool.query('UPDATE examinationticket SET "seatNo" = $2 WHERE id = $1', [other?.id, other?.seatNo])
    expect((await reissue()).code).toBe(200)
  })
})

describe('a ticket nobody has seen', () => {
  test('is removed; one that is out is not', async () => {
    const { mine, itemId } = await seated(2, false)
    const [one] = await mine()
    const remove = (ids: string) => staff.post(`/blade-ticket/examinationticket/remove?ids=${ids}`)
    const { version } = (await t.pool.query('SELECT version FROM examinationticket WHERE id = $1', [one!.id])).rows[0]
    const change = { id: one!.id, name: 'x', seatNo: '99', paper: 'A' }
    expect((await staff.post('/blade-ticket/examinationticket/submit', { ...change, version })).code).toBe(200)
    const kept = await t.pool.query('SELECT name, "seatNo", paper FROM examinationticket WHERE id = $1', [one!.id])
    expect(kept.rows[0]).toMatchObject({
      paper: 'A',
      name: expect.not.stringMatching('^x$'),
      seatNo: expect.not.stringMatching('99'),
    })
    expect((await remove(one!.id)).code).toBe(200)
    expect((await staff.post(`${base}/deleteTicket`, { itemId })).data).toEqual({ num: 1 })
    expect((await staff.post(`${base}/deleteTicket`, { itemId })).data).toEqual({ num: 0 })
    await staff.act('unlockAllot', itemId)
    expect((await staff.act('lockAllot', itemId)).data).toEqual({ num: 2 })
    await staff.act('releaseTicket', itemId)
    const [again] = await mine()
    expect((await remove(again!.id)).code).toBe(25011)
    expect((await staff.post(`${base}/deleteTicket`, { ticketIds: again!.id })).code).toBe(25011)
    await staff.post(`/blade-ticket/examinationticket/voidTicket?id=${again!.id}`, { reason: 'x' })
    expect((await remove(again!.id)).code).toBe(29009)
  })
})

describe('seats made elsewhere', () => {
  const version = 'seats-1'
  const head = ['报名号', '姓名', '报考单位', '岗位代码', '准考证号', '考点代码', '考场号', '座位号']
  const required = ['报名号', '考点代码', '考场号', '座位号']
  const columns = head.map(title => ({
    title,
    ...(required.includes(title) ? { required: true } : {}),
    ...(title === '座位号' ? { type: 'number' as const } : {}),
  }))
  const bookOf = (rows: readonly (readonly unknown[])[]) =>
    templateWorkbook({ sheet: '考生座位', version, columns, rows })
  const sheetOf = async (itemId: string) => {
    const url = `/api${base}/exportTicketExcel?itemId=${itemId}`
    const answer = await t.app.inject({ url, headers: staff.who.headers })
    const rows: string[][] = []
    for await (const row of readRows(answer.rawPayload)) rows.push(row.cells.map(cell => cell.text))
    return rows.slice(2)
  }

  async function open(count: number) {
    await at(drawing)
    const made = await makeStage(t, 1)
    for (let i = 0; i < count; i++) await passed(t, made.examId)
    const rows = await sheetOf(made.itemId)
    const send = (lines: readonly (readonly unknown[])[], mode = '1') =>
      bookOf(lines).then(book =>
        staff.send<{ rows: { row: number; column: string }[]; errFile?: string }>(`${base}/importTicket`, book, {
          itemId: made.itemId,
          mode,
        }),
      )
    const line = (i: number, seat: unknown, more: Record<number, unknown> = {}) =>
      Object.assign([rows[i]?.[0], rows[i]?.[1], '', '', '', made.site.schoolCode, '001', seat], more)
    return { ...made, rows, send, line }
  }

  test('come in by the sheet that goes out, and become tickets', async () => {
    const { itemId, send, line, rows } = await open(3)
    expect(rows).toHaveLength(3)
    const answer = await send([line(0, 5), line(1, 2), line(2, 6)])
    expect(answer).toMatchObject({ code: 200, data: { okNum: 3, errNum: 0 } })
    expect((await draftOf(t, itemId)).map(one => one.seatNo).toSorted()).toEqual([2, 5, 6])
    expect((await staff.act('lockAllot', itemId)).data).toEqual({ num: 3 })
    expect((await send([line(0, 1)])).code).toBe(25008)
    const out = await sheetOf(itemId)
    expect(out.map(row => row[7])).toEqual(['2', '5', '6'])
    expect(out.every(row => row[4] !== '')).toBe(true)
  })

  test('are all wrong or right; every wrong cell is named', async () => {
    const { itemId, send, line } = await open(3)
    const bad = await send([line(0, 1), line(0, 2), line(1, 1), line(2, 99), line(1, 3, { 1: '别人', 6: '077' })])
    expect(bad.code).toBe(28006)
    expect(bad.data.rows.map(one => [one.row, one.column])).toEqual([
      [4, '报名号'],
      [5, '座位号'],
      [6, '座位号'],
      [7, '报名号'],
      [7, '姓名'],
      [7, '考场号'],
    ])
    expect(await draftOf(t, itemId)).toEqual([])
    const taken = (await send([line(0, 1), line(1, 99)], '2')).data
    expect(taken).toMatchObject({ okNum: 1, errNum: 1 })
    const copy = []
    const url = `/api/blade-resource/attach/download?id=${taken.errFile}`
    const file = await t.app.inject({ url, headers: staff.who.headers })
    for await (const row of readRows(file.rawPayload)) copy.push(row.cells.map(cell => cell.text))
    expect(copy.slice(2).map(row => [row[7], row.at(-1)])).toEqual([['99', '座位号：应为 1 到 6 的整数']])
    expect(await draftOf(t, itemId)).toHaveLength(1)
    expect((await staff.act('lockAllot', itemId)).code).toBe(29005)
    expect((await staff.post(`${base}/importTicket`, { itemId })).code).toBe(29005)
  })
})

describe('what is printed below a ticket', () => {
  test('is the exam’s own rules instead of the standard ones, and a word to one of them', async () => {
    const { caller, mine, examId, itemId } = await seated(2)
    await at(windows.ticketStartTime)
    const [ticket] = await mine()
    const notes = async () =>
      (await asCaller(t, caller).get<{ notes: string[] }>(`${base}/getTicketInfo?id=${ticket!.id}`)).data.notes
    expect((await notes())[0]).toContain('身份证原件')
    const remark = (content: string, more: object) =>
      insert(t.app, Ticketremark, { examId, itemId: null, ticketId: null, remarkType: 1, content, sort: 1, ...more })
    await remark('<p>带黑色签字笔。</p><p>七点半开门。</p>', {})
    await remark('<p>别的项目</p>', { itemId: '4242' })
    await remark('<p>请走东门。</p>', { remarkType: 2, ticketId: ticket!.id })
    await remark('<p>给别人的话</p>', { remarkType: 2, ticketId: '4242' })
    await remark('<p>缺考记录</p>', { remarkType: 3 })
    expect(await notes()).toEqual(['带黑色签字笔。', '七点半开门。', '请走东门。'])
    const list = await staff.get<unknown[]>(
      `/blade-ticketRemark/ticketremark/examRemarkList?examId=${examId}&itemId=${itemId}`,
    )
    expect(list.data).toHaveLength(4)
  })

  test('is written by either name of the call, and shown on a sample', async () => {
    const { examId } = await seated(1)
    const at = '/blade-ticketRemark/ticketremark'
    for (const name of ['save', 'submit'])
      expect((await staff.post(`${at}/${name}`, { examId, remarkType: 1, content: `<p>${name}</p>` })).code).toBe(200)
    const { records } = (await staff.get<{ records: { id: string }[] }>(`${at}/page?examId=${examId}`)).data
    expect(records).toHaveLength(2)
    const pdf = await t.app.inject({ url: `/api${at}/preview?id=${records[0]?.id}`, headers: staff.who.headers })
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  })
})

test('templates of schools come by a closed list of names', async () => {
  const get = (code: string) =>
    t.app.inject({ url: `/api/blade-school/school/getExcel?code=${code}`, headers: staff.who.headers })
  for (const code of ['college', 'site']) {
    const answer = await get(code)
    expect(answer.headers['content-type']).toContain('spreadsheetml')
  }
  expect((await get('../etc')).json().code).toBe(29005)
})
