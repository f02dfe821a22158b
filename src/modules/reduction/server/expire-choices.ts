import type { FastifyInstance } from 'fastify'
import { ReduceState, SignStatus } from '#schemas/dictionaries'
import { liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { endChoosing } from './outcome.ts'

/** People of one run, at most; the next run takes the others. */
const most = 500

/**
 * Closes the windows for choosing again: who has not chosen is too late, who was refused and chose no more has declined.
 * Exams that move nobody have no window, so that theirs is over at once.
 * @returns how many people it happened to, in all tenants
 */
export async function expireChoices(app: Pick<FastifyInstance, 'db'>, now: Date): Promise<number> {
  const db = liveAcross(app, { now: () => now })
  return db.transaction().execute(async trx => {
    const rows = await trx
      .selectFrom('signup as s')
      .innerJoin(withRemoved('examination as e'), 'e.id', 's.examId')
      .select(['s.id', 's.tenantId', 's.reduceState'])
      .where('s.reduceState', 'in', [ReduceState.choosing, ReduceState.rejected])
      .where('s.signStatus', '=', SignStatus.submitted)
      .where(eb => eb.or([eb('e.allowAdjust', '=', 0), eb('e.reduceEndTime', '<=', now)]))
      .orderBy('s.id')
      .limit(most)
      .forNoKeyUpdate('s')
      .execute()
    let ended = 0
    for (const tenantId of new Set(rows.map(row => row.tenantId))) {
      const own = programOf(trx, { tenantId }, now)
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
