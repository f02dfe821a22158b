import type { FastifyInstance } from 'fastify'
import type { BodyOf } from '#engine'
import {
  ExamineMode,
  ExamineResult,
  ExamineStage,
  ExamineStatus,
  ExamRole,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import type { recheckSignup } from '../contract.ts'
import { checkTime, remarkOf, resultOf } from './decide.ts'
import { conflict, findReviewed, type Reviewed } from './find.ts'
import { writeAct } from './log.ts'
import { enterTelling, tellDecision } from './telling.ts'

/** What a second reviewer decides: 1 passed, 2 not passed, 3 back to the first review. */
type Recheck = BodyOf<typeof recheckSignup>

const isRepeated = (row: SignupRow, caller: Caller, result: number, remark: string): boolean =>
  isOwnRepeat(
    { updateUser: row.reviewUser },
    row.reviewStatus === result && (row.reviewRemark ?? '') === remark,
    caller.person,
  )

async function decided(
  app: FastifyInstance,
  caller: Caller,
  { row, exam }: Reviewed,
  { result, remark, ask }: { result: 1 | 2 | 3; remark: string; ask: Recheck },
) {
  const { person, now, db } = caller
  return db.transaction().execute(async trx => {
    const moved = await trx
      .updateTable('signup')
      .set(eb => ({
        reviewStatus: result,
        reviewRemark: remark,
        reviewTime: now,
        reviewUser: person.userId,
        ...(result === ExamineResult.returned ? { examine: ExamineStatus.pending } : {}),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', row.id)
      .where('signStatus', '=', SignStatus.submitted)
      .where('examine', '=', ExamineStatus.approved)
      .where('reviewStatus', '=', ReviewStatus.pending)
      .where('version', '=', row.version)
      .returningAll()
      .executeTakeFirst()
    if (!moved) return undefined
    const done = {
      stage: ExamineStage.second,
      result,
      remark,
      advisementList: ask.advisementList,
      undoable: true,
    } as const
    const hash = await writeAct(trx, caller, row, done)
    await trx.deleteFrom('signup_claim').where('signupId', '=', row.id).execute()
    await ensurePayable(programOf(trx, person, now), row.id, now)
    // Who goes back to the first review has nothing to be told yet.
    if (result === ExamineResult.returned) return moved
    const event = await tellDecision(trx, exam, moved, now)
    await enterTelling(app, trx, caller, { signUpId: row.id, hash }, event, exam)
    return moved
  })
}

/**
 * The second review of a sign-up that passed the first, by somebody else.
 * @throws review.resultInvalid, review.remarkRequired, signup.notFound, review.outOfScope, review.sameReviewer,
 * review.taken, review.closed, review.signupChanged, row.wrongState when the exam has one review only
 */
export async function recheck(app: FastifyInstance, caller: Caller, ask: Recheck): Promise<SignupRow> {
  const result = resultOf(ask.reviewResult)
  const remark = remarkOf(ask.reviewRemark, ask.advisementList)
  const { row, exam } = await findReviewed(app, caller, ask.signUpId, { roles: [ExamRole.secondReviewer] })
  if (result !== ExamineResult.approved && remark === '') throw refuse('review.remarkRequired')
  if (isRepeated(row, caller, result, remark)) return row
  if (exam.examineMode !== ExamineMode.firstAndSecond) throw refuse('row.wrongState')
  if (row.examineUser === caller.person.userId) throw refuse('review.sameReviewer')
  if (row.reviewStatus !== ReviewStatus.pending) throw await conflict(caller.db, row.id, ExamineStage.second)
  if (row.signStatus !== SignStatus.submitted || row.examine !== ExamineStatus.approved) throw refuse('row.wrongState')
  checkTime(exam, caller.now)
  if (ask.version !== undefined && ask.version !== row.version) throw refuse('review.signupChanged')
  const moved = await decided(app, caller, { row, exam }, { result, remark, ask })
  if (!moved) throw await conflict(caller.db, row.id, ExamineStage.second)
  return moved
}
