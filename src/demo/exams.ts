import { EnableStatus, ExamineMode, ExamStatus, ItemRange, ReduceBase } from '#schemas/dictionaries'
import { startTexts } from '../modules/exams/rules/start-texts.ts'
import type { Reader } from '../platform/database/database.ts'
import { type DemoPosition, positions } from './units.ts'

/** What every step of the demonstration works with. */
export interface Demo {
  db: Reader
  tenantId: string
  now: Date
  /** Ids of the demonstration's accounts by name. */
  staff: Readonly<Record<string, string>>
}

/** An exam of the demonstration and its parts' ids. */
export interface DemoExam {
  id: string
  code: string
  /** Its only stage, the written test. */
  itemId: string
  mode: 1 | 2
  positions: readonly DemoPosition[]
  times: ReturnType<typeof timesOf>
}

const day = 86_400_000

/** A time so many days from today in Shanghai, at the full hour. */
export function atDay(now: Date, days: number, hour = 9): Date {
  const today = new Date(now.getTime() + 8 * 3600_000).toISOString().slice(0, 10)
  return new Date(Date.parse(`${today}T00:00:00+08:00`) + days * day + hour * 3600_000)
}

/** Exams in different phases. Numbers are days from today. */
const plans: readonly Plan[] = [
  {
    name: '卫健系统公开招聘',
    code: 'QY',
    type: '1',
    mode: ExamineMode.single,
    sign: [-5, 10],
    modify: 12,
    examine: 14,
    pay: [16, 20],
    ticket: [28, 35],
    exam: 35,
  },
  {
    name: '卫健系统高层次人才引进',
    code: 'GC',
    type: '2',
    mode: ExamineMode.firstAndSecond,
    sign: [-30, -15],
    modify: -13,
    examine: -8,
    pay: [-3, 6],
    ticket: [9, 16],
    exam: 16,
  },
  {
    name: '卫健系统编外人员招聘',
    code: 'BW',
    type: '3',
    mode: ExamineMode.single,
    sign: [-50, -38],
    modify: -36,
    examine: -33,
    pay: [-28, -20],
    ticket: [-1, 6],
    exam: 6,
  },
  {
    name: '卫健系统校园招聘',
    code: 'XY',
    type: '1',
    mode: ExamineMode.single,
    sign: [-60, -48],
    modify: -46,
    examine: -44,
    // Nothing is charged, and nobody needs a ticket.
    pay: null,
    ticket: null,
    exam: -14,
  },
  {
    name: '基层卫生人才招聘',
    code: 'JC',
    type: '1',
    mode: ExamineMode.single,
    kind: '07',
    sign: [-20, -10],
    modify: -9,
    examine: -4,
    reduce: [-1, 5],
    pay: [8, 12],
    ticket: [20, 27],
    exam: 27,
  },
  {
    name: '疾控中心专项招聘',
    code: 'JK',
    type: '3',
    mode: ExamineMode.single,
    kind: '08',
    sign: [-18, -8],
    modify: -7,
    examine: -2,
    reduce: [1, 7],
    pay: [9, 13],
    ticket: [21, 28],
    exam: 28,
  },
]

/** An exam of the demonstration. */
interface Plan {
  readonly name: string
  readonly code: string
  readonly type: string
  readonly mode: 1 | 2
  readonly sign: readonly [number, number]
  readonly modify: number
  readonly examine: number
  /** When people whose position was cancelled choose another; without it nobody does. */
  readonly reduce?: readonly [number, number]
  readonly pay: readonly [number, number] | null
  readonly ticket: readonly [number, number] | null
  readonly exam: number
  /** The one kind of its positions; all kinds without it. */
  readonly kind?: string
}

function timesOf(now: Date, { sign, modify, examine, reduce, pay, ticket, exam }: Plan) {
  const at = (days: number, hour?: number) => atDay(now, days, hour)
  return {
    ...(reduce && { reduceStartTime: at(reduce[0]), reduceEndTime: at(reduce[1], 17) }),
    signStartTime: at(sign[0]),
    signEndTime: at(sign[1], 17),
    modifyEndTime: at(modify, 17),
    examineEndTime: at(examine, 17),
    payStartTime: pay && at(pay[0]),
    payEndTime: pay && at(pay[1], 17),
    ticketStartTime: ticket && at(ticket[0]),
    ticketEndTime: ticket && at(ticket[1], 9),
    examStartTime: at(exam),
    examEndTime: at(exam, 11),
    resultTime: at(exam + 12),
    resultEndTime: at(exam + 60),
    appealEndTime: at(exam + 17, 17),
    publicityStart: at(exam + 20),
    publicityEnd: at(exam + 29),
  }
}

const yearOf = (now: Date): number => Number(new Date(now.getTime() + 8 * 3600_000).toISOString().slice(0, 4))

/** What every row is stamped with. */
const stampOf = ({ tenantId, now, staff }: Demo) => ({
  tenantId,
  createUser: staff.kaowu,
  createTime: now,
  updateUser: staff.kaowu,
  updateTime: now,
})

type Times = ReturnType<typeof timesOf>

/** One that is over was made in its time, so that it stands last in the lists. */
const madeAt = (now: Date, { exam, sign }: Plan): Date => (exam < 0 ? atDay(now, sign[0] - 5) : now)

