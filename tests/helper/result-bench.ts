import { expect } from 'vitest'
import { AttendStatus, EnableStatus, ExamStatus, ItemRange, TicketStatus } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import type { Examitems } from '#schemas/exams/examitems'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { templateWorkbook } from '../../src/platform/workbook/workbook.ts'
import { shanghai, type TestApp } from './app.ts'
import { asCaller, makeDraft, windows } from './exam-bench.ts'
import { stayLoggedIn } from './login.ts'
import { type Caller, signIn } from './person.ts'
import { insert, type Overrides } from './sample.ts'
import { candidateOf, passed } from './seat-bench.ts'

/** When scores are looked at: from `resultTime` on. */
export const resultTimes = {
  resultTime: shanghai('2027-01-20 09:00:00'),
  resultEndTime: shanghai('2027-03-20 09:00:00'),
  appealEndTime: shanghai('2027-01-25 17:00:00'),
} as const

/** After the test, before the results are out. */
export const marking = '2027-01-15 09:00:00'

const base = '/blade-exam/examination'

/** A released exam with a written test; places and ratio as told. */
export async function makeWritten(
  t: TestApp,
  more: { stage?: Overrides<typeof Examinationitem>; post?: Overrides<typeof Examitems> } = {},
) {
  const made = await makeDraft(t, {
    exam: { ...resultTimes, examStatus: ExamStatus.released },
    stage: { itemType: '1', fullScore: '100', passScore: '60', ...more.stage },
  })
  const place = { planNum: 1, curPlanNum: 1, interviewRatio: '3.00', writtenWeight: '0.6', interviewWeight: '0.4' }
  const post = { ...place, ...more.post }
  const names = Object.keys(post)
  await t.pool.query(`UPDATE examitems SET ${names.map((name, i) => `"${name}" = $${i + 2}`).join()} WHERE id = $1`, [
    made.post.id,
    ...Object.values(post),
  ])
  return { ...made, examId: made.exam.id, itemId: made.stage.id }
}

/** An interview of those who go on, a week after the written test; the position asks for it too. */
export async function addInterview(t: TestApp, { examId, post }: { examId: string; post: { id: string } }) {
  const week = 7 * 86_400_000
  const stage = await insert(t.app, Examinationitem, {
    examId,
    itemName: '面试',
    itemType: '2',
    itemStatus: EnableStatus.enabled,
    candidateRule: ItemRange.shortlisted,
    needPay: 0,
    needSeat: 1,
    needTicket: 1,
    startTime: new Date(windows.examStartTime.getTime() + week),
    endTime: new Date(windows.examEndTime.getTime() + week),
    fullScore: '100',
    passScore: '60',
  })
  await t.pool.query(`UPDATE examitems SET "itemIds" = concat_ws(',', "itemIds", $2::text) WHERE id = $1`, [
    post.id,
    stage.id,
  ])
  return stage
}

let serial = 0

/** Somebody's ticket of a stage. */
export const ticketOf = (t: TestApp, itemId: string, signup: { id: string; examId: string; name: string }, more = {}) =>
  insert(t.app, Examinationticket, {
    examId: signup.examId,
    itemId,
    signupId: signup.id,
    name: signup.name,
    ticketNo: `T${String(++serial).padStart(6, '0')}`,
    code: 'A01',
    unit: 'u1',
    roomId: '1',
    seatNo: String(serial),
    ticketStatus: TicketStatus.released,
    attend: AttendStatus.unrecorded,
    ...more,
  })

/** So many people who sat a stage, with their tickets in the order of their numbers. */
export async function sitting(t: TestApp, made: { examId: string; itemId: string }, n: number, more = {}) {
  const people = []
  for (let i = 0; i < n; i++) {
    const signup = await passed(t, made.examId, more)
    people.push({ signup, ticket: await ticketOf(t, made.itemId, signup) })
  }
  return people
}

