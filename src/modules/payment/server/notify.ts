import type { Kysely } from 'kysely'
import type { ChannelHeaders } from '../../../platform/channels/pay/channel.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { PayContext } from './context.ts'
import type { RefundOutcome } from './refund-settle.ts'
import { type Outcome, settle } from './settle.ts'

/** A notification that proved genuine, as it came. */
export interface PayNotifyTable {
  id: string
  notifyId: string
  orderNo: string
  /** The channel's number of the payment; of a refund our own. */
  transactionId: string
  amount: number
  raw: string
  /** What it came to; `unknown` asks for somebody to look. */
  outcome: Outcome | RefundOutcome
  time: Date
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    pay_notify: Omit<PayNotifyTable, 'id'>
  }
}

/** Milliseconds the raw notifications are kept: 180 days. */
const keep = 180 * 86_400_000

/**
 * Takes a notification: proved first, then settled and kept in one transaction.
 * @throws NotifyError when it is not genuine; any other error means "tell me again"
 */
export async function acceptNotify(ctx: PayContext, headers: ChannelHeaders, rawBody: Buffer): Promise<Outcome> {
  const told = await ctx.pay.verifyNotify(headers, rawBody)
  const now = ctx.now()
  return ctx.db.transaction().execute(async trx => {
    const outcome = await settle(trx, told, now)
    const { orderNo, transactionId, amount, notifyId = '' } = told
    await trx
      .insertInto('pay_notify')
      .values({ orderNo, transactionId, amount, notifyId, raw: rawBody.toString('utf8'), outcome, time: now })
      .execute()
    return outcome
  })
}

/** Forgets notifications older than 180 days. */
export async function purgeNotifies(db: Kysely<Database>, now: Date): Promise<void> {
  await db
    .deleteFrom('pay_notify')
    .where('time', '<', new Date(now.getTime() - keep))
    .execute()
}
