import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TicketStatus } from '#schemas/dictionaries'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  draftOf,
  drawing,
  makeCrowd,
  makeStage,
  numbersAndSeats,
  passed,
  seatStaff,
  ticketStates,
  ticketsOf,
} from '../../../../tests/helper/seat-bench.ts'
import { verifyTicket } from './ticket-code.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
const base = '/blade-exam/examination'

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
})
afterAll(() => t.close())

const draw = (itemId: string, more: object = {}) => staff.act('allotSeat', itemId, more)
const stateOf = async (itemId: string) =>
  (await t.pool.query('SELECT "seatStatus" FROM examinationitem WHERE id = $1', [itemId])).rows[0]
const many = async (examId: string, n: number) => {
  for (let i = 0; i < n; i++) await passed(t, examId)
}

type Seat = Awaited<ReturnType<typeof draftOf>>[number]

describe('locking', () => {
  const locked = async (n = 8, rooms = 2) => {
    const made = await makeStage(t, rooms)
    await many(made.examId, n)
    await draw(made.itemId)
    const answer = await staff.act<{ num: number }>('lockAllot', made.itemId)
    expect(answer).toMatchObject({ code: 200, data: { num: n } })
    return made
  }

  test('makes a ticket for everybody with a number of its own and a code that verifies', async () => {
    const { itemId, exam, site } = await locked()
    const tickets = await ticketsOf(t, itemId)
    const plan = new Map((await draftOf(t, itemId)).map(seat => [seat.signupId, seat]))
    expect(new Set(tickets.map(one => one.ticketNo)).size).toBe(8)
    const { publicKey } = t.app.secrets.pair('ticket')
    for (const ticket of tickets) {
      const seat = plan.get(ticket.signupId)!
      expect(ticket).toMatchObject({
        ticketStatus: 0,
        roomId: seat.roomId,
        seatNo: String(seat.seatNo).padStart(2, '0'),
        schoolId: site.id,
        address: '学府路 18 号',
        unit: 'u1',
        code: 'A01',
        latestTime: shanghai('2027-01-09 09:30:00'),
      })
      const number = `${exam.examCode}101${ticket.roomNo}${ticket.seatNo}`
      expect(ticket.ticketNo).toBe(number)
      const payload = verifyTicket(ticket.qrPayload, publicKey)
      expect(payload).toMatchObject({ ticketNo: number, itemId, seat: ticket.seatNo, issue: 1, tenant: '000000' })
      expect(ticket.qrPayload).not.toContain(t.app.vault.open(ticket.idCard))
    }
    expect((await stateOf(itemId)).seatStatus).toBe(2)
    const { rows } = await t.pool.query('SELECT "usedNum" FROM examroom WHERE "itemId" = $1 ORDER BY "roomNo"', [
      itemId,
    ])
    expect(rows.map(row => row.usedNum)).toEqual([6, 2])
  })

  test('is refused without a draft, and a locked plan is not drawn, swapped or thrown away', async () => {
    const { itemId } = await makeStage(t)
    expect((await staff.act('lockAllot', itemId)).code).toBe(29009)
    expect((await staff.act('unlockAllot', itemId)).code).toBe(29009)
    const made = await locked(2)
    const [seat] = (await draftOf(t, made.itemId)) as [Seat]
    const { signupId, roomId } = seat
    expect((await draw(made.itemId)).code).toBe(25008)
    expect((await staff.act('allotSwap', made.itemId, { signupId, roomId, seatNo: 6 })).code).toBe(25008)
    expect((await staff.act('clearAllot', made.itemId)).code).toBe(25008)
    expect(await draftOf(t, made.itemId)).toContainEqual(seat)
  })

  test('is refused when people or rooms have changed since the draw', async () => {
    const { examId, itemId } = await makeStage(t)
    const one = await passed(t, examId)
    await many(examId, 3)
    await draw(itemId)
    const changes: [string, string, number][] = [
      ['UPDATE signup SET "signStatus" = 9 WHERE id = $1', 'UPDATE signup SET "signStatus" = 1 WHERE id = $1', 1],
      ['UPDATE examroom SET enable = 0 WHERE "itemId" = $2', 'UPDATE examroom SET enable = 1 WHERE "itemId" = $2', 4],
      [
        'UPDATE examroom SET capacity = 2 WHERE "itemId" = $2',
        'UPDATE examroom SET capacity = 6 WHERE "itemId" = $2',
        2,
      ],
    ]
    const run = (text: string) => t.pool.query(text.replace('$2', itemId).replace('$1', one.id))
    for (const [change, back, n] of changes) {
      await run(change)
      const answer = await staff.act('lockAllot', itemId)
      expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining(`有 ${n} 人`)])
      await run(back)
    }
    const late = await passed(t, examId)
    expect((await staff.act('lockAllot', itemId)).msg).toContain('有 1 人')
    await t.pool.query('UPDATE signup SET examine = 2 WHERE id = $1', [late.id])
    expect((await staff.act('lockAllot', itemId)).code).toBe(200)
  })

  test('is undone while no ticket is out; what was made is withdrawn and may be made again', async () => {
    const { itemId } = await locked(8, 3)
    const before = await ticketsOf(t, itemId)
    expect((await staff.act('unlockAllot', itemId)).code).toBe(200)
    expect([await ticketsOf(t, itemId), (await stateOf(itemId)).seatStatus]).toEqual([[], 1])
    await draw(itemId, { seed: 'again' })
    expect((await staff.act('lockAllot', itemId)).code).toBe(200)
    const after = await ticketsOf(t, itemId)
    expect(after.map(one => one.ticketNo)).toEqual(before.map(one => one.ticketNo))
    await staff.act('releaseTicket', itemId)
    expect((await staff.act('unlockAllot', itemId)).code).toBe(25011)
    await staff.act('recallTicket', itemId, { reason: '有误' })
    expect((await staff.act('unlockAllot', itemId)).code).toBe(200)
    expect(new Set(await ticketStates(staff, after[0]!.examId))).toEqual(new Set([TicketStatus.draft]))
  })

  test('stands in the history of the stage, as drawing, opening and throwing away do', async () => {
    const { itemId } = await locked(2)
    expect((await staff.act('lockAllot', itemId)).code).toBe(200)
    await staff.act('unlockAllot', itemId)
    await staff.act('clearAllot', itemId)
    await draw(itemId, { seed: 'again' })
    const { rows } = await t.pool.query(
      `SELECT act, changes, reason, "userId" FROM history WHERE entity = 'examinationitem' AND "rowId" = $1 ORDER BY id`,
      [itemId],
    )
    expect(rows.map(({ act, changes, reason }) => [act, changes, reason])).toEqual([
      ['allot', { seatStatus: [0, 1] }, expect.stringMatching(/^随机种子 ./)],
      ['allot', { seatStatus: [1, 2] }, null],
      ['unlockSeats', { seatStatus: [2, 1] }, null],
      ['allot', { seatStatus: [1, 0] }, null],
      ['allot', { seatStatus: [0, 1] }, '随机种子 again'],
    ])
    expect(new Set(rows.map(row => row.userId)).size).toBe(1)
  })

  test('a seat whose ticket was voided gets another number', async () => {
    const { itemId, examId } = await locked(3, 1)
    await staff.act('releaseTicket', itemId)
    const [first] = await ticketsOf(t, itemId)
    await staff.post(`${base}/voidTicket`, { ids: first!.id, reason: '替考' })
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [first!.signupId])
    await staff.act('recallTicket', itemId, { reason: '重排' })
    await staff.act('unlockAllot', itemId)
    await passed(t, examId)
    await draw(itemId)
    expect(await staff.act('lockAllot', itemId)).toMatchObject({ code: 200, data: { num: 3 } })
    const live = (await ticketsOf(t, itemId)).filter(one => one.ticketStatus === 0)
    expect(live.map(one => one.ticketNo)).toContain(`${first!.ticketNo}-2`)
  })

  test('numbers take the codes of the exam before those of all exams', async () => {
    const { examId, itemId } = await makeStage(t)
    await passed(t, examId)
    await passed(t, examId, { type: 'odd' })
    await t.pool.query(
      `INSERT INTO typecode ("typeName", type, "typeCode", "examId", sort) VALUES ('临床', '01', '31', NULL, 1), ('临床', '01', '32', $1, 1)`,
      [examId],
    )
    await draw(itemId)
    await staff.act('lockAllot', itemId)
    const codes = (await ticketsOf(t, itemId)).map(one => one.ticketNo.slice(-7, -5))
    expect(codes.toSorted()).toEqual(['00', '32'])
    await t.pool.query('DELETE FROM typecode')
  })
})

test('twelve hundred people are drawn and locked: more than one statement takes', async () => {
  const { itemId } = await makeCrowd(t, 1200)
  expect((await draw(itemId, { strategy: 3, snake: true })).data).toMatchObject({ total: 1200, unplaced: [] })
  expect((await staff.act('lockAllot', itemId)).data).toEqual({ num: 1200 })
  expect(await numbersAndSeats(t, itemId)).toEqual({ numbers: 1200, seats: 1200 })
})
