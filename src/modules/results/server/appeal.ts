import { AppealStatus } from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import type { Actor } from '../../exams/server/release.ts'

/** How an appeal is answered: 1 the score stands, 2 it was put right. */
export type Answer = 1 | 2

/** True when the score of an appeal has been changed since it was filed. */
async function corrected(trx: Live, appeal: { itemId: string; signupId: string; createTime: Date }) {
  const row = await trx
    .selectFrom('resultlog')
    .select('id')
    .where('itemId', '=', appeal.itemId)
    .where('signupId', '=', appeal.signupId)
    .where('createTime', '>=', appeal.createTime)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Answers an appeal: 0 → 1 or 2.
 * @throws row.wrongState when it has been answered or taken back, input.invalid for 2 while the score has not been
 * changed, row.notFound, exams.archived
 */
export async function handleAppeal(db: Live, id: string, answer: Answer, reply: string, mover: Actor): Promise<void> {
  await db.transaction().execute(async trx => {
    const appeal = await trx
      .selectFrom('resultappeal')
      .selectAll()
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!appeal) throw refuse('row.notFound')
    await refuseArchived(trx, [appeal.examId])
    const isDone = appeal.appealStatus === answer && (appeal.reply ?? '') === reply
    if (isOwnRepeat({ updateUser: appeal.handleUser }, isDone, mover)) return
    if (appeal.appealStatus !== AppealStatus.pending) throw refuse('row.wrongState')
    if (answer === AppealStatus.corrected && !(await corrected(trx, appeal)))
      throw refuse('input.invalid', { 说明: '成绩没有更正过，请先撤回并修改成绩' })
    await trx
      .updateTable('resultappeal')
      .set({ appealStatus: answer, reply, handleUser: mover.userId, handleTime: mover.now })
      .where('id', '=', id)
      .execute()
  })
}
