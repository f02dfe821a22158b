import { OrderStatus, RefundStatus } from '#schemas/dictionaries'
import type { Bill } from '../../../platform/channels/pay/bill.ts'
import { type Across, type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Movement } from '../rules/reconcile.ts'
import type { ChannelNo } from './context.ts'

/** A day of one tenant at one channel. */
export interface DayKey {
  tenantId: string
  channel: ChannelNo
  /** `yyyy-MM-dd` in Shanghai. */
  day: string
}

/** Orders whose money came, whatever became of it since. */
const moneyCame = [OrderStatus.paid, OrderStatus.refunded, OrderStatus.partlyRefunded, OrderStatus.exception]

const boundsOf = (day: string): [Date, Date] => {
  const start = new Date(`${day}T00:00:00+08:00`)
  return [start, new Date(start.getTime() + 86_400_000)]
}

/** What our books say of a day: payments and refunds that succeeded. */
export async function localBooks(db: Live, { channel, day }: Pick<DayKey, 'channel' | 'day'>) {
  const [start, end] = boundsOf(day)
  const trades: Movement[] = await db
    .selectFrom('payorder')
    .where('channel', '=', channel)
    .where('orderStatus', 'in', moneyCame)
    .where('payTime', '>=', start)
    .where('payTime', '<', end)
    .select(['orderNo as no', 'amount', eb => eb.fn.coalesce('transactionId', eb.val('')).as('transactionId')])
    .orderBy('orderNo')
    .execute()
  const refunds: Movement[] = await db
    .selectFrom('payrefund as r')
    .innerJoin(withRemoved('payorder as o'), 'o.id', 'r.payOrderId')
    .where('o.channel', '=', channel)
    .where('r.refundStatus', '=', RefundStatus.succeeded)
    .where('r.successTime', '>=', start)
    .where('r.successTime', '<', end)
    .select(['r.refundNo as no', 'r.amount', eb => eb.fn.coalesce('r.channelRefundId', eb.val('')).as('transactionId')])
    .orderBy('r.refundNo')
    .execute()
  return { trades, refunds }
}

/**
 * The lines of a bill that concern a tenant, since all tenants of an installation share one merchant: orders of other tenants are
 * left out, an order nobody knows is shown to every tenant.
 */
export async function linesOf(db: Across, bill: Bill, tenantId: string) {
  const numbers = [...bill.trades, ...bill.refunds].map(one => one.orderNo)
  const orders = await db
    .selectFrom('payorder')
    .select(['id', 'orderNo', 'tenantId', 'orderStatus', 'channel'])
    .where('orderNo', 'in', numbers.length > 0 ? numbers : [''])
    .execute()
  const foreign = new Set(orders.filter(one => one.tenantId !== tenantId).map(one => one.orderNo))
  const own = <T extends { orderNo: string }>(lines: readonly T[]) => lines.filter(one => !foreign.has(one.orderNo))
  return {
    known: orders.filter(one => one.tenantId === tenantId),
    trades: own(bill.trades).map(({ orderNo: no, transactionId, amount }): Movement => ({ no, transactionId, amount })),
    refunds: own(bill.refunds).map(
      ({ refundNo: no, channelRefundId: transactionId, amount }): Movement => ({ no, transactionId, amount }),
    ),
  }
}