/** A candidate with an account who sat a stage. */
export async function sitterWithAccount(t: TestApp, made: { examId: string; itemId: string }) {
  const { caller, signup } = await candidateOf(t, made.examId)
  return { caller, signup, ticket: await ticketOf(t, made.itemId, signup), own: asCaller(t, caller) }
}

const titles = ['准考证号', '姓名', '岗位代码', '成绩', '加分', '成绩标记', '备注'] as const

/** Cells of a row of the results' sheet by title. */
export type ScoreCells = Partial<Record<(typeof titles)[number], unknown>>

/** A filled-in sheet of results. */
export const scoreBook = (rows: readonly ScoreCells[], version = 'result-1'): Promise<Buffer> =>
  templateWorkbook({
    sheet: '笔试',
    version,
    columns: titles.map(title => ({ title, required: title === '准考证号' })),
    rows: rows.map(row => titles.map(title => row[title] ?? null)),
  })

/** What an import answers. */
export interface ScoresTaken {
  taskId: string
  okNum: number
  errNum: number
  errFile: string
  rows: { row: number; column: string; msg: string }[]
}

/** Calls about results as somebody. */
export function scoreStaff(t: TestApp, who: Caller) {
  const { get, post, send } = asCaller(t, who)
  const act = <T = Record<string, unknown>>(name: string, itemId: string, more: object = {}) =>
    post<T>(`${base}/${name}`, { itemId, ...more })
  const take = async (itemId: string, rows: readonly ScoreCells[], mode = '1') =>
    send<ScoresTaken>(`${base}/importResult`, await scoreBook(rows), { itemId, mode })
  return { who, get, post, send, act, take }
}

/** Two people who may do everything about results: one writes, the other releases. */
export async function twoStaff(t: TestApp) {
  const [first, second] = [await signIn(t, { role: 'administrator' }), await signIn(t, { role: 'administrator' })]
  return [scoreStaff(t, first), scoreStaff(t, second)] as const
}

/** The stored results of a stage by ticket number. */
export async function resultsOf(t: TestApp, itemId: string) {
  return t.db
    .selectFrom('result')
    .selectAll()
    .where('itemId', '=', itemId)
    .where('isDeleted', '=', 0)
    .orderBy('ticketNo')
    .execute()
}

/**
 * A written test whose results are out, with an interview of three and candidates by score.
 * @param more of the stage and its position
 */
export async function shortlisted(
  t: TestApp,
  staff: ReturnType<typeof scoreStaff>,
  scores: readonly number[],
  more: Parameters<typeof makeWritten>[1] = {},
) {
  const made = await makeWritten(t, more)
  const interview = await addInterview(t, made)
  const people: Awaited<ReturnType<typeof sitterWithAccount>>[] = []
  for (const _ of scores) people.push(await sitterWithAccount(t, made))
  const rows = people.map(({ ticket }, i) => ({ 准考证号: ticket.ticketNo, 成绩: scores[i] }))
  expect((await staff.take(made.itemId, rows)).code).toBe(200)
  expect((await staff.act('releaseResult', made.itemId)).code).toBe(200)
  const answer = (i: number, yes: boolean) =>
    people[i]!.own.post('/blade-signup/signup/confirm', { itemId: made.itemId, yes })
  /** Whether each is on the shortlist, and what was answered. */
  const stored = async () => {
    const found = await resultsOf(t, made.itemId)
    return people.map(({ signup }) => {
      const one = found.find(({ signupId }) => signupId === signup.id)!
      return `${one.isNext}${one.confirmStatus}`
    })
  }
  return { ...made, interview, people, answer, stored }
}

/** The events of a row, in their order. */
export const eventsOf = async (t: TestApp, subjectId: string): Promise<string[]> =>
  (await t.db.selectFrom('event').select('code').where('subjectId', '=', subjectId).orderBy('id').execute()).map(
    one => one.code,
  )

/** Sets the clock and keeps everybody logged in. */
export async function at(t: TestApp, time: Date | string): Promise<void> {
  t.setNow(time)
  await stayLoggedIn(t)
}
