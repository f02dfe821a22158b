import os from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { templateWorkbook } from '../../src/platform/workbook/workbook.ts'
import { readRows } from '../../src/platform/workbook/workbook-read.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { askGauge, withGauge } from '../helper/gauge.ts'
import { stayLoggedIn } from '../helper/login.ts'
import { pdfText } from '../helper/pdf-text.ts'
import { buildServer, type ServerProcess, startServer } from '../helper/process.ts'
import { makeWritten, marking, scoreBook, scoreStaff, sitting, twoStaff } from '../helper/result-bench.ts'
import { candidateOf, drawing, makeStage, passed, seatStaff } from '../helper/seat-bench.ts'

// What is built is another program than the one that tests run: threads are texts in it, and packages are found from
// elsewhere. Everything that runs in a thread is done there once.

let t: TestApp
let server: ServerProcess
let headers: Record<string, string>
let stage: Awaited<ReturnType<typeof makeStage>>
let candidate: Awaited<ReturnType<typeof candidateOf>>
let exam: Awaited<ReturnType<typeof makeWritten>>
let people: Awaited<ReturnType<typeof sitting>>
let open: Awaited<ReturnType<typeof makeWritten>>
let sitters: Awaited<ReturnType<typeof sitting>>
let remarkId: string

beforeAll(async () => {
  buildServer()
  t = await testApp({ now: drawing })
  const staff = await seatStaff(t)
  stage = await makeStage(t, 1)
  candidate = await candidateOf(t, stage.examId, { files: [] as never, content: {} as never })
  await passed(t, stage.examId)
  for (const name of ['allotSeat', 'lockAllot']) await staff.act(name, stage.itemId)
  const { rows } = await t.pool.query<{ id: string }>(
    `INSERT INTO ticketremark ("examId", "remarkType", content) VALUES ($1, 1, '带身份证') RETURNING id`,
    [stage.examId],
  )
  remarkId = rows[0]!.id
  t.setNow(marking)
  const [one] = await twoStaff(t)
  exam = await makeWritten(t)
  people = await sitting(t, exam, 2)
  const line = (ticketNo: string) => ({ 准考证号: ticketNo, 成绩: 80 })
  const { take, act } = scoreStaff(t, one.who)
  expect(
    (
      await take(
        exam.itemId,
        people.map(({ ticket }) => line(ticket.ticketNo)),
      )
    ).code,
  ).toBe(200)
  expect((await act('releaseResult', exam.itemId)).code).toBe(200)
  open = await makeWritten(t)
  sitters = await sitting(t, open, 1)
  await t.pool.query(`UPDATE examinationitem SET "startTime" = '2020-01-01', "endTime" = '2020-01-02' WHERE id = $1`, [
    open.itemId,
  ])
  headers = one.who.headers
  t.setNow(new Date())
  await stayLoggedIn(t)
  // The demo's password is nobody's here: the process is started for use.
  await t.pool.query(`UPDATE "user" SET password = NULL`)
  await t.pool.query('DELETE FROM kept_drawing')
  server = await startServer({ DATABASE_URL: t.url, DATA_DIR: t.app.config.dataDir }, os.tmpdir())
})
afterAll(async () => {
  await server?.stop()
  await t?.close()
})

const get = (url: string, who = headers) => fetch(`${server.url}/api${url}`, { headers: who })
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

async function textOfPdf(answer: Response): Promise<string> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return pdfText(await bytesOf(answer))
    .join('')
    .replace(/\s/g, '')
}

async function send(url: string, file: Buffer, fields: Record<string, string>, name = 'a.xlsx') {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([new Uint8Array(file)]), name)
  const answer = await fetch(`${server.url}/api${url}`, { method: 'POST', headers, body: form })
  return (await answer.json()) as { code: number; msg: string; data: Record<string, unknown> }
}

test.each([
  [2, '准考证'],
  [3, '考场'],
  [4, '考生签到表'],
  [5, '考生'],
])('papers of a stage, type %i', async (type, word) => {
  const paper = await get(`/blade-signup/signup/exportTicket?id=${stage.itemId}&type=${type}`)
  expect(await textOfPdf(paper)).toContain(word)
})

