import { ExamineResult, ExamineStage, ExamStatus, ReduceState, SignStatus } from '#schemas/dictionaries'
import type { Caller, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { raw } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import { writeAct } from '../../review/server/log.ts'
import { copyNameState, endChoosing } from './outcome.ts'

/** What the reviewer of the new unit decides: 1 takes the candidate, 2 does not. */
export interface MoveVerdict {
  result: 1 | 2
  remark: string
  durationSec?: number | undefined
}

/** The position chosen becomes the one in force, for seats, results and money alike. */
async function takeOver(trx: Trx, row: SignupRow, now: Date): Promise<void> {
  const { unit2, type2, code2 } = row
  await trx
    .updateTable('signup')
    .set({ finalUnit: unit2, finalType: type2, finalCode: code2 })
    .where('id', '=', row.id)
    .execute()
  await trx
    .updateTable('payrecord')
    .set({ unit: unit2, code: code2, updateTime: now })
    .where('signupId', '=', row.id)
    .where('isDeleted', '=', 0)
    .execute()
  await ensurePayable(trx, row.id, now)
}

/**
 * Decides on somebody who has chosen another position. Who is refused may choose again while there is time.
 * @returns the sign-up as it stands now; undefined when somebody else was faster
 */
export async function decideMove(
  caller: Caller,
  exam: ExamRow,
  row: SignupRow,
  verdict: MoveVerdict,
): Promise<SignupRow | undefined> {
  const { db, now } = caller
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
    if (to === ReduceState.approved) await takeOver(raw(trx), row, now)
    await copyNameState(raw(trx), [row.id], now)
    const open = isTimely('reduction.choose', { exam }, now)
    if (to === ReduceState.rejected && !open)
      await endChoosing(raw(trx), [row.id], { from: [ReduceState.rejected], to: ReduceState.givenUp, now })
    return trx.selectFrom('signup').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
  })
}
