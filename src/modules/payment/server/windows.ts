import { sql } from 'kysely'
import { ExampayStatus, OrderStatus, PayBizType, PaymainStatus, PayState } from '#schemas/dictionaries'
import type { Trx } from '../../../platform/database/database.ts'
import { closeOpenOrders, recordsWithOrder } from './ask-channel.ts'
import type { PayContext } from './context.ts'
import { updateTotals } from './record-state.ts'

/**
 * Follows the payment windows: batches whose time has come are running; where it is over, what is unpaid is closed after the
 * channel was asked once more. What the channel does not answer for stays open until the next run.
 * @returns errors that only delayed something
 */
export async function followWindows(ctx: PayContext): Promise<unknown[]> {
  const now = ctx.now()
  const failures: unknown[] = []
  await startBatches(ctx, now)
  for (const exampayId of await endedSettings(ctx, now)) {
    await closeOpenOrders(ctx, await recordsWithOrder(ctx.db, exampayId), '缴费截止').catch(error =>
      failures.push(error),
    )
    await ctx.db.transaction().execute(trx => endSetting(trx, exampayId, now))
  }
  return failures
}

async function startBatches(ctx: PayContext, now: Date): Promise<void> {
  await ctx.db
    .updateTable('payrecordmain as m')
    .from('exampay as p')
    .set({ mainStatus: PaymainStatus.open, updateTime: now })
    .whereRef('p.id', '=', 'm.exampayId')
    .where('m.mainStatus', '=', PaymainStatus.notStarted)
    .where('m.isDeleted', '=', 0)
    .where('p.payStatus', '=', ExampayStatus.released)
    .where('p.startTime', '<=', now)
    .execute()
}

/** The end of a window with the grace of its exam. */
const endWithGrace = sql<Date>`p."endTime" + coalesce(e."graceSeconds", 0) * interval '1 second'`

async function endedSettings(ctx: PayContext, now: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('exampay as p')
    .innerJoin('examination as e', 'e.id', 'p.examId')
    .select('p.id')
    .where('p.payStatus', '=', ExampayStatus.released)
    .where('p.isDeleted', '=', 0)
    .where(endWithGrace, '<=', now)
    .execute()
  return rows.map(row => row.id)
}

/** Closes the due records without an open order; when none is left, the fee and its batch have ended. */
async function endSetting(trx: Trx, exampayId: string, now: Date): Promise<void> {
  const due = trx
    .selectFrom('payrecord as r')
    .innerJoin('exampay as p', 'p.itemId', 'r.itemId')
    .where('p.id', '=', exampayId)
    .where('r.payState', '=', PayState.due)
    .where('r.isDeleted', '=', 0)
  await due.innerJoin('signup as s', 's.id', 'r.signupId').select('s.id').orderBy('s.id').forNoKeyUpdate('s').execute()
  const setting = await trx
    .selectFrom('exampay as p')
    .innerJoin('examination as e', 'e.id', 'p.examId')
    .select(['p.itemId'])
    .where('p.id', '=', exampayId)
    .where('p.payStatus', '=', ExampayStatus.released)
    .where(endWithGrace, '<=', now)
    .forNoKeyUpdate('p')
    .executeTakeFirst()
  if (!setting) return
  const closed = await closeDue(trx, setting.itemId, now)
  await trx
    .updateTable('signup')
    .set({ payState: PayState.closed, updateTime: now })
    .where('id', 'in', closed.length > 0 ? closed.map(record => record.signupId) : ['0'])
    .execute()
  const left = await due.select('r.id').executeTakeFirst()
  if (!left)
    await trx
      .updateTable('exampay')
      .set({ payStatus: ExampayStatus.ended, updateTime: now })
      .where('id', '=', exampayId)
      .execute()
  await endBatches(trx, exampayId, left === undefined, now)
}

function closeDue(trx: Trx, itemId: string, now: Date): Promise<{ signupId: string }[]> {
  return trx
    .updateTable('payrecord as r')
    .set({ payState: PayState.closed, version: sql<number>`version + 1`, updateTime: now })
    .where('r.itemId', '=', itemId)
    .where('r.payState', '=', PayState.due)
    .where('r.isDeleted', '=', 0)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('payorder as o')
            .select('o.id')
            .whereRef('o.bizId', '=', 'r.id')
            .where('o.bizType', '=', PayBizType.examFee)
            .where('o.orderStatus', '=', OrderStatus.unpaid),
        ),
      ),
    )
    .returning('r.signupId')
    .execute()
}

async function endBatches(trx: Trx, exampayId: string, ended: boolean, now: Date): Promise<void> {
  const mains = await trx
    .selectFrom('payrecordmain')
    .select('id')
    .where('exampayId', '=', exampayId)
    .where('isDeleted', '=', 0)
    .execute()
  for (const { id } of mains) {
    await updateTotals(trx, id, now)
    if (ended)
      await trx.updateTable('payrecordmain').set({ mainStatus: PaymainStatus.ended }).where('id', '=', id).execute()
  }
}
