import { sql } from 'kysely'
import { OrderStatus, PayChannelNo, PayState, RefundStatus } from '#schemas/dictionaries'
import type { ChannelRefund } from '../../../platform/channels/pay/refund.ts'
import type { Trx } from '../../../platform/database/database.ts'
import type { OrderRow, RecordRow, RefundRow } from './context.ts'
import { amountReceived } from './order-amount.ts'
import { moveRecord } from './record-state.ts'
import { backToPaid, lockBoth, moveRefund } from './refund.ts'

/** What became of a slip after the channel spoke. `again` is the second telling of what is known. */
export type RefundOutcome = 'unknown' | 'running' | 'done' | 'closed' | 'abnormal' | 'again'

/**
 * Takes over what the channel says about a refund, from an answer, a notification or the job: slip, order, record and batch, all or
 * nothing, and once however often it is told. `told` must be proved genuine.
 */
export async function settleRefund(trx: Trx, told: ChannelRefund, now: Date): Promise<RefundOutcome> {
  const found = await trx.selectFrom('payrefund').selectAll().where('refundNo', '=', told.refundNo).executeTakeFirst()
  if (!found) return 'unknown'
  const { order, record } = await lockBoth(trx, found.payOrderId)
  const slip = await trx
    .selectFrom('payrefund')
    .selectAll()
    .where('id', '=', found.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const isLive = slip.refundStatus === RefundStatus.processing || slip.refundStatus === RefundStatus.exception
  if (!isLive) return 'again'
  if (told.amount !== slip.amount || told.orderNo !== order.orderNo) return stop(trx, slip, '渠道退款与退款单不符', now)
  if (told.state === 'PROCESSING') return 'running'
  if (told.state === 'SUCCESS') return finish(trx, slip, order, record, told, now)
  if (told.state === 'ABNORMAL') return stop(trx, slip, '退款异常，请核实后重试或线下退款', now, told.channelRefundId)
  const changes = { channelRefundId: told.channelRefundId, errMsg: '渠道已关闭退款' }
  await moveRefund(trx, slip, slip.refundStatus, RefundStatus.failed, now, changes)
  await backToPaid(trx, order, record, now)
  return 'closed'
}

/** Leaves a slip for a person to look at. */
async function stop(trx: Trx, slip: RefundRow, errMsg: string, now: Date, channelRefundId?: string) {
  const changes = { errMsg, ...(channelRefundId && { channelRefundId }) }
  await moveRefund(trx, slip, slip.refundStatus, RefundStatus.exception, now, changes)
  return 'abnormal' as const
}

async function finish(
  trx: Trx,
  slip: RefundRow,
  order: OrderRow,
  record: RecordRow | undefined,
  told: ChannelRefund,
  now: Date,
): Promise<RefundOutcome> {
  await completeRefund(trx, slip, order, record, now, {
    channelRefundId: told.channelRefundId,
    successTime: told.successTime ?? now,
  })
  return 'done'
}

/** Books a refund whose money is back: the slip, what the order has given back, and the record when nothing is left of its payment. */
export async function completeRefund(
  trx: Trx,
  slip: RefundRow,
  order: OrderRow,
  record: RecordRow | undefined,
  now: Date,
  changes: { channelRefundId?: string; successTime: Date; errMsg?: string; updateUser?: string },
): Promise<void> {
  const moved = await moveRefund(trx, slip, slip.refundStatus, RefundStatus.succeeded, now, {
    errMsg: null,
    ...changes,
  })
  if (!moved) throw new Error(`refund ${slip.id} changed under its lock`)
  const back = (order.refundAmount ?? 0) + slip.amount
  const isWhole = back >= amountReceived(order)
  await trx
    .updateTable('payorder')
    .set({
      refundAmount: back,
      orderStatus: isWhole ? OrderStatus.refunded : OrderStatus.partlyRefunded,
      version: sql<number>`version + 1`,
      updateTime: now,
    })
    .where('id', '=', order.id)
    .execute()
  const owns = record?.payOrderId === order.id
  const given = record?.payState === PayState.refunding || record?.payState === PayState.paid
  if (record && owns && given && isWhole) await moveRecord(trx, record, PayState.refunded, now)
}

/** True for money that no channel brought and none can bring back. */
export const isOffline = ({ channel }: Pick<OrderRow, 'channel'>): boolean => channel === PayChannelNo.offline
