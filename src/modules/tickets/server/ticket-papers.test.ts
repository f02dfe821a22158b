import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller } from '../../../../tests/helper/exam-bench.ts'
import { pdfText } from '../../../../tests/helper/pdf-text.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { candidateOf, drawing, makeStage, passed, seatStaff, ticketsOf } from '../../../../tests/helper/seat-bench.ts'
import { readRows } from '../../../platform/workbook/workbook-read.ts'
import { tellDue } from '../../notifications/server/tell.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
let made: Awaited<ReturnType<typeof makeStage>>
let candidate: Caller

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
  made = await makeStage(t, 2)
  candidate = (await candidateOf(t, made.examId)).caller
  for (let i = 0; i < 7; i++) await passed(t, made.examId)
})
afterAll(() => t.close())

const textOf = (pdf: Buffer) => pdfText(pdf).join('').replace(/\s/g, '')
const print = (id: string, type: number, who = staff.who) =>
  t.app.inject({ url: `/api/blade-signup/signup/exportTicket?id=${id}&type=${type}`, headers: who.headers })

test('papers of a stage: everybody is on them once, and no ID number in full', async () => {
  expect((await print(made.itemId, 3)).json().code).toBe(25002)
  for (const name of ['allotSeat', 'lockAllot']) await staff.act(name, made.itemId)
  const tickets = await ticketsOf(t, made.itemId)
  expect(tickets).toHaveLength(8)
  for (const type of [2, 3, 4, 5]) {
    const answer = await print(made.itemId, type)
    const text = textOf(answer.rawPayload)
    for (const { ticketNo } of tickets) expect([type, text.split(ticketNo).length - 1]).toEqual([type, 1])
    const numbers = tickets.map(one => t.app.vault.open(one.idCard))
    if (type !== 2) expect(numbers.filter(one => text.includes(one))).toEqual([])
  }
})

test('papers of one room hold that room', async () => {
  const tickets = await ticketsOf(t, made.itemId)
  const { roomId } = tickets[0]!
  const text = textOf((await print(roomId, 3)).rawPayload)
  const shown = tickets.filter(one => text.includes(one.ticketNo))
  expect(shown.map(one => one.id)).toEqual(tickets.filter(one => one.roomId === roomId).map(one => one.id))
})

test('tickets have the layout of their tenant', async () => {
  const text = async () => textOf((await print(made.itemId, 2)).rawPayload)
  expect(await text()).toContain('性别')
  await t.db.updateTable('param').set({ paramValue: 'large' }).where('paramKey', '=', 'ticket.layout').execute()
  expect(await text()).not.toContain('性别')
})

test('the roster goes unit by unit', async () => {
  const rows: string[][] = []
  for await (const row of readRows((await print(made.itemId, 6)).rawPayload))
    rows.push(row.cells.map(cell => cell.text))
  expect(rows).toHaveLength(9)
  expect(rows.slice(1).every(row => /^\d{3,6}\*+\w{4}$/.test(row[4] ?? ''))).toBe(true)
})

test('they are for staff of the exam with the right to export tickets', async () => {
  expect((await print(made.itemId, 3, candidate)).statusCode).toBe(403)
  const clerk = await signIn(t, { permissions: ['examinationticket_export'] })
  expect((await print(made.itemId, 3, clerk)).json().code).toBe(29001)
  await appoint(t, made.examId, clerk)
  expect((await print(made.itemId, 3, clerk)).statusCode).toBe(200)
  expect((await print(made.itemId, 9, clerk)).json().code).toBe(29005)
})

test('tickets that were chosen are printed in the order of the list, none that is void', async () => {
  const tickets = await ticketsOf(t, made.itemId)
  type Ticket = (typeof tickets)[number]
  const [first, second, third] = tickets as [Ticket, Ticket, Ticket]
  const chosen = async (ids: readonly { id: string }[], who = staff.who) =>
    t.app.inject({
      url: `/api/blade-ticket/examinationticket/print?ids=${ids.map(one => one.id).join()}`,
      headers: who.headers,
    })
  const order = [third, first]
  const answer = await chosen(order)
  expect(answer.headers['content-type']).toBe('application/pdf')
  const text = textOf(answer.rawPayload)
  const at = order.map(one => text.indexOf(one.ticketNo))
  expect([at.includes(-1), at]).toEqual([false, at.toSorted((a, b) => a - b)])
  expect(text).not.toContain(second.ticketNo)
  expect((await chosen(order, candidate)).statusCode).toBe(403)
  const clerk = await signIn(t, { permissions: ['examinationticket_export'] })
  expect((await chosen(order, clerk)).json().code).toBe(29001)
  await t.db.updateTable('examinationticket').set({ ticketStatus: 2 }).where('id', '=', first.id).execute()
  expect((await chosen(order)).json()).toMatchObject({ code: 29009, msg: expect.stringContaining('已作废，不能打印') })
  await t.db.updateTable('examinationticket').set({ ticketStatus: 0 }).where('id', '=', first.id).execute()
})

test('whoever has a ticket is told when it is recalled', async () => {
  await staff.act('releaseTicket', made.itemId)
  await staff.act('recallTicket', made.itemId, { reason: '考点 <停电>' })
  await tellDue(t.app)
  interface Line {
    title: string
    facts: { label: string; value: string }[]
  }
  const { records } = (await asCaller(t, candidate).get<{ records: Line[] }>('/blade-desk/inbox/page')).data
  const told = records.filter(({ title }) => title.includes('准考证已撤回'))
  expect(told.map(({ facts }) => facts)).toEqual([expect.arrayContaining([{ label: '原因', value: '考点 <停电>' }])])
})
