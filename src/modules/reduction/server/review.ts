import { signupEvents } from '#resources/sign-up/events'
import { ExamineResult, ExamineStage, ExamStatus, ReduceState, SignStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { Caller, Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import type { Verdict } from '../../review/server/decide.ts'
import { nameOf, type Reviewed } from '../../review/server/find.ts'
import { writeAct } from '../../review/server/log.ts'
import { reductionWindows } from '../rules/act-windows.ts'
import { copyNameState, endChoosing } from './outcome.ts'

/** The latest decision on a choice of another position. */
const lastDecision = (db: Db, signupId: string) =>
  db
    .selectFrom('examinelog')
    .select(['result', 'remark', 'userId', 'time'])
    .where('signupId', '=', signupId)
    .where('stage', '=', ExamineStage.reassignment)
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()

/**
 * Why there is nothing to decide: another reviewer has done so (review.taken), or the candidate has changed the choice
 * (review.signupChanged).
 */
async function tooLate(db: Db, signupId: string): Promise<Error> {
  const act = await lastDecision(db, signupId)
  if (!act) return refuse('review.signupChanged')
  return refuse('review.taken', { 审核人: await nameOf(db, act.userId), 时间: wireTime(act.time) })
}

/**
 * Decides on the choice of another position; the sign-up cannot be sent back for correction.
 * @throws review.resultInvalid, review.taken, review.signupChanged, exams.notReleased, exams.archived
 */
export async function decideChoice(caller: Caller, { row, exam }: Reviewed, verdict: Verdict): Promise<SignupRow> {
  const { result, remark, durationSec } = verdict
  if (result === ExamineResult.returned) throw refuse('review.resultInvalid')
  if (row.signStatus !== SignStatus.submitted || row.reduceState !== ReduceState.pending) {
    const act = await lastDecision(caller.db, row.id)
    const isRepeated = act?.userId === caller.person.userId && act.result === result && (act.remark ?? '') === remark
    if (isRepeated) return row
    throw await tooLate(caller.db, row.id)
  }
  if (verdict.version !== undefined && verdict.version !== row.version) throw refuse('review.signupChanged')
  const moved = await decide(caller, exam, row, { result, remark, durationSec })
  if (!moved) throw await tooLate(caller.db, row.id)
  return moved
}

/** The position chosen becomes the one in force, for seats, results and money alike. */
async function takeOver(trx: LiveTrx, caller: Caller, row: SignupRow): Promise<void> {
  const { unit2, type2, code2 } = row
  await trx
    .updateTable('signup')
    .set({ finalUnit: unit2, finalType: type2, finalCode: code2 })
    .where('id', '=', row.id)
    .execute()
  const program = programOf(trx, caller.person, caller.now)
  await program.updateTable('payrecord').set({ unit: unit2, code: code2 }).where('signupId', '=', row.id).execute()
  await ensurePayable(program, row.id, caller.now)
}

/**
 * Writes the decision. A candidate who is refused may choose again while there is time.
 * @param verdict result 1: the new unit takes the candidate; 2: it does not
 * @returns the sign-up as it stands now; undefined when it changed since it was read
 */
async function decide(
  caller: Caller,
  exam: ExamRow,
  row: SignupRow,
  verdict: { result: 1 | 2; remark: string; durationSec: number | undefined },
): Promise<SignupRow | undefined> {
  const { db, person, now } = caller
  if (exam.examStatus !== ExamStatus.released)
    throw refuse(exam.examStatus === ExamStatus.archived ? 'exams.archived' : 'exams.notReleased')
  const to = verdict.result === ExamineResult.approved ? ReduceState.approved : ReduceState.rejected
  return db.transaction().execute(async trx => {
    const moved = await trx
      .updateTable('signup')
      .set(eb => ({ reduceState: to, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .where('signStatus', '=', SignStatus.submitted)
      .where('reduceState', '=', ReduceState.pending)
      .where('version', '=', row.version)
      .returning('id')
      .executeTakeFirst()
    if (!moved) return undefined
    await writeAct(trx, caller, row, {
      stage: ExamineStage.reassignment,
      ...verdict,
      durationSec: verdict.durationSec ?? null,
    })
    await trx.deleteFrom('signup_claim').where('signupId', '=', row.id).execute()
    if (to === ReduceState.approved) await takeOver(trx, caller, row)
    const own = programOf(trx, person, now)
    await copyNameState(own, [row.id])
    const open = isTimely(reductionWindows.choose, { exam }, now)
    if (to === ReduceState.rejected && !open)
      await endChoosing(own, [row.id], { from: [ReduceState.rejected], to: ReduceState.givenUp, now })
    const stored = await trx.selectFrom('signup').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
    if (to === ReduceState.approved) await emit(trx, signupEvents.choicePassed, [stored])
    else if (open) await emit(trx, signupEvents.choiceRefused, [stored], { until: exam.reduceEndTime })
    return stored
  })
}
