import { ReleaseStatus, ResultChange } from '#schemas/dictionaries'
import { type Live, removeRows } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { Actor } from '../../exams/server/release.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { logChanges } from './change-log.ts'
import { isLastMove, logRelease } from './release.ts'

/**
 * Removes all results of a stage that are not out; the scores stay in the log of changes.
 * @returns how many
 * @throws results.released while they are released, row.inUse when somebody appealed, row.wrongState when there is
 * none, exams.archived
 */
export async function deleteResult(db: Live, itemId: string, actor: Actor): Promise<number> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.resultRelease === ReleaseStatus.released) throw refuse('results.released')
    const appealed = await trx.selectFrom('resultappeal').select('id').where('itemId', '=', itemId).executeTakeFirst()
    if (appealed) throw refuse('row.inUse')
    const gone = await removeRows(trx, 'result')
      .where('itemId', '=', itemId)
      .returning(['signupId', 'ticketNo', 'score', 'addScore', 'resultFlag'])
      .execute()
    if (gone.length === 0) {
      if (await isLastMove(trx, itemId, 'delete', actor)) return 0
      throw refuse('row.wrongState')
    }
    const changes = gone.map(({ signupId, ticketNo, ...before }) => ({ signupId, ticketNo, before, after: null }))
    await logChanges(trx, stage, ResultChange.removed, changes)
    await logRelease(trx, itemId, 'delete', actor, { num: gone.length })
    return gone.length
  })
}
