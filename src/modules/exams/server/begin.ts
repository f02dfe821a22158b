import type { FastifyRequest } from 'fastify'
import { daysOffOf, holidaysOf, type IsDayOff, type Row, workdayFrom } from '#engine'
import { examination } from '#resources/exams/examination'
import { Examination } from '#schemas/exams/examination'
import type { Values } from '../../../crud/input.ts'
import { seesAllRows } from '../../../crud/scope.ts'
import { checked, insertValues } from '../../../crud/store.ts'
import { inWrite, type Write } from '../../../crud/write.ts'
import type { Live } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import {
  examTemplates,
  isUsual,
  laterStage,
  stageSets,
  startRules,
  type TakenPart,
  type TemplateName,
  type UsualPaper,
  usualPapers,
} from '../rules/new-exam.ts'
import { startTexts } from '../rules/start-texts.ts'
import { copyParts, freeCode } from './copy.ts'
import { addItemsIn } from './form.ts'

type Exam = Row<typeof Examination>

/** How an exam begins: what was entered, and what it is given. */
export interface Beginning {
  /** Its own fields as a submit has them; what the server can fill may be missing. */
  exam: Values
  /** The exam that is copied, with what of it is taken. */
  source: Exam | undefined
  take: ReadonlySet<TakenPart>
  template: TemplateName
  /** What the written exam costs, in fen; null for nothing. */
  fee: number | null
  /** With the usual form. */
  items: boolean
  papers: readonly UsualPaper[]
}

const DAY = 86_400_000
/** Whole weeks, so that an exam stays on its day of the week. */
const YEAR = 364
const WEEK = 7
/** Days that an exam is planned ahead at least. */
const AHEAD = 60

const daysBetween = (from: Date | null, to: Date | null): number | null =>
  from && to ? (Date.parse(wireDay(to)) - Date.parse(wireDay(from))) / DAY : null

/** The day of the written exam a year after another one, or as many years as bring it into the future; no holiday. */
function nextDay({ examStartTime }: Pick<Exam, 'examStartTime'>, now: Date, isHoliday: IsDayOff): string | null {
  if (!examStartTime) return null
  let next = examStartTime.getTime() + YEAR * DAY
  while (next < now.getTime() + AHEAD * DAY) next += YEAR * DAY
  const weeks = Array.from({ length: 52 }, (_, n) => wireDay(new Date(next + n * WEEK * DAY)))
  return weeks.find(day => !isHoliday(day)) ?? null
}

/** A text of an exam for another year: `2026年公开招聘` becomes `2027年公开招聘`. */
const inYear = (text: string, from: number, to: number): string => text.replaceAll(String(from), String(to))

/** Fields that a copy does not take over: who it is, and its times. */
const own: ReadonlySet<string> = new Set(['examName', 'examCode', 'examYear'])
const texts: ReadonlySet<string> = new Set(['examDesc', 'signNotice', 'promise', 'consentVersion', 'cover'])

/** What another exam has, as a submit would say it. */
function carried(source: Exam, takesTexts: boolean): Values {
  const row = source as unknown as Values
  const names = Object.entries(Examination.properties).flatMap(([name, field]) => {
    const isTime = field.kind === 'dateTime' || field.kind === 'date'
    const isLeft = isTime || 'filled' in field || own.has(name) || (!takesTexts && texts.has(name))
    return isLeft || row[name] === null ? [] : [name]
  })
  return Object.fromEntries(names.map(name => [name, row[name]]))
}

/** The department above all others, for somebody who is in none. */
async function topDept(db: Live): Promise<string | undefined> {
  const top = await db
    .selectFrom('dept')
    .select('id')
    .where('parentId', 'is', null)
    .orderBy('sort')
    .limit(1)
    .executeTakeFirst()
  return top?.id
}

/** The exam's own row, with all that a submit of it checks and does. */
async function addHead(write: Write, { exam, source, take, template, fee }: Beginning): Promise<Exam> {
  const year = Number(String(exam.examStartTime ?? '').slice(0, 4)) || write.now.getFullYear()
  const code = source ? inYear(source.examCode, source.examYear, year) : `${examTemplates[template].code}${year}`
  const filled = {
    ...startRules,
    ...startTexts,
    ...examTemplates[template].exam,
    deptId: write.person.deptIds[0] ?? (await topDept(write.db)),
    ...(source && carried(source, take.has('texts'))),
    examYear: year,
    examCode: await freeCode(write.db, code),
    needPay: fee ? 1 : 0,
  }
  const given = Object.entries(exam).filter(([, value]) => value !== '' && value !== null && value !== undefined)
  const values = { ...filled, ...Object.fromEntries(given) }
  return (await insertValues(write, await checked(write, values, null))) as Exam
}

