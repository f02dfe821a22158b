import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ticketEvents } from '#resources/tickets/events'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import {
  at,
  eventsOf,
  makeWritten,
  type scoreStaff,
  shortlisted,
  sitterWithAccount,
  ticketOf,
  twoStaff,
} from '../../../../tests/helper/result-bench.ts'
import { program } from '../../../../tests/helper/send-bench.ts'
import { emit } from '../../../crud/emit.ts'
import type { InboxPage } from '../../notifications/contract.ts'
import { remindDue } from '../../notifications/server/remind.ts'
import { tellDue } from '../../notifications/server/tell.ts'
import { missDuePlaces } from './shortlist.ts'

let t: TestApp
let staff: ReturnType<typeof scoreStaff>
/** Results are out, and places are confirmed for two days more. */
const open = '2027-01-21 09:00:00'
const end = '2027-01-23 09:00:00'
const confirm = '/blade-signup/signup/confirm'

beforeAll(async () => {
  t = await testApp({ now: open })
  ;[staff] = await twoStaff(t)
})
beforeEach(() => at(t, open))
afterAll(() => t.close())

const listed = (scores: readonly number[], confirmEndTime: Date | null = shanghai(end)) =>
  shortlisted(t, staff, scores, { stage: { confirmEndTime } })

interface Mine {
  records: {
    nextStep: string
    deadline: string
    steps: { label: string }[]
    line: { station: string; state: string }[]
  }[]
}

test('a place is confirmed once; the same answer again is no conflict, the other one is refused', async () => {
  const { people, answer, stored } = await listed([90, 80, 70, 65])
  const [{ own, signup }] = people as [(typeof people)[number]]
  const mine = await own.get<Mine>('/blade-signup/signup/myExamList')
  expect(mine.data.records[0]).toMatchObject({ nextStep: 'CONFIRM', deadline: end })
  const scores = await own.get<{ canConfirm: boolean; confirmEnd: string }[]>('/blade-signup/score/getExamScore')
  expect(scores.data[0]).toMatchObject({ canConfirm: true, confirmEnd: end })
  expect((await answer(0, true)).code).toBe(200)
  expect((await answer(0, true)).code).toBe(200)
  expect((await answer(0, false)).code).toBe(26010)
  expect((await stored())[0]).toBe('11')
  expect((await eventsOf(t, signup.id)).filter(code => code !== 'signup.shortlisted')).toEqual(['signup.confirmed'])
  const after = (await own.get<Mine>('/blade-signup/signup/myExamList')).data.records[0]
  expect(after?.nextStep).toBe('SCORE')
  expect(after?.steps.at(-1)?.label).toBe('确认入围')
})

test('who declines is off the list and out of the stages it leads to, and stays off when results are released again', async () => {
  const { people, answer, stored, interview, itemId } = await listed([90, 80, 70, 65])
  const { signup, own } = people[1]!
  const ticket = await ticketOf(t, interview.id, signup, { userId: signup.userId })
  await program(t)
    .transaction()
    .execute(trx => emit(trx, ticketEvents.reissued, [ticket]))
  await tellDue(t.app)
  const aboutTicket = async () =>
    (await own.get<InboxPage>('/blade-desk/inbox/page')).data.records.find(one => one.opens === '/signup/ticket')
  expect(await aboutTicket()).toMatchObject({ done: false })
  expect((await answer(1, false)).code).toBe(200)
  expect((await answer(1, false)).code).toBe(200)
  // Nor is one asked any more to take a ticket that is void.
  await tellDue(t.app)
  expect(await aboutTicket()).toMatchObject({ done: true })
  expect((await answer(1, true)).code).toBe(26010)
  expect((await stored())[1]).toBe('02')
  const kept = await t.db.selectFrom('examinationticket').selectAll().where('id', '=', ticket.id).executeTakeFirst()
  expect(kept).toMatchObject({ ticketStatus: 2, voidReason: '放弃入围' })
  expect(await eventsOf(t, signup.id)).toEqual(['signup.shortlisted', 'signup.declined'])
  const line = (await own.get<Mine>('/blade-signup/signup/myExamList')).data.records[0]?.line
  expect(line?.find(one => one.state === 'ended')).toMatchObject({ station: 'SCORE', reason: '已放弃入围' })
  await staff.act('recallResult', itemId, { reason: '核对' })
  expect((await staff.act('releaseResult', itemId)).code).toBe(200)
  expect((await stored())[1]).toBe('02')
})

