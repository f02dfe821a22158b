import type { Kysely } from 'kysely'
import { entities } from '#schemas'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import type { Mover } from './release.ts'

/** What hangs on an exam and comes along when it is copied. No candidate's data does. */
const parts = ['examitems', 'examinationitem', 'examsignitems', 'examsignfiles', 'examuser', 'typecode'] as const

type Part = (typeof parts)[number]
type Plain = Record<string, unknown>

/** Fields that a copy begins anew instead of taking over: the identity, the states and what the server filled. */
function startsAnew(name: string): ReadonlySet<string> {
  const { properties } = entities.find(one => one.name === name) as (typeof entities)[number]
  const own = Object.entries(properties).flatMap(([field, { filled }]) => (filled ? [field] : []))
  return new Set(['id', 'version', 'createUser', 'createDept', 'createTime', 'updateUser', 'updateTime', ...own])
}

const days = (date: unknown, shift: number) =>
  date instanceof Date ? new Date(date.getTime() + shift * 86_400_000) : date

/** A row for insertion: times moved, JSON as text, and nothing that begins anew. */
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

/** A code free in the tenant: the old one with the first number behind it that nobody has. */
async function freeCode(db: Kysely<Database>, tenantId: string, code: string): Promise<string> {
  const taken = await db
    .selectFrom('examination')
    .select('examCode')
    .where('tenantId', '=', tenantId)
    .where('isDeleted', '=', 0)
    .execute()
  const codes = new Set(taken.map(one => one.examCode))
  const base = code.slice(0, 9)
  for (let n = 2; ; n++) if (!codes.has(`${base}C${n}`)) return `${base}C${n}`
}

/** Copies one kind of part; gives the new id of each old one. */
async function copyPart(db: Kysely<Database>, part: Part, from: string, extra: (row: Plain) => Plain, shift: number) {
  const rows = (await db
    .selectFrom(part as 'examitems')
    .selectAll()
    .where('examId', '=', from)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .execute()) as Plain[]
  const anew = startsAnew(part)
  const ids = new Map<string, string>()
  if (!rows.length) return ids
  const values = rows.map(row => ({ ...copied(row, anew, shift), ...extra(row) }))
  const made = await db
    .insertInto(part as 'examitems')
    .values(values as never)
    .returning('id')
    .execute()
  for (const [i, row] of rows.entries()) ids.set(String(row.id), made[i]?.id ?? '')
  return ids
}

/**
 * Copies an exam as a draft with its positions, stages, form, files and staff, all dates moved by whole days.
 * @returns the id of the new exam
 * @throws 21001
 */
export async function copyExam(
  db: Kysely<Database>,
  examId: string,
  mover: Mover,
  newName: string,
  shiftDays: number,
): Promise<string> {
  return db.transaction().execute(async trx => {
    const exam = await trx
      .selectFrom('examination')
      .selectAll()
      .where('id', '=', examId)
      .where('isDeleted', '=', 0)
      .executeTakeFirst()
    if (!exam) throw refuse(21001)
    const stamp = {
      tenantId: exam.tenantId,
      createUser: mover.userId,
      createTime: mover.now,
      updateUser: mover.userId,
      updateTime: mover.now,
    }
    const values = {
      ...copied(exam, startsAnew('examination'), shiftDays),
      ...{
        ...stamp,
        examName: newName || `${exam.examName} 副本`,
        examCode: await freeCode(trx, exam.tenantId, exam.examCode),
      },
      examYear: exam.examYear + Math.round(shiftDays / 365),
      ageBaseDate: exam.ageBaseDate && shifted(exam.ageBaseDate, shiftDays),
    }
    const { id } = await trx
      .insertInto('examination')
      .values(values as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const copy = (part: Part, extra: (row: Plain) => Plain = () => ({})) =>
      copyPart(trx, part, examId, row => ({ ...stamp, examId: id, ...extra(row) }), shiftDays)
    const stages = await copy('examinationitem')
    const renamed = (list: unknown) =>
      String(list ?? '')
        .split(',')
        .map(old => stages.get(old) ?? '')
        .filter(Boolean)
        .join(',')
    await copy('examitems', row => ({ itemIds: renamed(row.itemIds), curPlanNum: row.planNum }))
    await copy('examuser', row => ({ userName: row.userName }))
    for (const part of ['examsignitems', 'examsignfiles', 'typecode'] as const) await copy(part)
    return id
  })
}

const shifted = (day: string, shift: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + shift * 86_400_000).toISOString().slice(0, 10)
