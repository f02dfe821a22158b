import { ExamineResult, ExamineStage, ExamStatus, ReduceState, SignStatus } from '#schemas/dictionaries'
import type { Caller, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
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
 * Decides on somebody who has chosen another position. Who is refused may choose again while there is time.
 * @returns the sign-up as it stands now; undefined when somebody else was faster
 */
export async function decideMove(
  caller: Caller,
  exam: ExamRow,
  row: SignupRow,
  verdict: MoveVerdict,
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
    const open = isTimely('reduction.choose', { exam }, now)
    if (to === ReduceState.rejected && !open)
      await endChoosing(own, [row.id], { from: [ReduceState.rejected], to: ReduceState.givenUp, now })
    return trx.selectFrom('signup').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
  })
}