test('nobody answers too late, for another one, without being asked or without being on the list', async () => {
  const { people, answer, itemId } = await listed([90, 80, 70, 65])
  expect((await answer(3, true)).code).toBe(26007)
  const stranger = await sitterWithAccount(t, await makeWritten(t))
  expect((await stranger.own.post(confirm, { itemId, yes: true })).code).toBe(26001)
  expect((await staff.post(confirm, { itemId, yes: true })).code).toBe(403)
  const unasked = await listed([90], null)
  expect((await unasked.answer(0, true)).code).toBe(26008)
  await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [people[2]!.signup.id])
  expect((await answer(2, true)).code).toBe(26007)
  await at(t, end)
  expect(await answer(0, true)).toMatchObject({ code: 26009, msg: `入围确认已于${end}截止` })
})

test('who has not answered by the end loses the place, once, and whoever has keeps it', async () => {
  const { answer, stored, people } = await listed([90, 80, 70])
  await answer(0, true)
  await at(t, '2027-01-23 08:59:59')
  await missDuePlaces(t.app)
  expect((await stored())[1]).toBe('10')
  await at(t, end)
  await Promise.all([missDuePlaces(t.app), missDuePlaces(t.app)])
  expect(await stored()).toEqual(['11', '03', '03'])
  expect(await eventsOf(t, people[1]!.signup.id)).toEqual(['signup.shortlisted', 'signup.declined'])
  expect((await answer(1, true)).code).toBe(26009)
})

test('of an answer and its end at once one wins, and each is told once', async () => {
  for (let round = 0; round < 5; round++) {
    await at(t, open)
    const { answer, stored, people } = await listed([90])
    const codes = (await Promise.all([answer(0, true), answer(0, false), answer(0, true)])).map(one => one.code)
    const [state] = await stored()
    expect(['11', '02']).toContain(state)
    expect(codes.filter(code => code === 200).length).toBe(state === '11' ? 2 : 1)
    expect((await eventsOf(t, people[0]!.signup.id)).length).toBe(2)
  }
})

test('a deadline that is past is not set, and results are not released with one', async () => {
  const { itemId, stage } = await listed([90])
  const row = { id: itemId, itemName: stage.itemName, examId: stage.examId }
  const late = await staff.post('/blade-item/examinationitem/submit', { ...row, confirmEndTime: '2027-01-21 08:00:00' })
  expect(late).toMatchObject({ code: 21006, msg: expect.stringContaining('入围确认截止应晚于现在') })
  // Nobody confirms what cannot be looked up yet, and results are not moved behind the end of confirming.
  const early = await staff.post<{ field: string }[]>('/blade-item/examinationitem/submit', {
    ...row,
    confirmEndTime: '2027-01-20 09:00:00',
  })
  expect(early).toMatchObject({ code: 21006, data: [{ field: 'confirmEndTime' }] })
  expect(early.msg).toContain('入围确认截止应晚于成绩查询开始时间（2027-01-20 09:00:00）')
  const moveResults = async (resultTime: string) => {
    const exam = await t.db
      .selectFrom('examination')
      .select(['id', 'version'])
      .where('id', '=', stage.examId)
      .executeTakeFirstOrThrow()
    return staff.post<{ field: string }[]>('/blade-exam/examination/submit', { ...exam, resultTime })
  }
  const setStatus = (to: number) =>
    t.pool.query('UPDATE examination SET "examStatus" = $2 WHERE id = $1', [stage.examId, to])
  // Times of a released exam that are past stay as they are.
  await setStatus(0)
  expect(await moveResults(end)).toMatchObject({ code: 21006, data: [{ field: 'resultTime' }] })
  expect((await moveResults('2027-01-20 10:00:00')).code).toBe(200)
  await setStatus(1)
  const moved = await staff.post('/blade-item/examinationitem/submit', {
    ...row,
    confirmEndTime: '2027-01-24 08:00:00',
  })
  expect(moved.code).toBe(200)
  await staff.act('recallResult', itemId, { reason: '核对' })
  await at(t, '2027-01-24 08:00:00')
  expect((await staff.act('releaseResult', itemId)).msg).toMatch(/入围确认截止（2027-01-24 08:00:00）已过/)
})

test('who has answered is not reminded', async () => {
  const { answer, people } = await listed([90, 80])
  await answer(0, true)
  await at(t, '2027-01-22 10:00:00')
  await remindDue(t.app)
  const told = await Promise.all(people.map(one => eventsOf(t, one.signup.id)))
  expect(told.map(codes => codes.filter(code => code === 'signup.confirmationEnds').length)).toEqual([0, 1])
})
