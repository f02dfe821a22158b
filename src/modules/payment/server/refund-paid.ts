import { OrderStatus, PayState, RefundStatus } from '#schemas/dictionaries'
import type { Trx } from '../../../platform/database/database.ts'
import { liveRefunds, systemUser } from '../rules/pay-refund.ts'
import { amountReceived } from './order-amount.ts'
import { lockSignup, moveRecord } from './record-state.ts'
import { backToPaid, lockBoth, moveRefund } from './refund.ts'
import { insertSystemSlip } from './system-slip.ts'

/** Orders that hold money of a record. */
const holding: readonly number[] = [OrderStatus.paid, OrderStatus.partlyRefunded]

/**
 * Asks for the money back that people who take part no more have paid: a slip of the system for each order, which finance
 * decides, and the record stands as 退款中. An order with a slip under way gets no second one. To be called in the transaction
 * that ends their taking part.
 */
export async function refundPaid(trx: Trx, signupIds: readonly string[], given: string, now: Date): Promise<void> {
  if (signupIds.length === 0) return
  for (const id of signupIds.toSorted()) await lockSignup(trx, id)
  const records = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('signupId', 'in', signupIds)
    .where('payState', '=', PayState.paid)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const record of records) {
    if (record.payOrderId === null) continue
    const order = await trx
      .selectFrom('payorder')
      .selectAll()
      .where('id', '=', record.payOrderId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!order || !holding.includes(order.orderStatus)) continue
    const live = await trx
      .selectFrom('payrefund')
      .select('id')
      .where('payOrderId', '=', order.id)
      .where('refundStatus', 'in', liveRefunds)
      .where('isDeleted', '=', 0)
      .executeTakeFirst()
    if (live) continue
    const amount = amountReceived(order) - (order.refundAmount ?? 0)
    if (amount < 1) continue
    await insertSystemSlip(trx, order, { amount, reason: given.slice(0, 80) }, now)
    await moveRecord(trx, record, PayState.refunding, now)
  }
}

/** Takes back the waiting slips of the system for somebody who takes part again: what was paid counts. */
export async function keepPaid(trx: Trx, signupId: string, now: Date): Promise<void> {
  await lockSignup(trx, signupId)
  const slips = await trx
    .selectFrom('payrefund as f')
    .innerJoin('payrecord as r', 'r.id', 'f.payRecordId')
    .select(['f.id', 'f.payOrderId'])
    .where('r.signupId', '=', signupId)
    .where('r.payState', '=', PayState.refunding)
    .where('r.isDeleted', '=', 0)
    .whereRef('r.payOrderId', '=', 'f.payOrderId')
    .where('f.applyUser', '=', systemUser)
    .where('f.refundStatus', '=', RefundStatus.requested)
    .where('f.isDeleted', '=', 0)
    .orderBy('f.id')
    .execute()
  for (const slip of slips) {
    const { order, record } = await lockBoth(trx, slip.payOrderId)
    const changes = { errMsg: '资格已恢复，不再退款' }
    const moved = await moveRefund(trx, slip, RefundStatus.requested, RefundStatus.rejected, now, changes)
    if (moved) await backToPaid(trx, order, record, now)
  }
}
