import { sql } from 'kysely'
import type { Row } from '#engine'
import { ExamRole, ExamStatus, PostStatus, ReleaseStatus, SignStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import type { Examinationitem } from '#schemas/exams/examinationitem'
import type { Examitems } from '#schemas/exams/examitems'
import type { Examsignfiles } from '#schemas/exams/examsignfiles'
import type { Examsignitems } from '#schemas/exams/examsignitems'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { seesAllRows } from '../../../crud/scope.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import type { ExamTimes } from '../rules/exam-phase.ts'
import { forbiddenChanges, windowProblems } from '../rules/exam-windows.ts'
import { checkPattern, ruleOf } from './patterns.ts'
import { tellMovedEnds, tellMovedStage, tellMovedWindows } from './tell-changes.ts'

/** The exam a row belongs to, locked against a release in the meantime. @throws exams.notFound */
async function examOf({ db }: HookContext, examId: string) {
  const exam = await db.selectFrom('examination').selectAll().where('id', '=', examId).forShare().executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return exam
}

/** A condition on sign-ups that makes them count: handed in, or struck off later. */
const counted = sql<boolean>`"signStatus" in (${sql.lit(SignStatus.submitted)}, ${sql.lit(SignStatus.disqualified)})`

async function signedUp(db: Live, examId: string, code?: string): Promise<boolean> {
  const row = await db
    .selectFrom('signup')
    .select('id')
    .where('examId', '=', examId)
    .where(counted)
    .$if(code !== undefined, query =>
      query.where(eb =>
        eb.or([eb('code', '=', code ?? ''), eb('finalCode', '=', code ?? ''), eb('code2', '=', code ?? '')]),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const titleOf = (field: string) => (Examination.properties as Record<string, { title: string }>)[field]?.title ?? field

/** Results are to be looked up before anybody has to confirm a place that comes of them. @throws exams.timesInvalid */
async function checkResultTime(
  { db }: HookContext,
  { resultTime }: Partial<Row<typeof Examination>>,
  before: Row<typeof Examination> | null,
): Promise<void> {
  if (!before || !resultTime || String(resultTime) === String(before.resultTime)) return
  const stage = await db
    .selectFrom('examinationitem')
    .select(['itemName', 'confirmEndTime'])
    .where('examId', '=', before.id)
    .where('confirmEndTime', '<=', resultTime)
    .orderBy('confirmEndTime')
    .executeTakeFirst()
  if (!stage?.confirmEndTime) return
  const msg = `成绩查询开始时间应早于「${stage.itemName}」的入围确认截止（${wireTime(stage.confirmEndTime)}）`
  throw refuse('exams.timesInvalid', { 说明: msg }, [{ field: 'resultTime', msg }])
}

/** Times in order, terms that hold once released, an appointment for whoever makes it, no removal with sign-ups. */
export const examinationHooks: Hooks<typeof Examination> = {
  async beforeSubmit(ctx, given, before) {
    if (before?.examStatus === ExamStatus.archived) throw refuse('exams.archived')
    const changed = before?.examStatus === ExamStatus.released ? forbiddenChanges(before, given, ctx.now) : []
    if (changed.length)
      throw refuse(
        'exams.fieldsFixed',
        { 字段: changed.map(titleOf).join('、') },
        changed.map(field => ({ field, msg: '考试已发布，不能修改' })),
      )
    const problems = windowProblems({ examStatus: ExamStatus.draft, ...before, ...given } as ExamTimes)
    if (problems.length) throw refuse('exams.timesInvalid', { 说明: problems.map(one => one.msg).join('；') }, problems)
    await checkResultTime(ctx, given, before)
  },
  async afterSubmit({ db, person: maker }, row, before) {
    if (before) return tellMovedWindows(db, row, before)
    if (seesAllRows(maker)) return
    // Without an appointment whoever makes an exam would not see it any more.
    const appointment = { examId: row.id, userId: maker.userId, userName: maker.name.slice(0, 20) }
    await db
      .insertInto('examuser')
      .values({ ...appointment, examRole: ExamRole.manager, enable: 1 })
      .execute()
  },
  async beforeRemove(ctx, rows) {
    for (const row of rows) {
      if (await signedUp(ctx.db, row.id)) throw refuse('exams.hasSignups')
    }
  },
}

/** Plans go down through reduction only, and a position somebody chose stays. */
export const positionHooks: Hooks<typeof Examitems> = {
  async beforeSubmit(ctx, given, before) {
    const { examId = '', code = '' } = { ...before, ...given }
    await examOf(ctx, examId)
    if (before && examId !== before.examId) throw refuse('input.invalid', { 说明: '岗位不能移到别的考试' })
    const inUse = before !== null && (await signedUp(ctx.db, examId, before.code))
    const lower = before !== null && (given.planNum ?? before.planNum) < before.planNum
    const renamed = code !== before?.code
    if (inUse && (lower || renamed)) throw refuse('exams.positionHasSignups')
    await uniqueCode(ctx, examId, code, before?.id)
    const reduced = before?.postStatus === PostStatus.reduced || before?.postStatus === PostStatus.cancelled
    if (!reduced && given.planNum !== undefined) ctx.set({ curPlanNum: given.planNum })
  },
  async beforeRemove(ctx, rows) {
    for (const row of rows) {
      await examOf(ctx, row.examId)
      if (await signedUp(ctx.db, row.examId, row.code)) throw refuse('exams.positionHasSignups')
    }
  },
}

async function uniqueCode({ db }: HookContext, examId: string, code: string, own: string | undefined): Promise<void> {
  const other = await db
    .selectFrom('examitems')
    .select('id')
    .where('examId', '=', examId)
    .where('code', '=', code)
    .executeTakeFirst()
  if (other && other.id !== own) throw refuse('exams.positionCodeTaken', {}, [{ field: 'code', msg: '岗位代码重复' }])
}

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Refuses other times of a stage while its seats or tickets depend on those it has. */
    checkStageTimes: (stage: Row<typeof Examinationitem>) => void
  }
}

/** Nobody loses a place on a shortlist by a deadline that is past when it is set. */
function checkConfirmEnd(
  { now }: Pick<HookContext, 'now'>,
  { resultTime }: Pick<Row<typeof Examination>, 'resultTime'>,
  given: Partial<Row<typeof Examinationitem>>,
  before: Row<typeof Examinationitem> | null,
): void {
  const { startTime: start, confirmEndTime: end } = { ...before, ...given }
  if (!end || String(end) === String(before?.confirmEndTime)) return
  const isOut = before?.resultRelease === ReleaseStatus.released
  const problems = [
    start && end <= start && '入围确认截止应晚于开始时间',
    resultTime && end <= resultTime && `入围确认截止应晚于成绩查询开始时间（${wireTime(resultTime)}）`,
    isOut && end <= now && '入围确认截止应晚于现在',
  ]
  const msg = problems.find(Boolean)
  if (msg) throw refuse('exams.timesInvalid', { 说明: msg }, [{ field: 'confirmEndTime', msg }])
}

export const stageHooks: Hooks<typeof Examinationitem> = {
  async beforeSubmit(ctx, given, before) {
    const { examId = '', startTime: start, endTime: end } = { ...before, ...given }
    const exam = await examOf(ctx, examId)
    const moved = (field: 'startTime' | 'endTime') =>
      given[field] !== undefined && String(given[field]) !== String(before?.[field])
    if (before && (moved('startTime') || moved('endTime'))) ctx.app.extensions.checkStageTimes(before)
    if (start && end && start >= end)
      throw refuse('exams.timesInvalid', { 说明: '结束时间应晚于开始时间' }, [
        { field: 'endTime', msg: '结束时间应晚于开始时间' },
      ])
    checkConfirmEnd(ctx, exam, given, before)
  },
  async afterSubmit({ db }, row, before) {
    if (!before) return
    await tellMovedStage(db, row, before)
    await tellMovedEnds(db, row, before)
  },
}

/** Fields and files of a form: a changed form of an exam that people have answered would make their answers wrong. */
async function checkFormChange(ctx: HookContext, examId: string, isRenamed: boolean): Promise<void> {
  const exam = await examOf(ctx, examId)
  if (isRenamed && (await signedUp(ctx.db, exam.id))) throw refuse('row.inUse')
}

async function checkFormRemoval(ctx: HookContext, rows: readonly { examId: string }[]): Promise<void> {
  for (const { examId } of rows) await checkFormChange(ctx, examId, true)
}

export const signItemHooks: Hooks<typeof Examsignitems> = {
  async beforeSubmit(ctx, given, before) {
    checkPattern('rules', ruleOf(given.rules))
    const { examId = '', itemCode } = { ...before, ...given }
    await checkFormChange(ctx, examId, before !== null && itemCode !== before.itemCode)
  },
  beforeRemove: checkFormRemoval,
}

export const signFileHooks: Hooks<typeof Examsignfiles> = {
  async beforeSubmit(ctx, given, before) {
    const { examId = '', fileCode } = { ...before, ...given }
    await checkFormChange(ctx, examId, before !== null && fileCode !== before.fileCode)
  },
  beforeRemove: checkFormRemoval,
}
