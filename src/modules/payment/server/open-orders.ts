import { OrderStatus, PayBizType, PayChannelNo, PayState } from '#schemas/dictionaries'
import { withRemoved } from '../../../platform/database/live.ts'
import { isPollDue } from '../rules/pay-order.ts'
import type { PayContext } from './context.ts'
import { askAndSettle, closeOrder, mayAsk, type OrderAtChannel } from './order-at-channel.ts'

/** Orders of one channel asked about at most in one run. */
const most = 300
/** Questions under way at one channel at the same moment. */
const together = 4
/** Failures after which a run asks a channel no more: it is down. */
const patience = 3

/**
 * Asks the channel about the open orders whose time has come: after 10 s, 30 s, 1, 3, 10 and then every 30 min.
 * @returns errors that only delayed something
 */
export async function pollOrders(ctx: PayContext): Promise<unknown[]> {
  const now = ctx.now()
  const open = await ctx.db
    .selectFrom('payorder')
    .select(['id', 'orderNo', 'channel', 'createTime', 'queryTime'])
    .where('orderStatus', '=', OrderStatus.unpaid)
    .where('channel', '<>', PayChannelNo.offline)
    .orderBy('createTime', 'desc')
    .execute()
  const due = open.filter(order => isPollDue(order.createTime, order.queryTime, now))
  return eachOf(due, async order => {
    if (await mayAsk(ctx, order.id)) await askAndSettle(ctx, order)
  })
}

/**
 * Closes open orders that have expired, and those whose record is not due any more.
 * @returns errors that only delayed something
 */
export async function expireOrders(ctx: PayContext): Promise<unknown[]> {
  const orders = await ctx.db
    .selectFrom('payorder as o')
    .leftJoin(withRemoved('payrecord as r'), join =>
      join.onRef('r.id', '=', 'o.bizId').on('o.bizType', '=', PayBizType.examFee),
    )
    .select(['o.id', 'o.orderNo', 'o.channel'])
    .where('o.orderStatus', '=', OrderStatus.unpaid)
    .where('o.channel', '<>', PayChannelNo.offline)
    .where(eb =>
      eb.or([eb('o.expireTime', '<=', ctx.now()), eb('r.payState', '<>', PayState.due), eb('r.isDeleted', '=', 1)]),
    )
    // Those that the channel could not say anything about have their next turn last, and hold up no other.
    .orderBy('o.queryTime', order => order.asc().nullsFirst())
    .orderBy('o.expireTime')
    .execute()
  return eachOf(orders, order => closeOrder(ctx, order, '超时未支付'))
}

type Work = (order: OrderAtChannel) => Promise<unknown>

/** Works on orders channel by channel: one that is down holds up no other. */
async function eachOf(orders: readonly OrderAtChannel[], work: Work): Promise<unknown[]> {
  const channels = [...new Set(orders.map(one => one.channel))]
  const ownOf = (channel: number) => orders.filter(one => one.channel === channel).slice(0, most)
  const failures = await Promise.all(channels.map(channel => eachAtChannel(ownOf(channel), work)))
  return failures.flat()
}

async function eachAtChannel(orders: readonly OrderAtChannel[], work: Work): Promise<unknown[]> {
  const failures: unknown[] = []
  const queue = [...orders]
  const worker = async () => {
    for (let next = queue.shift(); next && failures.length < patience; next = queue.shift()) {
      await work(next).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return failures
}
