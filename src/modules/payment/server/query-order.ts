import { OrderStatus, PayBizType, PayChannelNo } from '#schemas/dictionaries'
import { isRefusal, refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { ExceptReason } from '../rules/pay-order.ts'
import { type Asked, askAndSettle, closeOrder, mayAsk } from './order-at-channel.ts'
import type { Actor, OrderRow, PayContext, RecordRow } from './context.ts'

/** Where an order stands, for a page that waits for the payment. */
export interface OrderStanding extends Pick<OrderRow, 'orderNo' | 'orderStatus' | 'payTime' | 'amount'> {
  /** State of the record the order pays, null for other business. */
  payState: RecordRow['payState'] | null
}

/**
 * The state of an order, asked from the channel while it is open and nobody asked in the last two seconds. A channel
 * that does not answer changes nothing: the page is told what is known and asks again.
 * @throws payment.amountDiffers when another amount came than was asked
 */
export async function queryOrder(ctx: PayContext, order: OrderRow): Promise<OrderStanding> {
  if (order.orderStatus === OrderStatus.unpaid && (await mayAsk(ctx, order.id))) {
    await askAndSettle(ctx, order).catch(error => {
      if (!isRefusal(error, 'payment.channelUnavailable')) throw error
    })
  }
  const row = await ctx.db
    .selectFrom('payorder as o')
    .leftJoin('payrecord as r', join => join.onRef('r.id', '=', 'o.bizId').on('o.bizType', '=', PayBizType.examFee))
    .where('o.id', '=', order.id)
    .select(['o.orderNo', 'o.orderStatus', 'o.payTime', 'o.amount', 'o.exceptReason', 'r.payState'])
    .executeTakeFirstOrThrow()
  const { exceptReason, ...state } = row
  if (state.orderStatus === OrderStatus.exception && exceptReason?.startsWith(ExceptReason.amount))
    throw refuse('payment.amountDiffers')
  return state
}

/** 查单 by staff: asks the channel and takes over what it says, also for orders that are closed here. */
export async function askAboutOrder(ctx: PayContext, order: OrderRow): Promise<Asked> {
  if (order.channel === PayChannelNo.offline) throw refuse('row.wrongState')
  return askAndSettle(ctx, order)
}

/**
 * 关单 by staff.
 * @throws payment.orderPaid when it was paid, row.wrongState when it is not open, payment.channelUnavailable when the
 * channel does not answer
 */
export async function closeByStaff(ctx: PayContext, actor: Actor, order: OrderRow): Promise<void> {
  if (isOwnRepeat(order, order.orderStatus === OrderStatus.closed, actor)) return
  if (order.orderStatus === OrderStatus.paid) throw refuse('payment.orderPaid')
  if (order.orderStatus !== OrderStatus.unpaid) throw refuse('row.wrongState')
  if (!(await closeOrder(ctx, order, '工作人员关闭', actor.userId))) throw refuse('payment.orderPaid')
}
