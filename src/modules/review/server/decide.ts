import type { FastifyInstance } from 'fastify'
import type { BodyOf } from '#engine'
import {
  ExamineMode,
  ExamineResult,
  ExamineStage,
  ExamineStatus,
  ExamRole,
  ExamStatus,
  ReduceState,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import type { Advisement } from '#schemas/sign-up/signup-json'
import type { Caller, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import type { examineSignup, ReviewFilter } from '../contract.ts'
import { reviewWindows } from '../rules/act-windows.ts'
import { nextWaiting } from './filter.ts'
import { conflict, findReviewed, type Reviewed } from './find.ts'
import { writeAct } from './log.ts'
import { enterTelling, tellDecision } from './telling.ts'

/** What a reviewer decides in the first review. */
type Decision = BodyOf<typeof examineSignup>

/** A decision with its result and remark checked. */
export interface Verdict {
  result: 1 | 2 | 3
  remark: string
  version?: number
  durationSec?: number
}

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Decides on the choice of another position, where the candidate has made one. */
    decideChoice: (caller: Caller, reviewed: Reviewed, verdict: Verdict) => Promise<SignupRow>
  }
}

/** What is written to the candidate: the remark, else the opinions on what is wrong, at most 500 characters. */
export function remarkOf(remark: string | undefined, advisementList: readonly Advisement[] = []): string {
  const opinions = advisementList.filter(one => !one.ok).map(one => (one.opinion ?? '').trim())
  return (remark ?? '').trim() || opinions.filter(Boolean).join('；').slice(0, 500)
}

/** A result of the review dictionaries. @throws review.resultInvalid */
export function resultOf(value: number): 1 | 2 | 3 {
  if (value !== ExamineResult.approved && value !== ExamineResult.rejected && value !== ExamineResult.returned)
    throw refuse('review.resultInvalid')
  return value
}

/** @throws exams.archived archived, review.closed after the end of reviewing */
export function checkTime(exam: ExamRow, now: Date): void {
  if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
  checkTimely(reviewWindows.decide, { exam }, now)
}

/** Repeating one's own decision word for word is no conflict. */
const isRepeated = (row: SignupRow, caller: Caller, result: number, remark: string): boolean =>
  isOwnRepeat(
    { updateUser: row.examineUser },
    row.examine === result && (row.examineRemark ?? '') === remark,
    caller.person,
  )

async function decided(
  app: FastifyInstance,
  caller: Caller,
  { row, exam }: Reviewed,
  act: { result: 1 | 2 | 3; remark: string; ask: Decision },
) {
  const { person, now, db } = caller
  const { result, remark, ask } = act
  return db.transaction().execute(async trx => {
    const moved = await trx
      .updateTable('signup')
      .set(eb => ({
        examine: result,
        examineRemark: remark,
        examineTime: now,
        examineUser: person.userId,
        reviewStatus: ReviewStatus.pending,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('signStatus', '=', SignStatus.submitted)
      .where('examine', '=', ExamineStatus.pending)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst()
    if (!moved) return undefined
    const { advisementList, durationSec } = ask
    const done = { stage: ExamineStage.first, result, remark, advisementList, durationSec, undoable: true } as const
    const hash = await writeAct(trx, caller, row, done)
    await trx.deleteFrom('signup_claim').where('signupId', '=', row.id).execute()
    if (result === ExamineResult.approved) await ensurePayable(programOf(trx, person, now), row.id, now)
    const event = await tellDecision(trx, exam, moved, now)
    // Who passed the first of two reviews has nothing to be told yet.
    if (result !== ExamineResult.approved || exam.examineMode === ExamineMode.single)
      await enterTelling(app, trx, caller, { signUpId: row.id, hash }, event, exam)
    return moved
  })
}

/**
 * The first review of a sign-up: passes, refuses or returns it. Where the candidate has chosen another position, it is
 * that choice which passes or not.
 * @throws review.resultInvalid, review.remarkRequired, signup.notFound, review.outOfScope, review.taken, review.closed,
 * review.signupChanged, exams.notReleased, exams.archived
 */
export async function examine(app: FastifyInstance, caller: Caller, ask: Decision): Promise<SignupRow> {
  const result = resultOf(ask.examineResult)
  const remark = remarkOf(ask.examineResultRemark, ask.advisementList)
  const { row, exam } = await findReviewed(app, caller, ask.signUpId, { roles: [ExamRole.firstReviewer] })
  if (result !== ExamineResult.approved && remark === '') throw refuse('review.remarkRequired')
  if (row.reduceState !== ReduceState.none)
    return app.extensions.decideChoice(caller, { row, exam }, { ...ask, result, remark })
  if (isRepeated(row, caller, result, remark)) return row
  if (row.signStatus !== SignStatus.submitted || row.examine !== ExamineStatus.pending)
    throw await conflict(caller.db, row.id, ExamineStage.first)
  checkTime(exam, caller.now)
  if (ask.version !== undefined && ask.version !== row.version) throw refuse('review.signupChanged')
  const moved = await decided(app, caller, { row, exam }, { result, remark, ask })
  if (!moved) throw await conflict(caller.db, row.id, ExamineStage.first)
  return moved
}

/** The answer to a review: where the sign-up stands and which one waits next. */
export async function answerOf(caller: Caller, row: SignupRow, filter: ReviewFilter) {
  const { examine: result, examineTime, reviewStatus, reviewTime, version } = row
  const nextId = await nextWaiting(caller, filter, row)
  return { examine: result, examineTime, reviewStatus, reviewTime, version, nextId }
}
