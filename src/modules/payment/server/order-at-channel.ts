import { OrderStatus, PayBizType } from '#schemas/dictionaries'
import { ChannelError, type ChannelOrder } from '../../../platform/channels/pay/channel.ts'
import { type Live, liveFor, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import { channelOf, type OrderRow, type PayContext, unavailable } from './context.ts'
import { type Outcome, settle } from './settle.ts'

/** What has to be known of an order to ask its channel about it. */
export type OrderAtChannel = Pick<OrderRow, 'id' | 'orderNo' | 'channel'>

/** Milliseconds between two questions about one order. */
const askGap = 2000

/** What asking the channel came to: its state, `UNKNOWN` when it does not know the order, and what we made of it. */
export interface Asked {
  channelState: ChannelOrder['state'] | 'UNKNOWN'
  outcome: Outcome
}

/**
 * Asks the channel about an order and takes over what it says.
 * @throws payment.channelUnavailable when the channel gives no trustworthy answer; nothing is known then and nothing
 * changed
 */
export async function askAndSettle(ctx: PayContext, order: OrderAtChannel): Promise<Asked> {
  await updateUnstamped(ctx.db, 'payorder').set({ queryTime: ctx.now() }).where('id', '=', order.id).execute()
  const told = await ask(ctx, order)
  if (!told) return { channelState: 'UNKNOWN', outcome: 'unknown' }
  const outcome = await ctx.db.transaction().execute(trx => settle(trx, told, ctx.now(), ctx.products))
  return { channelState: told.state, outcome }
}

/** The right to ask about an open order now: at most one caller of all processes gets it every two seconds. */
export async function mayAsk(ctx: PayContext, orderId: string): Promise<boolean> {
  const now = ctx.now()
  const { numUpdatedRows } = await updateUnstamped(ctx.db, 'payorder')
    .set({ queryTime: now })
    .where('id', '=', orderId)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .where(eb => eb.or([eb('queryTime', 'is', null), eb('queryTime', '<=', new Date(now.getTime() - askGap))]))
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/**
 * Closes an open order, here and at the channel: the channel is asked first, and money that came wins.
 * @param closer the person who closes it; none where the system does
 * @returns false when the order turned out to be paid (or was settled meanwhile)
 * @throws payment.channelUnavailable when the channel does not answer; the order stays open
 */
export async function closeOrder(
  ctx: PayContext,
  order: OrderAtChannel,
  reason: string,
  closer?: string,
): Promise<boolean> {
  const { channelState, outcome } = await askAndSettle(ctx, order)
  if (outcome === 'open' && !(await closeAtChannel(ctx, order))) {
    // Somebody paid between question and closing: the channel says so now.
    await askAndSettle(ctx, order)
    return isClosed(ctx, order.id)
  }
  if (outcome === 'open' || channelState === 'UNKNOWN') await closeHere(ctx, order.id, reason, closer)
  return isClosed(ctx, order.id)
}

/** Closes every open order of a record; false when one of them turned out to be paid. */
export async function closeOpenOrders(ctx: PayContext, recordIds: readonly string[], reason: string): Promise<boolean> {
  if (recordIds.length === 0) return true
  const open = await ctx.db
    .selectFrom('payorder')
    .select(['id', 'orderNo', 'channel'])
    .where('bizType', '=', PayBizType.examFee)
    .where('bizId', 'in', recordIds)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .execute()
  let closed = true
  for (const order of open) if (!(await closeOrder(ctx, order, reason))) closed = false
  return closed
}

/** Ids of the records of a fee that have an open order. */
export async function recordsWithOrder(db: Live, exampayId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('payrecord as r')
    .innerJoin(withRemoved('exampay as p'), 'p.itemId', 'r.itemId')
    .innerJoin(withRemoved('payorder as o'), join =>
      join.onRef('o.bizId', '=', 'r.id').on('o.bizType', '=', PayBizType.examFee),
    )
    .select('r.id')
    .where('p.id', '=', exampayId)
    .where('o.orderStatus', '=', OrderStatus.unpaid)
    .execute()
  return rows.map(row => row.id)
}

async function ask(ctx: PayContext, order: OrderAtChannel): Promise<ChannelOrder | null> {
  try {
    return await channelOf(ctx, order).channel.queryOrder(order.orderNo)
  } catch (error) {
    if (error instanceof ChannelError && error.unknownOrder) return null
    throw unavailable(error)
  }
}

async function closeAtChannel(ctx: PayContext, order: OrderAtChannel): Promise<boolean> {
  try {
    await channelOf(ctx, order).channel.closeOrder(order.orderNo)
    return true
  } catch (error) {
    if (error instanceof ChannelError && error.alreadyPaid) return false
    throw unavailable(error)
  }
}

async function closeHere(ctx: PayContext, orderId: string, closeReason: string, closer?: string): Promise<void> {
  const { tenantId } = await ctx.db
    .selectFrom('payorder')
    .select('tenantId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  await liveFor(ctx.db, { tenantId, userId: closer ?? null, now: ctx.now })
    .updateTable('payorder')
    .set(eb => ({ orderStatus: OrderStatus.closed, closeReason, version: eb('version', '+', 1) }))
    .where('id', '=', orderId)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .execute()
}

async function isClosed(ctx: PayContext, orderId: string): Promise<boolean> {
  const order = await ctx.db
    .selectFrom('payorder')
    .select('orderStatus')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return order.orderStatus === OrderStatus.closed
}