const onWire = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`)

/** When stages after the first are held: some days after the written exam, on a working day. */
async function laterTimes(db: Live, written: Date) {
  const isOff = daysOffOf(await readParam(db, 'calendar.daysOff'))
  const day = workdayFrom(wireDay(new Date(written.getTime() + laterStage.days * DAY)), isOff)
  return { startTime: onWire(day, laterStage.begin), endTime: onWire(day, laterStage.end) }
}

const charged = (fee: number | null) => ({ needPay: fee ? (1 as const) : (0 as const), fee })

/** A set of stages, the first at the time of the exam. @returns their ids */
export async function addStages(
  db: Live,
  exam: Pick<Exam, 'id' | 'examStartTime' | 'examEndTime'>,
  set: keyof typeof stageSets,
  fee: number | null,
): Promise<string[]> {
  const { examStartTime, examEndTime } = exam
  const stages = stageSets[set]
  if (stages.length === 0 || !examStartTime || !examEndTime) return []
  const after = await laterTimes(db, examStartTime)
  const rows = stages.map((stage, i) => ({
    ...stage,
    examId: exam.id,
    ...(i === 0 ? { startTime: examStartTime, endTime: examEndTime, ...charged(fee) } : after),
  }))
  const added = await db.insertInto('examinationitem').values(rows).returning('id').execute()
  return added.map(({ id }) => id)
}

/** Papers that are usually asked for. */
export async function addPapers(db: Live, examId: string, papers: readonly UsualPaper[]): Promise<void> {
  if (papers.length === 0) return
  const rows = papers.map((fileCode, i) => ({ ...usualPapers[fileCode], examId, fileCode, sort: (i + 1) * 10 }))
  await db.insertInto('examsignfiles').values(rows).execute()
}

/** The items of the library that are usually asked for and in use. */
export async function addUsualItems(db: Live, examId: string): Promise<void> {
  const library = await db
    .selectFrom('items')
    .select(['id', 'itemCode'])
    .where('builtin', '=', 1)
    .where('status', '=', 1)
    .execute()
  const ids = library.filter(({ itemCode }) => isUsual(itemCode)).map(({ id }) => id)
  if (ids.length > 0) await addItemsIn(db, examId, ids)
}

interface Moving {
  exam: Exam
  source: Exam
  fee: number | null
  /** Days by which times move. */
  shift: number
  isOff: IsDayOff
}

const later = (time: Date, days: number): Date => new Date(time.getTime() + days * DAY)

/** Days from a moment to the first working day, its own among them. */
const toWorkday = (time: Date, isOff: IsDayOff): number =>
  (Date.parse(workdayFrom(wireDay(time), isOff)) - Date.parse(wireDay(time))) / DAY

/**
 * A copied stage: the written exam is at the time of the new one, and costs what was said; what would fall on a day off is held on the next
 * working day.
 */
const movedStage =
  ({ exam, source, fee, shift, isOff }: Moving) =>
  (row: Values): Values => {
    const { examStartTime, examEndTime } = exam
    if (String(row.startTime) === String(source.examStartTime) && examStartTime && examEndTime)
      return {
        startTime: examStartTime,
        endTime: examEndTime,
        ticketStartTime: null,
        ticketEndTime: null,
        ...charged(fee),
      }
    const further = row.startTime instanceof Date ? toWorkday(later(row.startTime, shift), isOff) : 0
    if (further === 0) return {}
    const times = ['startTime', 'endTime', 'ticketStartTime', 'ticketEndTime'].flatMap(name => {
      const time = row[name]
      return time instanceof Date ? [[name, later(time, shift + further)] as const] : []
    })
    return Object.fromEntries(times)
  }

/**
 * Makes an exam in one transaction: its own row as a submit would, and what it is given by another exam or by a template.
 * @returns its id
 * @throws input.invalid naming the fields, exams.timesInvalid
 */
export async function begin(request: FastifyRequest, given: Beginning): Promise<string> {
  const { source, take } = given
  return inWrite(request, examination, async write => {
    const exam = await addHead(write, given)
    const { db } = write
    const takes = (part: TakenPart) => source !== undefined && take.has(part)
    const stageIds = takes('stages') ? [] : await addStages(db, exam, examTemplates[given.template].stages, given.fee)
    if (!takes('form') && given.items) await addUsualItems(db, exam.id)
    if (!takes('papers')) await addPapers(db, exam.id, given.papers)
    if (!source) return exam.id
    const shift = daysBetween(source.examStartTime, exam.examStartTime) ?? YEAR
    const isOff = daysOffOf(await readParam(db, 'calendar.daysOff'))
    await copyParts(db, {
      from: source.id,
      to: exam.id,
      shift,
      take,
      stage: movedStage({ exam, source, fee: given.fee, shift, isOff }),
      stageIds,
      manager: seesAllRows(write.person) ? undefined : write.person.userId,
    })
    return exam.id
  })
}

/** What the wizard begins with: the exam to copy, and what the new one is proposed to have. */
export async function proposal(db: Live, source: Exam | undefined, now: Date) {
  const count = async (table: 'examitems' | 'examinationitem' | 'examsignitems' | 'examsignfiles' | 'examuser') => {
    if (!source) return 0
    const { n } = await db
      .selectFrom(table as 'examitems')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('examId', '=', source.id)
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  const written = source
    ? await db
        .selectFrom('examinationitem')
        .select('fee')
        .where('examId', '=', source.id)
        .where('needPay', '=', 1)
        .orderBy('startTime')
        .limit(1)
        .executeTakeFirst()
    : undefined
  const isHoliday = holidaysOf(await readParam(db, 'calendar.daysOff'))
  const examDay = source ? nextDay(source, now, isHoliday) : null
  const year = examDay ? Number(examDay.slice(0, 4)) : now.getFullYear()
  return {
    source: source ? { id: source.id, examName: source.examName } : null,
    exam: source
      ? {
          examName: inYear(source.examName, source.examYear, year),
          examType: source.examType,
          organizer: source.organizer,
          contactPhone: source.contactPhone,
          examineMode: source.examineMode,
        }
      : null,
    examDay,
    fee: written?.fee ?? null,
    parts: {
      positions: await count('examitems'),
      stages: await count('examinationitem'),
      form: await count('examsignitems'),
      papers: await count('examsignfiles'),
      staff: await count('examuser'),
    },
  }
}