/** The exam's own row. @returns its id */
async function makeHead(demo: Demo, plan: Plan, times: Times, deptId: string): Promise<string> {
  const { db, now, staff } = demo
  const year = yearOf(now)
  const words = {
    examName: `${year}年${plan.name}`,
    examCode: `${plan.code}${year}`,
    organizer: '清源区卫生健康局',
    contactPhone: '0591-8800 1234',
    examDesc: '<p>本次考试为笔试，全部岗位采用网上报名。</p>',
    ...startTexts,
    consentVersion: '1.0',
  }
  const terms = {
    examType: plan.type,
    examYear: year,
    deptId,
    examineMode: plan.mode,
    ageBaseDate: `${year}-01-01`,
    openRatio: '3.00',
    reduceBase: ReduceBase.approved,
    allowAdjust: plan.reduce ? 1 : 0,
    showNum: 1,
    graceSeconds: 0,
    // Whoever looks around does not wait for ten.
    textDelay: 1,
    needPay: plan.pay ? 1 : 0,
    hardRules: JSON.stringify(['age', 'education']),
    ticketNeedSure: plan.code === 'BW' ? 1 : 0,
  } as const
  const released = {
    examStatus: ExamStatus.released,
    releaseTime: atDay(now, plan.sign[0] - 3),
    releaseUser: staff.kaowu,
  } as const
  const { id } = await db
    .insertInto('examination')
    .values({ ...stampOf(demo), ...times, ...words, ...terms, ...released, createTime: madeAt(now, plan) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The written test. @returns its id */
async function makeStage(demo: Demo, examId: string, times: Times) {
  const { examStartTime, examEndTime, payStartTime, ticketStartTime, ticketEndTime } = times
  const charged = payStartTime
    ? ({ needPay: 1, fee: 10_000, needSeat: 1, needTicket: 1, ticketStartTime, ticketEndTime } as const)
    : ({ needPay: 0, fee: null, needSeat: 0, needTicket: 0 } as const)
  const { id } = await demo.db
    .insertInto('examinationitem')
    .values({
      ...stampOf(demo),
      examId,
      itemName: '笔试',
      itemType: '1',
      startTime: examStartTime,
      endTime: examEndTime,
      ...charged,
      candidateRule: ItemRange.allValid,
      itemStatus: EnableStatus.enabled,
      fullScore: '100',
      weight: '0.60',
      sort: 10,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function makePositions(demo: Demo, examId: string, itemId: string, own: readonly DemoPosition[]): Promise<void> {
  const rows = own.map(({ unit, type, code, name, planNum, maxSignup, ...asked }, i) => ({
    ...stampOf(demo),
    examId,
    unit,
    type,
    code,
    postName: name,
    planNum,
    curPlanNum: planNum,
    maxSignup,
    openRatio: '3.00',
    // Of three who sit the test for one place one is not on the shortlist, and can move up.
    interviewRatio: '2.00',
    noRatio: type === '01' ? (1 as const) : (0 as const),
    itemIds: itemId,
    ageMax: 40,
    eduReq: asked.education,
    degreeReq: asked.degree || null,
    majorReq: asked.majors || null,
    certReq: asked.certificate,
    examSubject: asked.subject,
    enable: 1 as const,
    sort: (i + 1) * 10,
  }))
  await demo.db.insertInto('examitems').values(rows).execute()
}

/** Appoints the demonstration's accounts: 1 administrator, 2 first review, 3 second review, 4 finance. */
async function appointStaff(demo: Demo, examId: string, { mode }: Plan): Promise<void> {
  const roles = [
    ['kaowu', '考务老师', 1],
    ['chushen', '初审老师', 2],
    ['fushen', '复审老师', mode === ExamineMode.firstAndSecond ? 3 : 2],
    ['caiwu', '财务老师', 4],
    ['jiankao', '监考老师', 5],
  ] as const
  const rows = roles.map(([account, userName, examRole]) => ({
    ...stampOf(demo),
    examId,
    userId: demo.staff[account] as string,
    userName,
    examRole,
  }))
  await demo.db.insertInto('examuser').values(rows).execute()
}

/** Makes an exam with its stage and positions. */
export async function makeExam(demo: Demo, plan: Plan, topDept: string, offset: number): Promise<DemoExam> {
  const times = timesOf(demo.now, plan)
  const id = await makeHead(demo, plan, times, topDept)
  const itemId = await makeStage(demo, id, times)
  const own = positions(offset).filter(({ type }) => !plan.kind || type === plan.kind)
  await makePositions(demo, id, itemId, own)
  await appointStaff(demo, id, plan)
  return { id, code: `${plan.code}${yearOf(demo.now)}`, itemId, mode: plan.mode, positions: own, times }
}

/**
 * Makes the exams: one open for sign-up, one being paid for, one with tickets out, one with results, and two whose positions
 * are reduced.
 */
export async function makeExams(demo: Demo, topDept: string): Promise<DemoExam[]> {
  const made: DemoExam[] = []
  for (const [i, plan] of plans.entries()) made.push(await makeExam(demo, plan, topDept, i))
  return made
}

/** How the code of the exam that ended years ago begins. */
export const oldExamCode = 'WS'

/** Years since it was held, and days since it was archived: what people entered is kept for two years from then. */
const oldYears = 3
const archivedDays = 800

/**
 * Makes an exam that ended years ago, and fills it.
 * @param fill makes its people, at the time of the exam
 */
export async function makeOldExam(
  demo: Demo,
  topDept: string,
  fill: (then: Demo, exam: DemoExam) => Promise<unknown>,
): Promise<void> {
  const then = { ...demo, now: atDay(demo.now, -oldYears * 365) }
  const plan = {
    ...(plans.find(one => one.code === 'XY') as Plan),
    name: '卫健系统事业单位招聘',
    code: oldExamCode,
    kind: '07',
  }
  const exam = await makeExam(then, plan, topDept, 0)
  await fill(then, exam)
  await demo.db
    .updateTable('examination')
    .set({ examStatus: ExamStatus.archived, archiveTime: atDay(demo.now, -archivedDays) })
    .where('id', '=', exam.id)
    .execute()
}
