import type { FastifyInstance } from 'fastify'
import { signupEvents } from '#resources/sign-up/events'
import {
  ExamineResult,
  ExamineStage,
  ExamineStatus,
  ExamRole,
  ReduceState,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { findPosition } from '../../exams/server/candidate/positions.ts'
import { reviews } from '../../exams/server/staff/reviewer.ts'
import { closeUnpayable } from '../../payment/server/fee-records.ts'
import { takePlace } from '../../sign-up/server/choices.ts'
import { isBound } from '../../sign-up/server/leave.ts'
import { findReviewed } from './find.ts'
import { isAct, isLastAct, lastAct, type reviewFields, writeAct } from './log.ts'

/** How long first reviewers may take back their own result, in milliseconds. */
const ownTime = 600_000

/** How long an act of review can be undone by whoever made it, in milliseconds: ten seconds, and two for the way. */
const undoTime = 12_000

/** Who may revoke any review in their exams, units and positions. */
const wide = [ExamRole.manager, ExamRole.secondReviewer]

/** Whether a sign-up `signup` is one whose review the caller may revoke, whoever has made it. */
export const isRevokerOf = ({ person, now }: Pick<Caller, 'person' | 'now'>) => reviews(person, wide, now)

type Decided = Pick<SignupRow, 'signStatus' | 'reduceState' | 'examine' | 'examineUser' | 'examineTime'>

/** Whether first reviewers may still take back their own result. */
const isRecent = ({ examineUser, examineTime }: Decided, { person, now }: Pick<Caller, 'person' | 'now'>): boolean =>
  examineUser === person.userId && examineTime !== null && now.getTime() - examineTime.getTime() <= ownTime

/**
 * Whether the caller may take a review back, as far as the sign-up says; payment and tickets are looked at when it is done.
 * @param isRevoker what {@link isRevokerOf} says
 */
export const isRevocable = (row: Decided, isRevoker: boolean, caller: Pick<Caller, 'person' | 'now'>): boolean =>
  (isRevoker || isRecent(row, caller)) &&
  row.signStatus === SignStatus.submitted &&
  row.reduceState === ReduceState.none &&
  row.examine !== ExamineStatus.pending

/**
 * Exam administrators and second reviewers may revoke; first reviewers their own result for ten minutes.
 * @throws review.outOfScope
 */
async function checkRight(caller: Caller, row: SignupRow): Promise<void> {
  const found = await caller.db
    .selectFrom('signup')
    .select('id')
    .where('id', '=', row.id)
    .where(isRevokerOf(caller))
    .executeTakeFirst()
  if (!found && !isRecent(row, caller)) throw refuse('review.outOfScope')
}

/** What a taking back is asked with. */
interface Ask {
  signUpId: string
  reason: string
  version?: number
}

/** What stood in the sign-up before an act, as columns; times come as text. */
function columnsOf(before: unknown) {
  const kept = before as Pick<SignupRow, (typeof reviewFields)[number]>
  const time = (value: Date | string | null) => (value === null ? null : new Date(value))
  return { ...kept, examineTime: time(kept.examineTime), reviewTime: time(kept.reviewTime) }
}

/** The latest act as one that can be undone now. @throws review.undoOver too late, row.wrongState when it is not the caller's own */
function ownAct({ person, now }: Caller, act: Awaited<ReturnType<typeof lastAct>>) {
  if (!act?.before || act.userId !== person.userId) throw refuse('row.wrongState')
  if (now.getTime() - act.time.getTime() > undoTime) throw refuse('review.undoOver')
  return { ...act, before: columnsOf(act.before) }
}

/**
 * Undoes the caller's own latest act of review within seconds: of the first review or one step of the second, whatever it said.
 * All is as it was before; the history keeps both.
 * @throws signup.notFound, review.outOfScope, row.wrongState, review.undoOver, review.signupChanged, row.changed, exams.archived,
 * review.paidOrSeated, signup.positionFull
 */
export async function undo(
  app: FastifyInstance,
  caller: Caller,
  { signUpId, reason, version }: Ask,
): Promise<SignupRow> {
  const { db, person, now } = caller
  const { row, exam } = await findReviewed(app, caller, signUpId, {
    roles: [ExamRole.firstReviewer, ExamRole.secondReviewer],
  })
  const remark = reason.trim()
  if (remark === '') throw refuse('input.invalid', { 说明: '请填写原因' })
  // Read once: of two calls at the same moment the later one sees either the act or that it is undone.
  const act = await lastAct(db, row.id)
  if (isAct(act, { stage: ExamineStage.revocation, remark, userId: person.userId })) return row
  const { before, result } = ownAct(caller, act)
  if (row.signStatus !== SignStatus.submitted || row.reduceState !== ReduceState.none) throw refuse('row.wrongState')
  if (version !== undefined && version !== row.version) throw refuse('review.signupChanged')
  const position = await findPosition(db, row.examId, { code: row.code })
  return db.transaction().execute(async trx => {
    if (row.examine === ExamineStatus.rejected)
      await takePlace(trx, { exam, position, changes: false, choosing: false })
    await refuseArchived(trx, [row.examId])
    const moved = await trx
      .updateTable('signup')
      .set(eb => ({ ...before, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst()
    if (!moved) throw refuse('row.changed')
    if (await isBound(trx, row.id)) throw refuse('review.paidOrSeated')
    await closeUnpayable(programOf(trx, person, now), row.id)
    await writeAct(trx, caller, row, { stage: ExamineStage.revocation, result, remark })
    await emit(trx, signupEvents.reviewUndone, [moved])
    return moved
  })
}

/**
 * Takes a review back, whatever it said, so that the sign-up waits again.
 * @throws signup.notFound, review.outOfScope, input.invalid without a reason, row.wrongState, review.signupChanged,
 * exams.archived, review.paidOrSeated once paid or ticketed, signup.positionFull when a refused one finds its position
 * full
 */
export async function revoke(app: FastifyInstance, caller: Caller, ask: Ask): Promise<SignupRow> {
  const { db, person, now } = caller
  const { row } = await findReviewed(app, caller, ask.signUpId, {
    roles: [ExamRole.manager, ExamRole.firstReviewer, ExamRole.secondReviewer],
    hidden: true,
  })
  await checkRight(caller, row)
  if (ask.reason.trim() === '') throw refuse('input.invalid', { 说明: '请填写原因' })
  if (row.signStatus !== SignStatus.submitted || row.reduceState !== ReduceState.none) throw refuse('row.wrongState')
  if (row.examine === ExamineStatus.pending) {
    if (
      await isLastAct(db, row.id, { stage: ExamineStage.revocation, remark: ask.reason.trim(), userId: person.userId })
    )
      return row
    throw refuse('row.wrongState')
  }
  if (ask.version !== undefined && ask.version !== row.version) throw refuse('review.signupChanged')
  const exam = await findExam(db, row.examId)
  const position = await findPosition(db, row.examId, { code: row.code })
  return db.transaction().execute(async trx => {
    if (row.examine === ExamineStatus.rejected)
      await takePlace(trx, { exam, position, changes: false, choosing: false })
    await refuseArchived(trx, [row.examId])
    const moved = await trx
      .updateTable('signup')
      .set(eb => ({
        examine: ExamineStatus.pending,
        examineTime: null,
        examineUser: null,
        examineRemark: null,
        reviewStatus: ReviewStatus.pending,
        reviewUser: null,
        reviewTime: null,
        reviewRemark: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst()
    if (!moved) throw refuse('row.changed')
    if (await isBound(trx, row.id)) throw refuse('review.paidOrSeated')
    await closeUnpayable(programOf(trx, person, now), row.id)
    await writeAct(trx, caller, row, {
      stage: ExamineStage.revocation,
      result: row.examine || ExamineResult.approved,
      remark: ask.reason.trim(),
    })
    await emit(trx, signupEvents.reviewUndone, [moved])
    return moved
  })
}
