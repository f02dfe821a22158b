import { sql } from 'kysely'
import { InvoiceStatus, RefundStatus } from '#schemas/dictionaries'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import type { ChannelRefund } from '../../../platform/channels/pay/refund.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { refundAskGap } from '../rules/pay-refund.ts'
import { unavailable } from './order-at-channel.ts'
import {
  type Actor,
  actingAs,
  channelOf,
  type OrderRow,
  type PayContext,
  programOf,
  type RefundRow,
} from './context.ts'
import { amountReceived } from './order-amount.ts'
import { lockBoth, moveRefund, slipOf } from './refund.ts'
import { completeRefund, isOffline, type RefundOutcome, settleRefund } from './refund-settle.ts'

/** Slips asked about at most in one run of the job. */
const most = 100

/** What an approval came to; undefined for a slip that was not approved. */
const outcomes: Readonly<Record<number, RefundOutcome>> = {
  [RefundStatus.processing]: 'running',
  [RefundStatus.succeeded]: 'done',
  [RefundStatus.failed]: 'closed',
  [RefundStatus.exception]: 'abnormal',
}

/**
 * Approves a refund and asks the channel for it. What was paid outside of any channel was paid back by hand and is done
 * at once.
 * @throws row.notFound, row.sameApprover for one's own application, row.wrongState when it was decided on,
 * payment.invoiced, payment.channelUnavailable when the channel does not answer: the approval stands then, and the job
 * asks again with the same number
 */
export async function approveRefund(ctx: PayContext, actor: Actor, refundId: string): Promise<RefundOutcome> {
  const now = ctx.now()
  const asked = await ctx.db.transaction().execute(async trx => {
    const db = programOf(trx, actor, now)
    const found = await slipOf(db, refundId)
    if (found.applyUser === actor.userId) throw refuse('row.sameApprover')
    const { order, record } = await lockBoth(db, found.payOrderId)
    // Read again under the lock: a message of the channel may have corrected its amount meanwhile.
    const slip = await slipOf(db, refundId)
    const before = outcomes[slip.refundStatus]
    if (before && isOwnRepeat({ updateUser: slip.approveUser }, true, actor)) return before
    if (record?.payOrderId === order.id && record.invoiceStatus === InvoiceStatus.issued)
      throw refuse('payment.invoiced')
    const changes = { approveUser: actor.userId, errMsg: null, queryTime: now }
    if (!(await moveRefund(db, slip, RefundStatus.requested, RefundStatus.processing, changes)))
      throw refuse('row.wrongState')
    if (!isOffline(order)) return { slip, order }
    const approved = { ...slip, refundStatus: RefundStatus.processing }
    await completeRefund(db, approved, order, record, { successTime: now })
    return 'done'
  })
  return typeof asked === 'string' ? asked : pushRefund(ctx, actor, asked.slip, asked.order)
}

/**
 * Asks the channel again for a refund that is stuck, with the same number.
 * @throws row.notFound, row.wrongState when nothing is stuck, payment.channelUnavailable
 */
export async function retryRefund(ctx: PayContext, actor: Actor, refundId: string): Promise<RefundOutcome> {
  const now = ctx.now()
  const asked = await ctx.db.transaction().execute(async trx => {
    const own = actingAs(trx, actor, now)
    const found = await slipOf(own, refundId)
    const both = await lockBoth(own, found.payOrderId)
    const present = await slipOf(own, refundId)
    const isOver = present.refundStatus === RefundStatus.succeeded || present.refundStatus === RefundStatus.failed
    const before = outcomes[present.refundStatus]
    if (before && isOwnRepeat(present, isOver && !isByHand(present), actor)) return before
    const changes = { queryTime: now }
    const runs = await moveRefund(own, found, RefundStatus.processing, RefundStatus.processing, changes)
    if (!runs && !(await moveRefund(own, found, RefundStatus.exception, RefundStatus.processing, changes)))
      throw refuse('row.wrongState')
    return { slip: found, order: both.order }
  })
  return typeof asked === 'string' ? asked : pushRefund(ctx, actor, asked.slip, asked.order)
}

/** What the note of a refund that was paid back by hand begins with. */
const byHand = '线下退款：'