test('a ticket, its sample, a sign-up form, a final list', async () => {
  const { rows } = await t.pool.query<{ id: string }>('SELECT id FROM examinationticket WHERE "itemId" = $1 LIMIT 1', [
    stage.itemId,
  ])
  expect(await textOfPdf(await get(`/blade-signup/signup/exportTicket?id=${rows[0]!.id}&type=1`))).toContain('准考证')
  expect(await textOfPdf(await get(`/blade-ticketRemark/ticketremark/preview?id=${remarkId}`))).toContain('带身份证')
  const form = await fetch(`${server.url}/api/blade-signup/signup/exportPDFView`, {
    method: 'POST',
    body: JSON.stringify({ signupId: candidate.signup.id }),
    headers: { ...candidate.caller.headers, 'content-type': 'application/json' },
  })
  expect(await textOfPdf(form)).toContain(candidate.signup.name)
  const list = await get(`/blade-exam/examination/printFinalList?examId=${exam.examId}`)
  expect(await textOfPdf(list)).toContain(people[0]!.signup.name)
})

test('a workbook of results is taken in', async () => {
  const book = await scoreBook([{ 准考证号: sitters[0]!.ticket.ticketNo, 成绩: 66 }])
  expect(await send('/blade-exam/examination/importResult', book, { itemId: open.itemId, mode: '1' })).toMatchObject({
    code: 200,
    data: { okNum: 1, errNum: 0 },
  })
})

test('a workbook of a generated screen is taken in, and what it made comes out as one', async () => {
  const template = await bytesOf(await get('/blade-school/school/template'))
  const lines: string[][] = []
  for await (const row of readRows(template)) lines.push(row.cells.map(cell => cell.text))
  const version = /：(\S+?)（/.exec(lines[0]?.[0] ?? '')?.[1] ?? ''
  const columns = (lines[1] ?? []).map(title => ({ title: title.replace('* ', ''), required: title.startsWith('* ') }))
  const values: Record<string, string> = { 学校名称: '线程大学', 学校代码: 'XC1', 类型: '毕业院校', 启用: '是' }
  const book = await templateWorkbook({
    sheet: '学校',
    version,
    columns,
    rows: [columns.map(({ title }) => values[title] ?? null)],
  })
  const answer = await send('/blade-school/school/import?mode=1', book, {})
  expect([answer.code, answer.msg]).toEqual([200, expect.any(String)])
  const found: string[] = []
  const file = await bytesOf(await get('/blade-school/school/export?schoolName=线程大学'))
  for await (const row of readRows(file)) found.push(...row.cells.map(cell => cell.text))
  expect(found).toContain('线程大学')
})

test('an uploaded PDF is looked through', async () => {
  const paper = await bytesOf(await get(`/blade-signup/signup/exportTicket?id=${stage.itemId}&type=3`))
  const url = '/blade-resource/attach/upload?owner=approval'
  expect(await send(url, paper, {}, 'a.pdf')).toMatchObject({ code: 200 })
  const hostile = Buffer.from(
    '%PDF-1.7\n1 0 obj << /Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n',
  )
  expect((await send(url, hostile, {}, 'a.pdf')).code).toBe(28003)
})

test('a start loads nothing that only some work needs', async () => {
  const idle = await startServer({ DATABASE_URL: t.url, DATA_DIR: t.app.config.dataDir, ...withGauge }, os.tmpdir())
  try {
    const loaded = await askGauge<string[]>(idle.child, 'loaded')
    const rare = ['undici', 'nodemailer', 'smtp-server', 'sanitize-html', 'sharp', 'pdfkit', 'qrcode']
    expect(loaded.filter(one => rare.some(name => one.split(/[/\\]/).includes(name)))).toEqual([])
    expect(loaded.some(one => one.split(/[/\\]/).includes('pg'))).toBe(true)
  } finally {
    await idle.stop()
  }
})
