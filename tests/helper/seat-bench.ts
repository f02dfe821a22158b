import { ExamineStatus, ExamStatus, ReduceState, ReviewStatus, SchoolType, SignStatus } from '#schemas/dictionaries'
import { Examroom } from '#schemas/exams/examroom'
import { School } from '#schemas/exams/school'
import { Signup } from '#schemas/sign-up/signup'
import type { TestApp } from './app.ts'
import { asCaller, makeDraft } from './exam-bench.ts'
import { type Caller, signIn } from './person.ts'
import { insert, type Overrides } from './sample.ts'

/** When the seats are drawn: reviews and corrections are over, the download has not begun. */
export const drawing = '2026-12-20 09:00:00'

const base = '/blade-exam/examination'

/** A released exam without a fee, its stage, and one site with rooms of six seats. */
export async function makeStage(t: TestApp, rooms = 2, more: Parameters<typeof makeDraft>[1] = {}) {
  const made = await makeDraft(t, { ...more, exam: { examStatus: ExamStatus.released, ...more.exam } })
  const site = await insert(t.app, School, {
    schoolType: SchoolType.examSite,
    schoolName: '清源一中',
    address: '学府路 18 号',
    enable: 1,
  })
  for (let n = 1; n <= rooms; n++) {
    const room = { roomNo: String(n).padStart(3, '0'), rows: 3, cols: 2, capacity: 6, reserve: 0, enable: 1 } as const
    await insert(t.app, Examroom, {
      examId: made.exam.id,
      itemId: made.stage.id,
      schoolId: site.id,
      isSpecial: 0,
      subject: null,
      ...room,
    })
  }
  return { ...made, site, examId: made.exam.id, itemId: made.stage.id }
}

let serial = 50_000

/** An effective candidate's sign-up; `more` makes it another. */
export const passed = (t: TestApp, examId: string, more: Overrides<typeof Signup> = {}) =>
  insert(t.app, Signup, {
    examId,
    userId: String(++serial),
    unit: 'u1',
    type: '01',
    code: 'A01',
    signStatus: SignStatus.submitted,
    examine: ExamineStatus.approved,
    reviewStatus: ReviewStatus.pending,
    reduceState: ReduceState.none,
    name: `考生${serial}`,
    photo: null,
    finalCode: null,
    finalUnit: null,
    finalType: null,
    ...more,
  })

/** Somebody who may do everything about seats, and the calls about them. */
export async function seatStaff(t: TestApp) {
  const who = await signIn(t, { role: 'administrator' })
  const { get, post, send } = asCaller(t, who)
  const act = <T = Record<string, unknown>>(name: string, itemId: string, more: object = {}) =>
    post<T>(`${base}/${name}`, { itemId, ...more })
  return { who, get, post, send, act }
}

/** A candidate with an account and an effective sign-up. */
export async function candidateOf(t: TestApp, examId: string, more: Overrides<typeof Signup> = {}) {
  const caller: Caller = await signIn(t, { role: 'candidate' })
  const signup = await passed(t, examId, { userId: caller.userId, ...more })
  return { caller, signup }
}

/** How the list of sign-ups says the tickets of an exam stand, those of lowest state first. */
export async function ticketStates(
  { get }: Pick<Awaited<ReturnType<typeof seatStaff>>, 'get'>,
  examId: string,
  filter = '',
): Promise<number[]> {
  const { data } = await get<{ records: { ticketState: number }[] }>(
    `/blade-signup/signup/page?examId=${examId}&ascs=ticketState${filter}`,
  )
  return data.records.map(one => one.ticketState)
}

/** The tickets of a stage that were not withdrawn. */
export const ticketsOf = (t: TestApp, itemId: string) =>
  t.db
    .selectFrom('examinationticket')
    .selectAll()
    .where('itemId', '=', itemId)
    .where('isDeleted', '=', 0)
    .orderBy('ticketNo')
    .execute()

/** The draft of a stage. */
export const draftOf = (t: TestApp, itemId: string) =>
  t.db.selectFrom('seat_draft').selectAll().where('itemId', '=', itemId).orderBy('signupId').execute()

/**
 * A stage with so many effective candidates of forty positions and rooms of thirty seats for all; they have no sessions.
 * @param more what is special about the exam and the stage
 */
export async function makeCrowd(t: TestApp, people: number, more: Parameters<typeof makeDraft>[1] = {}) {
  const made = await makeStage(t, 0, more)
  const { examId, itemId, site } = made
  await t.pool.query(
    `INSERT INTO examroom ("examId", "itemId", "schoolId", "roomNo", rows, cols, capacity, reserve, "isSpecial", enable)
     SELECT $1, $2, $3, lpad(i::text, 3, '0'), 5, 6, 30, 0, 0, 1 FROM generate_series(1, $4::int) i`,
    [examId, itemId, site.id, Math.ceil(people / 29)],
  )
  const one = await passed(t, examId)
  await t.pool.query(
    `INSERT INTO examitems ("examId", unit, type, code, "postName", "planNum", "curPlanNum", "openRatio", "itemIds", "postStatus")
     SELECT $1, 'u' || i, '01', 'P' || i, 'p', 1, 1, 3, $2::text, 1 FROM generate_series(0, 39) i`,
    [examId, itemId],
  )
  await t.pool.query(
    `INSERT INTO "user" SELECT (jsonb_populate_record(u, jsonb_build_object('id', 900000 + i, 'account', 'l' || i,
       'idCardHash', md5(i::text), 'phoneHash', md5(i::text)))).* FROM "user" u, generate_series(2, $2::int) i WHERE u.id = $1`,
    [one.userId, people],
  )
  await t.pool.query(
    `INSERT INTO signup SELECT (jsonb_populate_record(s, jsonb_build_object('id', next_id(), 'userId', 900000 + i,
       'unit', 'u' || i % 40, 'code', 'P' || i % 40, 'name', '考生' || i, 'idCardHash', md5(i::text), 'signNo', 'L' || i))).*
     FROM signup s, generate_series(2, $2::int) i WHERE s.id = $1`,
    [one.id, people],
  )
  return made
}

/** How many numbers of tickets and how many seats a stage has given out, each counted once. */
export async function numbersAndSeats(t: TestApp, itemId: string) {
  const { rows } = await t.pool.query<{ numbers: number; seats: number }>(
    `SELECT count(DISTINCT "ticketNo")::int AS numbers, count(DISTINCT ("roomId", "seatNo"))::int AS seats
     FROM examinationticket WHERE "itemId" = $1 AND "isDeleted" = 0`,
    [itemId],
  )
  return rows[0]
}
