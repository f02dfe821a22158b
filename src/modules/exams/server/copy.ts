import { commaList, type Entity } from '#engine'
import { ExamRole } from '#schemas/dictionaries'
import { findEntity } from '../../../crud/lookup.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { TakenPart } from '../rules/new-exam.ts'
import type { Actor } from './release.ts'

/** What belongs to an exam and is copied with it. No candidate's data does. */
const parts = ['examitems', 'examinationitem', 'examsignitems', 'examsignfiles', 'examuser', 'typecode'] as const

type Part = (typeof parts)[number]
type Plain = Record<string, unknown>

/** Who copies; `appoint` for somebody who sees only exams with an appointment of their own. */
export interface Copier extends Actor {
  name: string
  appoint: boolean
}

/** Rows written at once: a position has about fifty columns, and PostgreSQL takes 65,535 values. */
const portion = 1000

/** What every row is given when it is made. */
const made = [
  'id',
  'tenantId',
  'isDeleted',
  'version',
  'createUser',
  'createDept',
  'createTime',
  'updateUser',
  'updateTime',
]

/** Fields that a copy begins again instead of taking over: the identity, the states and what the server filled. */
function startsAnew(name: string): ReadonlySet<string> {
  const { properties } = findEntity(name) as Entity
  const own = Object.entries(properties).flatMap(([field, { filled }]) => (filled ? [field] : []))
  return new Set([...made, ...own])
}

const days = (date: unknown, shift: number) =>
  date instanceof Date ? new Date(date.getTime() + shift * 86_400_000) : date

/** A row for insertion: times moved, JSON as text, and nothing that begins again. */
function copied(row: Plain, anew: ReadonlySet<string>, shift: number): Plain {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([field]) => !anew.has(field))
      .map(([field, value]) => [
        field,
        typeof value === 'object' && value !== null && !(value instanceof Date)
          ? JSON.stringify(value)
          : days(value, shift),
      ]),
  )
}

/** A code free in the tenant: the one wanted, or that with the first number behind it that nobody has. */
export async function freeCode(db: Live, code: string): Promise<string> {
  const taken = await db.selectFrom('examination').select('examCode').execute()
  const codes = new Set(taken.map(one => one.examCode))
  if (!codes.has(code)) return code
  for (let n = 2; ; n++) {
    const end = `C${n}`
    const next = code.slice(0, 12 - end.length) + end
    if (!codes.has(next)) return next
  }
}

/** Copies one kind of part; gives the new id of each old one. Rows without `extra` stay behind. */
async function copyPart(db: Live, part: Part, from: string, extra: (row: Plain) => Plain | null, shift: number) {
  const rows = (await db
    .selectFrom(part as 'examitems')
    .selectAll()
    .where('examId', '=', from)
    .orderBy('id')
    .execute()) as Plain[]
  const wanted = rows.flatMap(row => {
    const more = extra(row)
    return more ? [{ row, more }] : []
  })
  const anew = startsAnew(part)
  const ids = new Map<string, string>()
  for (let at = 0; at < wanted.length; at += portion) {
    const some = wanted.slice(at, at + portion)
    const made = await db
      .insertInto(part as 'examitems')
      .values(some.map(({ row, more }) => ({ ...copied(row, anew, shift), ...more })) as never)
      .returning('id')
      .execute()
    for (const [i, { row }] of some.entries()) ids.set(String(row.id), made[i]?.id ?? '')
  }
  return ids
}

const shifted = (day: string, shift: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + shift * 86_400_000).toISOString().slice(0, 10)

/** The exam's own row. @returns its id */
async function copyHead(db: Live, examId: string, newName: string, shift: number): Promise<string> {
  const exam = await db
    .selectFrom('examination')
    .selectAll()
    .where('id', '=', examId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  const values = {
    ...copied(exam, startsAnew('examination'), shift),
    examName: newName || `${exam.examName.slice(0, 97)} 副本`,
    examCode: await freeCode(db, exam.examCode),
    examYear: exam.examYear + Math.round(shift / 365),
    ageBaseDate: exam.ageBaseDate && shifted(exam.ageBaseDate, shift),
  }
  const { id } = await db
    .insertInto('examination')
    .values(values as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Makes sure that whoever copied sees the copy: an appointment that came along may begin or end at another time. */
async function appointCopier(db: Live, examId: string, { userId, name, now }: Copier): Promise<void> {
  const present = await db
    .selectFrom('examuser')
    .select('id')
    .where('examId', '=', examId)
    .where('userId', '=', userId)
    .where('examRole', '=', ExamRole.manager)
    .where('enable', '=', 1)
    .where(eb => eb.or([eb('startTime', 'is', null), eb('startTime', '<=', now)]))
    .where(eb => eb.or([eb('endTime', 'is', null), eb('endTime', '>', now)]))
    .executeTakeFirst()
  if (present) return
  const appointment = { examId, userId, userName: name.slice(0, 20), examRole: ExamRole.manager, enable: 1 as const }
  await db.insertInto('examuser').values(appointment).execute()
}

/** What is copied of an exam into another one, and how. */
export interface Copying {
  from: string
  to: string
  /** Days by which times move. */
  shift: number
  /** Which parts are taken; all of them by default. */
  take?: ReadonlySet<TakenPart>
  /** What a stage has otherwise than the old one. */
  stage?: (row: Plain) => Plain
  /** Stages that the new exam has already: the positions go through them where those of the old one are not taken. */
  stageIds?: readonly string[]
  /** Somebody who has been made manager of the new exam already. */
  manager?: string | undefined
}

/** Copies what belongs to an exam: what was set up, nobody and nothing that happened. */
export async function copyParts(db: Live, given: Copying): Promise<void> {
  const { from, to, shift, take, stage = () => ({}), stageIds = [], manager } = given
  const copy = (part: Part, extra: (row: Plain) => Plain | null = () => ({})) =>
    copyPart(
      db,
      part,
      from,
      row => {
        const more = extra(row)
        return more && { examId: to, ...more }
      },
      shift,
    )
  const takes = (part: TakenPart): boolean => take?.has(part) ?? true
  const stages = takes('stages')
    ? // Whether a stage is used at all is no state of its course, unlike seats, tickets and fees.
      await copy('examinationitem', row => ({ itemStatus: row.itemStatus, ...stage(row) }))
    : new Map<string, string>()
  const renamed = (list: unknown) =>
    takes('stages')
      ? commaList(list)
          .flatMap(old => stages.get(old) ?? [])
          .join(',')
      : stageIds.join(',')
  if (takes('positions')) {
    await copy('examitems', row => ({ itemIds: renamed(row.itemIds), curPlanNum: row.planNum }))
    await copy('typecode')
  }
  const isThere = (row: Plain) => row.userId === manager && row.examRole === ExamRole.manager
  if (takes('staff')) await copy('examuser', row => (isThere(row) ? null : { userName: row.userName }))
  if (takes('form')) await copy('examsignitems')
  if (takes('papers')) await copy('examsignfiles')
}

/**
 * Copies an exam as a draft with its positions, stages, form, files and staff, all dates moved by whole days.
 * @returns the id of the new exam
 * @throws exams.notFound
 */
export async function copy(
  db: Live,
  examId: string,
  copier: Copier,
  newName: string,
  shiftDays: number,
): Promise<string> {
  return db.transaction().execute(async trx => {
    const id = await copyHead(trx, examId, newName, shiftDays)
    await copyParts(trx, { from: examId, to: id, shift: shiftDays })
    if (copier.appoint) await appointCopier(trx, id, copier)
    return id
  })
}
