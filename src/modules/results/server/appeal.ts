import { appealEvents } from '#resources/results/events'
import { resultappeal } from '#resources/results/resultappeal'
import { emit } from '../../../crud/emit.ts'
import { guard, on } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** True when the score of an appeal has been changed since it was filed. */
async function corrected(db: Live, appeal: { itemId: string; signupId: string; createTime: Date }) {
  const row = await db
    .selectFrom('resultlog')
    .select('id')
    .where('itemId', '=', appeal.itemId)
    .where('signupId', '=', appeal.signupId)
    .where('createTime', '>=', appeal.createTime)
    .executeTakeFirst()
  return row !== undefined
}

/** An appeal is answered as corrected only when the score has been changed. */
export const appealRules = [
  guard(resultappeal, 'correct', async ({ db, rows }) => {
    for (const appeal of rows)
      if (!(await corrected(db, appeal))) throw refuse('input.invalid', { 说明: '成绩没有更正过，请先撤回并修改成绩' })
  }),
  on(resultappeal, 'correct', ({ db, rows }) => emit(db, appealEvents.answered, rows)),
  on(resultappeal, 'uphold', ({ db, rows }) => emit(db, appealEvents.answered, rows)),
]
