import { type Kysely, sql } from 'kysely'
import { ExamStatus, PostStatus, ReleaseStatus, SeatStatus, SignStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import type { HookContext, Hooks } from '../../../crud/rule-types.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { ExamTimes } from '../rules/exam-phase.ts'
import { forbiddenChanges, windowProblems } from '../rules/exam-windows.ts'
import { derivePeople, totalPeople } from './position-counts.ts'
import { deriveMoves } from './stage-moves.ts'
import { deriveStanding } from './standing.ts'

/** The exam a row belongs to, locked against a release in the meantime. @throws 21001 */
async function examOf({ trx }: HookContext, examId: unknown) {
  const exam = await trx
    .selectFrom('examination')
    .selectAll()
    .where('id', '=', String(examId))
    .where('isDeleted', '=', 0)
    .forShare()
    .executeTakeFirst()
  if (!exam) throw refuse(21001)
  return exam
}

/** A condition on sign-ups that makes them count: handed in, or struck off later. */
const counted = sql<boolean>`"signStatus" in (${sql.lit(SignStatus.submitted)}, ${sql.lit(SignStatus.disqualified)})`

async function signedUp(trx: Kysely<Database>, examId: unknown, code?: unknown): Promise<boolean> {
  const row = await trx
    .selectFrom('signup')
    .select('id')
    .where('examId', '=', String(examId))
    .where('isDeleted', '=', 0)
    .where(counted)
    .$if(code !== undefined, query =>
      query.where(eb =>
        eb.or([eb('code', '=', String(code)), eb('finalCode', '=', String(code)), eb('code2', '=', String(code))]),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const titleOf = (field: string) => (Examination.properties as Record<string, { title: string }>)[field]?.title ?? field

/** Times in order, terms that hold once released, no removal with sign-ups. */
export const examinationHooks: Hooks = {
  derive: deriveStanding,
  async beforeSubmit(ctx, values, before) {
    if (before?.examStatus === ExamStatus.archived) throw refuse(21011)
    const changed = before?.examStatus === ExamStatus.released ? forbiddenChanges(before, values, ctx.now) : []
    if (changed.length)
      throw refuse(
        21004,
        { 字段: changed.map(titleOf).join('、') },
        changed.map(field => ({ field, msg: '考试已发布，不能修改' })),
      )
    const problems = windowProblems({ examStatus: ExamStatus.draft, ...before, ...values } as ExamTimes)
    if (problems.length) throw refuse(21006, { 说明: problems.map(one => one.msg).join('；') }, problems)
    return values
  },
  async beforeRemove(ctx, rows) {
    for (const row of rows) {
      if (await signedUp(ctx.trx, row.id)) throw refuse(21005)
      if (row.examStatus !== ExamStatus.draft) throw refuse(29009)
      await removeParts(ctx, row.id)
    }
  },
}

/** What was set up for a draft goes with it; anything else that points at the exam keeps it. */
async function removeParts({ trx, person, now }: HookContext, examId: unknown): Promise<void> {
  const parts = ['examroom', 'examitems', 'examinationitem', 'examsignitems', 'examsignfiles', 'examuser', 'typecode']
  for (const part of parts)
    await trx
      .updateTable(part as 'examitems')
      .set({ isDeleted: 1, updateUser: person.userId, updateTime: now })
      .where('examId', '=', String(examId))
      .where('isDeleted', '=', 0)
      .execute()
}

/** Plans go down through reduction only, and a position somebody chose stays. */
export const positionHooks: Hooks = {
  derive: derivePeople,
  total: totalPeople,
  async beforeSubmit(ctx, values, before) {
    const examId = values.examId ?? before?.examId
    await examOf(ctx, examId)
    if (before && values.examId !== undefined && values.examId !== before.examId)
      throw refuse(29005, { 说明: '岗位不能移到别的考试' })
    const inUse = before !== null && (await signedUp(ctx.trx, examId, before.code))
    const lower = Number(values.planNum ?? before?.planNum) < Number(before?.planNum)
    const renamed = values.code !== undefined && values.code !== before?.code
    if (inUse && (lower || renamed)) throw refuse(21010)
    await uniqueCode(ctx, examId, values.code ?? before?.code, before?.id)
    const reduced = before?.postStatus === PostStatus.reduced || before?.postStatus === PostStatus.cancelled
    return reduced || values.planNum === undefined ? values : { ...values, curPlanNum: values.planNum }
  },
  async beforeRemove(ctx, rows) {
    for (const row of rows) {
      await examOf(ctx, row.examId)
      if (await signedUp(ctx.trx, row.examId, row.code)) throw refuse(21010)
    }
  },
}

async function uniqueCode({ trx }: HookContext, examId: unknown, code: unknown, own: unknown): Promise<void> {
  const other = await trx
    .selectFrom('examitems')
    .select('id')
    .where('examId', '=', String(examId))
    .where('code', '=', String(code))
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (other && other.id !== own) throw refuse(21009, {}, [{ field: 'code', msg: '岗位代码重复' }])
}

/** A stage's times are printed on its tickets: fixed while they are out, and made anew with them otherwise. */
export const stageHooks: Hooks = {
  derive: deriveMoves,
  async beforeSubmit(ctx, values, before) {
    await examOf(ctx, values.examId ?? before?.examId)
    const moved = (field: string) => values[field] !== undefined && String(values[field]) !== String(before?.[field])
    if (before && (moved('startTime') || moved('endTime'))) {
      if (before.ticketRelease === ReleaseStatus.released) throw refuse(25011)
      if (before.seatStatus === SeatStatus.locked) throw refuse(25008)
    }
    const [start, end] = [values.startTime ?? before?.startTime, values.endTime ?? before?.endTime]
    if (start instanceof Date && end instanceof Date && start >= end)
      throw refuse(21006, { 说明: '结束时间应晚于开始时间' }, [{ field: 'endTime', msg: '结束时间应晚于开始时间' }])
    return values
  },
}

/** Fields and files of a form: a changed form of an exam that people have answered would make their answers wrong. */
const formHooks = (kind: 'items' | 'files'): Hooks => ({
  async beforeSubmit(ctx, values, before) {
    const exam = await examOf(ctx, values.examId ?? before?.examId)
    const identity = kind === 'items' ? 'itemCode' : 'fileCode'
    const renamed = before !== null && values[identity] !== undefined && values[identity] !== before[identity]
    if (renamed && (await signedUp(ctx.trx, exam.id))) throw refuse(29003)
    return values
  },
  async beforeRemove(ctx, rows) {
    for (const row of rows) {
      await examOf(ctx, row.examId)
      if (await signedUp(ctx.trx, row.examId)) throw refuse(29003)
    }
  },
})

export const signItemHooks = formHooks('items')
export const signFileHooks = formHooks('files')

/** A room is opened or closed only while the seats are not locked. */
export const roomHooks: Hooks = {
  async beforeSubmit({ trx }, values, before) {
    for (const itemId of new Set([before?.itemId, values.itemId])) if (itemId) await seatsOpen(trx, itemId)
    return before ? values : { usedNum: 0, ...values }
  },
  async beforeRemove({ trx }, rows) {
    for (const row of rows) await seatsOpen(trx, row.itemId)
  },
}

async function seatsOpen(trx: Kysely<Database>, itemId: unknown): Promise<void> {
  const stage = await trx
    .selectFrom('examinationitem')
    .select('seatStatus')
    .where('id', '=', String(itemId))
    .forShare()
    .executeTakeFirst()
  if (stage?.seatStatus === SeatStatus.locked) throw refuse(25008)
}