const isByHand = ({ errMsg }: Pick<RefundRow, 'errMsg'>): boolean => errMsg?.startsWith(byHand) === true

/**
 * Books an abnormal refund that was paid back by hand, with the words of its voucher.
 * @throws row.notFound, input.invalid, row.wrongState
 */
export async function refundByHand(ctx: PayContext, actor: Actor, refundId: string, voucher: string): Promise<void> {
  const errMsg = `${byHand}${voucher.trim()}`.slice(0, 255)
  if (!voucher.trim()) throw refuse('input.invalid', { 说明: '请输入凭证说明' })
  const now = ctx.now()
  await ctx.db.transaction().execute(async trx => {
    const db = programOf(trx, actor, now)
    const found = await slipOf(db, refundId)
    if (found.applyUser === actor.userId) throw refuse('row.sameApprover')
    const { order, record } = await lockBoth(db, found.payOrderId)
    const slip = await slipOf(db, refundId)
    const isDone = slip.refundStatus === RefundStatus.succeeded && slip.errMsg === errMsg
    if (isOwnRepeat(slip, isDone, actor)) return
    if (slip.refundStatus !== RefundStatus.exception) throw refuse('row.wrongState')
    const changes = { successTime: now, errMsg }
    await completeRefund(db, slip, order, record, changes, actingAs(trx, actor, now))
  })
}

/** Asks for the money and takes over the answer. A refusal of the channel itself makes the slip abnormal, with its words. */
async function pushRefund(
  ctx: PayContext,
  whose: Pick<Actor, 'tenantId'>,
  slip: RefundRow,
  order: OrderRow,
): Promise<RefundOutcome> {
  try {
    const { channel, refundNotifyUrl } = channelOf(ctx, order)
    const told = await channel.refund({
      orderNo: order.orderNo,
      refundNo: slip.refundNo,
      amount: slip.amount,
      reason: slip.reason,
      // What came, which of an exception is not what was asked for.
      total: amountReceived(order),
      notifyUrl: refundNotifyUrl(),
    })
    return await take(ctx, told)
  } catch (error) {
    if (!(error instanceof ChannelError) || !error.signed || error.status >= 500) throw unavailable(error)
    const errMsg = error.message.slice(0, 255)
    await ctx.db.transaction().execute(trx => {
      const db = programOf(trx, whose, ctx.now())
      return moveRefund(db, slip, RefundStatus.processing, RefundStatus.exception, { errMsg })
    })
    return 'abnormal'
  }
}

const take = (ctx: PayContext, told: ChannelRefund): Promise<RefundOutcome> =>
  ctx.db.transaction().execute(trx => settleRefund(trx, told, ctx.now()))

/**
 * Asks about refunds that are on their way; one the channel never heard of, because a process died in between, is asked for again.
 * @returns errors that only delayed something
 */
export async function pollRefunds(ctx: PayContext): Promise<unknown[]> {
  const now = ctx.now()
  const rows = await ctx.db
    .selectFrom('payrefund')
    .selectAll()
    .where('refundStatus', '=', RefundStatus.processing)
    .where('isDeleted', '=', 0)
    .orderBy(sql`coalesce("queryTime", "createTime")`)
    .limit(most)
    .execute()
  const failures: unknown[] = []
  for (const slip of rows) {
    const last = slip.queryTime ?? slip.updateTime
    if (now.getTime() - last.getTime() < refundAskGap(slip.createTime, now)) continue
    await ctx.db.updateTable('payrefund').set({ queryTime: now }).where('id', '=', slip.id).execute()
    await askAbout(ctx, slip).catch(error => failures.push(error))
  }
  return failures
}

async function askAbout(ctx: PayContext, slip: RefundRow & Pick<Actor, 'tenantId'>): Promise<void> {
  const order = await ctx.db
    .selectFrom('payorder')
    .selectAll()
    .where('id', '=', slip.payOrderId)
    .executeTakeFirstOrThrow()
  try {
    await take(ctx, await channelOf(ctx, order).channel.queryRefund(slip.refundNo))
  } catch (error) {
    if (!(error instanceof ChannelError) || !error.unknownRefund) throw error
    await pushRefund(ctx, slip, slip, order)
  }
}
