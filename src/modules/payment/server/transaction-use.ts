import { sql } from 'kysely'
import type { ChannelOrder } from '../../../platform/channels/pay/channel.ts'
import type { Trx } from '../../../platform/database/database.ts'
import type { OrderRow } from './context.ts'

/** Sets the lock on transaction numbers apart from the other advisory locks of the database. */
const transactionLocks = 8264

/**
 * The other order that already has the transaction number the channel names. The number stays locked until the transaction
 * ends, after record and order, so that two orders told the same number at one moment are decided one after the other.
 * All tenants share one merchant, so the number is looked for in all of them.
 */
export async function findUseOfTransaction(
  trx: Trx,
  order: Pick<OrderRow, 'id'>,
  { transactionId }: Pick<ChannelOrder, 'transactionId'>,
): Promise<Pick<OrderRow, 'orderNo'> | undefined> {
  if (!transactionId) return undefined
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${transactionId}, ${transactionLocks}))`.execute(trx)
  return trx
    .selectFrom('payorder')
    .select('orderNo')
    .where('transactionId', '=', transactionId)
    .where('id', '<>', order.id)
    .executeTakeFirst()
}

/** Why an order got no money, and what to do about it. */
export const transactionRepeated = (orderNo: string): string =>
  `渠道订单号重复，已用于订单 ${orderNo}，请查单后人工核对`
