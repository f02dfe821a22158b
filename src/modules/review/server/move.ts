import { ExamineResult, ExamineStage, ReduceState, SignStatus } from '#schemas/dictionaries'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { decideMove } from '../../reduction/server/review.ts'
import { nameOf, type Reviewed } from './find.ts'

/** The latest decision on a choice of another position. */
const lastMove = (db: Db, signupId: string) =>
  db
    .selectFrom('examinelog')
    .select(['result', 'remark', 'userId', 'time'])
    .where('signupId', '=', signupId)
    .where('stage', '=', ExamineStage.reassignment)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

/**
 * Why there is nothing to decide: somebody has done so (review.taken), or the candidate has changed it
 * (review.signupChanged).
 */
async function tooLate(db: Db, signupId: string): Promise<Error> {
  const act = await lastMove(db, signupId)
  if (!act) return refuse('review.signupChanged')
  return refuse('review.taken', { 审核人: await nameOf(db, act.userId), 时间: wireTime(act.time) })
}

/** A decision on a choice, checked as far as it stands for itself. */
interface Verdict {
  result: 1 | 2 | 3
  remark: string
  version?: number
  durationSec?: number
}

/**
 * Decides on somebody who has chosen another position; the sign-up cannot be sent back for correction.
 * @throws review.resultInvalid, review.taken, review.signupChanged, exams.notReleased, exams.archived
 */
export async function examineMove(caller: Caller, { row, exam }: Reviewed, verdict: Verdict): Promise<SignupRow> {
  const { result, remark, durationSec } = verdict
  if (result === ExamineResult.returned) throw refuse('review.resultInvalid')
  if (row.signStatus !== SignStatus.submitted || row.reduceState !== ReduceState.pending) {
    const act = await lastMove(caller.db, row.id)
    const isRepeated = act?.userId === caller.person.userId && act.result === result && (act.remark ?? '') === remark
    if (isRepeated) return row
    throw await tooLate(caller.db, row.id)
  }
  if (verdict.version !== undefined && verdict.version !== row.version) throw refuse('review.signupChanged')
  const moved = await decideMove(caller, exam, row, { result, remark, durationSec })
  if (!moved) throw await tooLate(caller.db, row.id)
  return moved
}
