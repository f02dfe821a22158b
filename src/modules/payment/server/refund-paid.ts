import { OrderStatus, PayState, RefundStatus } from '#schemas/dictionaries'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { liveRefunds, systemUser } from '../rules/pay-refund.ts'
import {
  amountReceived,
  backToPaid,
  insertSystemSlip,
  lockBoth,
  lockSignups,
  moveRecord,
  moveRefund,
} from './ledger.ts'

/** Orders that hold money of a record. */
const holding: readonly number[] = [OrderStatus.paid, OrderStatus.partlyRefunded]

/**
 * Asks for the money back that people who take part no more have paid: a slip of the system for each order, which finance
 * decides, and the record stands as 退款中. An order with a slip under way gets no second one. To be called in the transaction
 * that ends their taking part.
 * @param db of the program, see {@link programOf}
 */
export async function refundPaid(db: LiveTrx, signupIds: readonly string[], given: string, now: Date): Promise<void> {
  if (signupIds.length === 0) return
  await lockSignups(db, signupIds)
  const records = await db
    .selectFrom('payrecord')
    .selectAll()
    .where('signupId', 'in', signupIds)
    .where('payState', '=', PayState.paid)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const record of records) {
    if (record.payOrderId === null) continue
    const order = await db
      .selectFrom(withRemoved('payorder'))
      .selectAll()
      .where('id', '=', record.payOrderId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!order || !holding.includes(order.orderStatus)) continue
    const live = await db
      .selectFrom('payrefund')
      .select('id')
      .where('payOrderId', '=', order.id)
      .where('refundStatus', 'in', liveRefunds)
      .executeTakeFirst()
    if (live) continue
    const amount = amountReceived(order) - (order.refundAmount ?? 0)
    if (amount < 1) continue
    await insertSystemSlip(db, order, { amount, reason: given.slice(0, 80) }, now)
    await moveRecord(db, record, PayState.refunding)
  }
}

/**
 * Takes back the waiting slips of the system for somebody who takes part again: what was paid counts.
 * @param db of the program, see {@link programOf}
 */
export async function keepPaid(db: LiveTrx, signupId: string): Promise<void> {
  await lockSignups(db, [signupId])
  const slips = await db
    .selectFrom('payrefund as f')
    .innerJoin('payrecord as r', 'r.id', 'f.payRecordId')
    .select(['f.id', 'f.payOrderId'])
    .where('r.signupId', '=', signupId)
    .where('r.payState', '=', PayState.refunding)
    .whereRef('r.payOrderId', '=', 'f.payOrderId')
    .where('f.applyUser', '=', systemUser)
    .where('f.refundStatus', '=', RefundStatus.requested)
    .orderBy('f.id')
    .execute()
  for (const slip of slips) {
    const { order, record } = await lockBoth(db, slip.payOrderId)
    const changes = { errMsg: '资格已恢复，不再退款' }
    const moved = await moveRefund(db, slip, RefundStatus.requested, RefundStatus.rejected, changes)
    if (moved) await backToPaid(db, order, record)
  }
}
