import type { Kysely } from 'kysely'
import { ReduceState, SignStatus } from '#schemas/dictionaries'
import type { Database } from '../../../platform/database/database.ts'
import { liveFor } from '../../../platform/database/live.ts'
import { endChoosing } from './outcome.ts'

/** People of one run, at most; the next run takes the others. */
const most = 500

/**
 * Closes the windows for choosing anew: who has not chosen is too late, who was refused and chose no more has declined.
 * Exams that move nobody have no window, so that theirs is over at once.
 * @param db the raw handle: one run looks through all tenants, and then ends the choosing of each by itself
 * @returns how many people it happened to
 */
export async function expireChoices(db: Kysely<Database>, now: Date): Promise<number> {
  return db.transaction().execute(async trx => {
    const rows = await trx
      .selectFrom('signup as s')
      .innerJoin('examination as e', 'e.id', 's.examId')
      .select(['s.id', 's.tenantId', 's.reduceState'])
      .where('s.reduceState', 'in', [ReduceState.choosing, ReduceState.rejected])
      .where('s.signStatus', '=', SignStatus.submitted)
      .where('s.isDeleted', '=', 0)
      .where(eb => eb.or([eb('e.allowAdjust', '=', 0), eb('e.reduceEndTime', '<=', now)]))
      .orderBy('s.id')
      .limit(most)
      .forNoKeyUpdate('s')
      .execute()
    let ended = 0
    for (const tenantId of new Set(rows.map(row => row.tenantId))) {
      const own = liveFor(trx, { tenantId, userId: null, now: () => now })
      const of = (state: number) =>
        rows.filter(row => row.tenantId === tenantId && row.reduceState === state).map(row => row.id)
      const late = await endChoosing(own, of(ReduceState.choosing), {
        from: [ReduceState.choosing],
        to: ReduceState.overdue,
        now,
      })
      const declined = await endChoosing(own, of(ReduceState.rejected), {
        from: [ReduceState.rejected],
        to: ReduceState.givenUp,
        now,
      })
      ended += late.length + declined.length
    }
    return ended
  })
}
