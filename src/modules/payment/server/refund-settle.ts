import { OrderStatus, PayState, RefundStatus } from '#schemas/dictionaries'
import type { ChannelRefund } from '../../../platform/channels/pay/refund.ts'
import { type AcrossTrx, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import type { OrderRow, RecordRow, RefundRow } from './context.ts'
import { amountReceived, backToPaid, lockBoth, moveOrder, moveRecord, moveRefund } from './ledger.ts'

/** What became of a slip after the channel spoke. `again` is the second telling of what is known. */
export type RefundOutcome = 'unknown' | 'running' | 'done' | 'closed' | 'abnormal' | 'again'

/**
 * Takes over what the channel says about a refund, from an answer, a notification or the job: slip, order, record and batch, all or
 * nothing, and once however often it is told. `told` must be proved genuine; whose slip it is about, the slip itself says.
 */
export async function settleRefund(trx: AcrossTrx, told: ChannelRefund, now: Date): Promise<RefundOutcome> {
  const found = await trx.selectFrom('payrefund').selectAll().where('refundNo', '=', told.refundNo).executeTakeFirst()
  if (!found) return 'unknown'
  const db = programOf(trx, found, now)
  const { order, record } = await lockBoth(db, found.payOrderId)
  const slip = await db
    .selectFrom(withRemoved('payrefund'))
    .selectAll()
    .where('id', '=', found.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const isLive = slip.refundStatus === RefundStatus.processing || slip.refundStatus === RefundStatus.exception
  if (!isLive) return 'again'
  if (told.amount !== slip.amount || told.orderNo !== order.orderNo) return stop(db, slip, '渠道退款与退款单不符')
  if (told.state === 'PROCESSING') return 'running'
  if (told.state === 'SUCCESS') return finish(db, slip, order, record, told, now)
  if (told.state === 'ABNORMAL') return stop(db, slip, '退款异常，请核实后重试或线下退款', told.channelRefundId)
  const changes = { channelRefundId: told.channelRefundId, errMsg: '渠道已关闭退款' }
  await moveRefund(db, slip, slip.refundStatus, RefundStatus.failed, changes)
  await backToPaid(db, order, record)
  return 'closed'
}

/** Leaves a slip for a person to look at. */
async function stop(trx: LiveTrx, slip: RefundRow, errMsg: string, channelRefundId?: string) {
  const changes = { errMsg, ...(channelRefundId && { channelRefundId }) }
  await moveRefund(trx, slip, slip.refundStatus, RefundStatus.exception, changes)
  return 'abnormal' as const
}

async function finish(
  trx: LiveTrx,
  slip: RefundRow,
  order: OrderRow,
  record: RecordRow | undefined,
  told: ChannelRefund,
  now: Date,
): Promise<RefundOutcome> {
  await completeRefund(trx, slip, order, record, {
    channelRefundId: told.channelRefundId,
    successTime: told.successTime ?? now,
  })
  return 'done'
}

/**
 * Books a refund whose money is back: the slip, what the order has given back, and the record when nothing is left of its payment.
 * @param own the handle of the person who books it by hand; order and record follow without one
 */
export async function completeRefund(
  trx: LiveTrx,
  slip: RefundRow,
  order: OrderRow,
  record: RecordRow | undefined,
  changes: { channelRefundId?: string; successTime: Date; errMsg?: string },
  own: LiveTrx = trx,
): Promise<void> {
  const moved = await moveRefund(own, slip, slip.refundStatus, RefundStatus.succeeded, {
    errMsg: null,
    ...changes,
  })
  if (!moved) throw new Error(`refund ${slip.id} changed under its lock`)
  const back = (order.refundAmount ?? 0) + slip.amount
  const isWhole = back >= amountReceived(order)
  const to = isWhole ? OrderStatus.refunded : OrderStatus.partlyRefunded
  await moveOrder(trx, order, to, { refundAmount: back })
  const owns = record?.payOrderId === order.id
  const given = record?.payState === PayState.refunding || record?.payState === PayState.paid
  if (record && owns && given && isWhole) await moveRecord(trx, record, PayState.refunded)
}
