import { sql } from 'kysely'
import { payrecordEvents } from '#resources/payment/events'
import { ExampayStatus, OrderStatus, PayBizType, PaymainStatus, PayState } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { type Across, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { type Actor, type PayContext, programIn } from './context.ts'
import { updateTotals } from './ledger.ts'
import { closeOpenOrders, recordsWithOrder } from './order-at-channel.ts'

/**
 * Follows the payment windows: batches whose time has come are running; where it is over, what is unpaid is closed after the
 * channel was asked once more. What the channel does not answer for stays open until the next run.
 * @returns errors that only delayed something
 */
export async function followWindows(ctx: PayContext): Promise<unknown[]> {
  const now = ctx.now()
  const failures: unknown[] = []
  await startBatches(ctx.db, now)
  for (const { id, tenantId } of await endedSettings(ctx.db, now)) {
    const own = programIn(ctx, { tenantId }, now)
    await closeOpenOrders(ctx, await recordsWithOrder(own, id), '缴费截止').catch(error => failures.push(error))
    await own.transaction().execute(trx => endSetting(trx, id, now))
  }
  return failures
}

async function startBatches(db: Across, now: Date): Promise<void> {
  await db
    .updateTable('payrecordmain as m')
    .from(withRemoved('exampay as p'))
    .set({ mainStatus: PaymainStatus.open })
    .whereRef('p.id', '=', 'm.exampayId')
    .where('m.mainStatus', '=', PaymainStatus.notStarted)
    .where('p.payStatus', '=', ExampayStatus.released)
    .where('p.startTime', '<=', now)
    .execute()
}

/** The end of a window with the grace of its exam. */
const endWithGrace = sql<Date>`p."endTime" + coalesce(e."graceSeconds", 0) * interval '1 second'`

function endedSettings(db: Across, now: Date): Promise<({ id: string } & Pick<Actor, 'tenantId'>)[]> {
  return db
    .selectFrom('exampay as p')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'p.examId')
    .select(['p.id', 'p.tenantId'])
    .where('p.payStatus', '=', ExampayStatus.released)
    .where(endWithGrace, '<=', now)
    .execute()
}

/** Closes the due records without an open order; when none is left, the fee and its batch have ended. */
async function endSetting(trx: LiveTrx, exampayId: string, now: Date): Promise<void> {
  const due = trx
    .selectFrom('payrecord as r')
    .innerJoin(withRemoved('exampay as p'), 'p.itemId', 'r.itemId')
    .where('p.id', '=', exampayId)
    .where('r.payState', '=', PayState.due)
  await due
    .innerJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
    .select('s.id')
    .orderBy('s.id')
    .forNoKeyUpdate('s')
    .execute()
  const setting = await trx
    .selectFrom(withRemoved('exampay as p'))
    .innerJoin(withRemoved('examination as e'), 'e.id', 'p.examId')
    .select(['p.itemId'])
    .where('p.id', '=', exampayId)
    .where('p.payStatus', '=', ExampayStatus.released)
    .where(endWithGrace, '<=', now)
    .forNoKeyUpdate('p')
    .executeTakeFirst()
  if (!setting) return
  const closed = await closeDue(trx, setting.itemId)
  await emit(trx, payrecordEvents.closed, closed)
  await trx
    .updateTable(withRemoved('signup'))
    .set({ payState: PayState.closed })
    .where('id', 'in', closed.length > 0 ? closed.map(record => record.signupId) : ['0'])
    .execute()
  const left = await due.select('r.id').executeTakeFirst()
  if (!left)
    await trx
      .updateTable(withRemoved('exampay'))
      .set({ payStatus: ExampayStatus.ended })
      .where('id', '=', exampayId)
      .execute()
  await endBatches(trx, exampayId, left === undefined)
}

function closeDue(trx: LiveTrx, itemId: string): Promise<{ id: string; examId: string; signupId: string }[]> {
  return trx
    .updateTable('payrecord as r')
    .set({ payState: PayState.closed, version: sql<number>`version + 1` })
    .where('r.itemId', '=', itemId)
    .where('r.payState', '=', PayState.due)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom(withRemoved('payorder as o'))
            .select('o.id')
            .whereRef('o.bizId', '=', 'r.id')
            .where('o.bizType', '=', PayBizType.examFee)
            .where('o.orderStatus', '=', OrderStatus.unpaid),
        ),
      ),
    )
    .returning(['r.id', 'r.examId', 'r.signupId'])
    .execute()
}

async function endBatches(trx: LiveTrx, exampayId: string, ended: boolean): Promise<void> {
  const mains = await trx.selectFrom('payrecordmain').select('id').where('exampayId', '=', exampayId).execute()
  for (const { id } of mains) {
    await updateTotals(trx, id)
    if (ended)
      await trx.updateTable('payrecordmain').set({ mainStatus: PaymainStatus.ended }).where('id', '=', id).execute()
  }
}
