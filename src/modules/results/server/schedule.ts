import type { FastifyInstance } from 'fastify'
import { ReleaseStatus } from '#schemas/dictionaries'
import { type Across, type Live, liveAcross, liveFor } from '../../../platform/database/live.ts'
import { Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { checkTimely, isEarly } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { factsOf } from '../../tickets/server/stage.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { releaseIn } from './release.ts'

/**
 * Lets the results of a stage be released at a time; an earlier plan is replaced. Whether they can be is looked at
 * then.
 * @throws input.invalid for a time that is past, row.wrongState when they are out already
 */
export async function scheduleRelease(
  db: Live,
  itemId: string,
  { userId, now }: Actor,
  reason: string,
  dueTime: Date,
): Promise<void> {
  if (dueTime <= now) throw refuse('input.invalid', { 说明: '定时发布时间应晚于现在' })
  await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.resultRelease === ReleaseStatus.released) throw refuse('row.wrongState')
    checkTimely(resultWindows.release, factsOf(stage), dueTime)
    if (isEarly(stage, dueTime))
      throw refuse('input.invalid', { 说明: `定时发布时间不能早于考试项目结束（${wireTime(stage.endTime)}）` })
    await trx.deleteFrom('result_move').where('itemId', '=', itemId).where('time', 'is', null).execute()
    await trx
      .insertInto('result_move')
      .values({ itemId, kind: 'release', reason, userId, dueTime, time: null })
      .execute()
  })
}

/**
 * Releases one stage whose time has come; what stands against it is kept for the page and no longer tried.
 * @param db of all tenants: the plan of a release names its stage alone, and the stage its tenant
 */
async function releaseDue(db: Across, itemId: string, now: Date): Promise<void> {
  await db.transaction().execute(async trx => {
    const found = await trx.selectFrom('examinationitem').select('tenantId').where('id', '=', itemId).executeTakeFirst()
    if (!found) throw refuse('row.notFound')
    const { tenantId } = found
    const stage = await lockStage(liveFor(trx, { tenantId, userId: null, now: () => now }), itemId)
    const plan = await trx
      .deleteFrom('result_move')
      .where('itemId', '=', itemId)
      .where('time', 'is', null)
      .where('dueTime', '<=', now)
      .returningAll()
      .executeTakeFirst()
    if (!plan) return
    const { userId, reason } = plan
    const own = liveFor(trx, { tenantId, userId, now: () => now })
    await releaseIn(own, stage, { userId, now }, reason)
  })
}

/** Makes the releases whose time has come, in all tenants. @returns how many stages were looked at */
export async function releaseDueResults(app: Pick<FastifyInstance, 'db' | 'now' | 'log'>): Promise<number> {
  const at = app.now()
  const db = liveAcross(app, { now: () => at })
  const due = await db
    .selectFrom('result_move')
    .select('itemId')
    .where('time', 'is', null)
    .where('dueTime', '<=', at)
    .where('problem', '=', '')
    .execute()
  for (const { itemId } of due) {
    try {
      await releaseDue(db, itemId, at)
    } catch (error) {
      const problem = error instanceof Refusal ? error.message : '系统异常'
      app.log.warn({ err: error, itemId }, 'results could not be released at their time')
      await db
        .updateTable('result_move')
        .set({ problem })
        .where('itemId', '=', itemId)
        .where('time', 'is', null)
        .execute()
    }
  }
  return due.length
}
