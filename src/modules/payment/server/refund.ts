import { sql } from 'kysely'
import type { payorder } from '#resources/payment/payorder'
import type { payrecord } from '#resources/payment/payrecord'
import type { payrefund } from '#resources/payment/payrefund'
import { InvoiceStatus, OrderStatus, PayChannelNo, PayState, RefundStatus } from '#schemas/dictionaries'
import type { ActionContext, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import type { ChannelRefund } from '../../../platform/channels/pay/refund.ts'
import { type LiveTrx, liveFor, updateUnstamped } from '../../../platform/database/live.ts'
import { authoredBy } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { newPayNumber } from '../rules/pay-order.ts'
import { isTooOld, liveRefunds, refundAskGap } from '../rules/pay-refund.ts'
import {
  type Actor,
  actingAs,
  channelOf,
  type OrderRow,
  type PayContext,
  payContext,
  programIn,
  type RecordRow,
  type RefundRow,
  unavailable,
} from './context.ts'
import { idInScope, idsInScope } from './in-scope.ts'
import { amountReceived, backToPaid, lockBoth, moveRecord, moveRefund, slipOf, tellAsked } from './ledger.ts'
import { oneByOne } from './one-by-one.ts'
import { completeRefund, type RefundOutcome, settleRefund } from './refund-settle.ts'

/** A refund that is asked for. Without an amount it is the whole; less than that only for whoever `mayDivide`. */
export interface Wanted {
  reason: string
  /** Fen. */
  amount?: number | undefined
  mayDivide: boolean
  /** Done with the slip in its transaction. */
  along?: (db: LiveTrx, slip: { id: string; amount: number; orderNo: string; reason: string }) => Promise<unknown>
}

/** The live handle of the program within a transaction that is open. */
const programOn = (on: LiveTrx, { tenantId }: Actor, now: Date): LiveTrx =>
  liveFor(on, { tenantId, userId: null, now: () => now })

/** Orders whose money can go back. */
const refundable: readonly number[] = [OrderStatus.paid, OrderStatus.partlyRefunded, OrderStatus.exception]

/**
 * Asks for a refund: a slip that another person decides on. A record whose money goes back as a whole stands as 退款中
 * from here on.
 * @returns the number of the slip
 * @throws payment.notFound, input.invalid without a reason, row.wrongState nothing was paid, payment.refundTooLarge,
 * payment.refundPending, payment.refundTooLate, payment.invoiced
 */
export async function applyRefund(ctx: PayContext, actor: Actor, orderId: string, wanted: Wanted): Promise<string> {
  const reason = wanted.reason.trim().slice(0, 80)
  if (!reason) throw refuse('input.invalid', { 说明: '请输入退款原因' })
  const now = ctx.now()
  return programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      const { order, record } = await lockBoth(db, orderId)
      if (!refundable.includes(order.orderStatus)) throw refuse('row.wrongState')
      const before = await askedBefore(db, order, actor, { ...wanted, reason })
      if (before) return before
      if (record && record.payOrderId === order.id && record.invoiceStatus === InvoiceStatus.issued)
        throw refuse('payment.invoiced')
      const amount = await amountOf(db, order, wanted, now)
      const refundNo = newPayNumber('TK', now)
      const slip = await authoredBy(db, actor, now)
        .insertInto('payrefund')
        .values({
          refundNo,
          payOrderId: order.id,
          payRecordId: record?.id ?? null,
          amount,
          reason,
          refundStatus: RefundStatus.requested,
          applyUser: actor.userId,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const { id } = slip
      await tellAsked(actingAs(db, actor, now), slip)
      const isWhole = amount + (order.refundAmount ?? 0) >= order.amount
      if (record && isWhole && pays(order, record)) await moveRecord(db, record, PayState.refunding)
      await wanted.along?.(db, { id, amount, orderNo: order.orderNo, reason })
      return refundNo
    })
}

/** The number of the slip by which a person has asked for just this, if it is still to be decided on. */
async function askedBefore(trx: LiveTrx, order: OrderRow, actor: Actor, { reason, amount }: Wanted) {
  const slips = await trx
    .selectFrom('payrefund')
    .select(['refundNo', 'applyUser', 'reason', 'amount'])
    .where('payOrderId', '=', order.id)
    .where('refundStatus', '=', RefundStatus.requested)
    .execute()
  const isSame = (slip: (typeof slips)[number]) =>
    slip.reason === reason && (amount === undefined || slip.amount === amount)
  return slips.find(slip => isOwnRepeat({ updateUser: slip.applyUser }, isSame(slip), actor))?.refundNo
}

/** True when an order is the one that paid its record. */
const pays = (order: OrderRow, record: RecordRow): boolean =>
  record.payOrderId === order.id && record.payState === PayState.paid

/**
 * What may go back.
 * @throws payment.refundTooLarge, payment.refundPending, payment.refundTooLate, 403-like input.invalid for a part of it
 * by somebody who may not divide
 */
async function amountOf(trx: LiveTrx, order: OrderRow, { amount, mayDivide }: Wanted, now: Date): Promise<number> {
  const slips = await trx
    .selectFrom('payrefund')
    .select(['amount', 'refundStatus'])
    .where('payOrderId', '=', order.id)
    .execute()
  const live = slips.filter(slip => (liveRefunds as readonly number[]).includes(slip.refundStatus))
  if (live.length > 0) throw refuse('payment.refundPending')
  if (order.channel !== PayChannelNo.offline && order.payTime && isTooOld(order.payTime, now))
    throw refuse('payment.refundTooLate')
  const back = slips
    .filter(slip => slip.refundStatus === RefundStatus.succeeded)
    .reduce((sum, slip) => sum + slip.amount, 0)
  const most = amountReceived(order) - back
  if (amount === undefined) {
    if (most < 1) throw refuse('payment.refundTooLarge')
    return most
  }
  if (amount < 1 || amount > most) throw refuse('payment.refundTooLarge')
  if (amount < most && !mayDivide) throw refuse('input.invalid', { 说明: '部分退款须由机构管理员申请' })
  return amount
}

/**
 * Refuses a refund that waits, in an open transaction of the tenant.
 * @throws row.notFound, row.wrongState when it was decided on, input.invalid without a reason
 */
export async function rejectRefundIn(
  on: LiveTrx,
  actor: Actor,
  refundId: string,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const errMsg = reason.trim().slice(0, 255)
  if (!errMsg) throw refuse('input.invalid', { 说明: '请输入驳回原因' })
  const db = programOn(on, actor, now)
  const slip = await slipOf(db, refundId)
  const { order, record } = await lockBoth(db, slip.payOrderId)
  const present = await slipOf(db, refundId)
  const isDone = present.refundStatus === RefundStatus.rejected && present.errMsg === errMsg
  if (isOwnRepeat({ updateUser: present.approveUser }, isDone, actor)) return
  const moved = await moveRefund(db, slip, RefundStatus.requested, RefundStatus.rejected, {
    errMsg,
    approveUser: actor.userId,
  })
  if (!moved) throw refuse('row.wrongState')
  await backToPaid(db, order, record)
}

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
async function approveRefund(ctx: PayContext, actor: Actor, refundId: string, check: Check): Promise<RefundOutcome> {
  const now = ctx.now()
  const asked = await programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      await check(db, refundId)
      return approveRefundIn(db, actor, refundId, now)
    })
  return typeof asked === 'string' ? asked : pushRefund(ctx, actor, asked.slip, asked.order)
}

/**
 * Approves a refund in an open transaction of the tenant. The channel is to be asked after it; where nobody does so, the job asks
 * that looks after refunds on their way.
 * @returns what came of it, or what the channel is to be asked for
 * @throws row.notFound, row.sameApprover for one's own application, row.wrongState when it was decided on, payment.invoiced
 */
export async function approveRefundIn(
  on: LiveTrx,
  actor: Actor,
  refundId: string,
  now: Date,
): Promise<RefundOutcome | { slip: RefundRow; order: OrderRow }> {
  const db = programOn(on, actor, now)
  const found = await slipOf(db, refundId)
  if (found.applyUser === actor.userId) throw refuse('row.sameApprover')
  const { order, record } = await lockBoth(db, found.payOrderId)
  // Read again under the lock: a message of the channel may have corrected its amount meanwhile.
  const slip = await slipOf(db, refundId)
  const before = outcomes[slip.refundStatus]
  if (before && isOwnRepeat({ updateUser: slip.approveUser }, true, actor)) return before
  if (record?.payOrderId === order.id && record.invoiceStatus === InvoiceStatus.issued) throw refuse('payment.invoiced')
  const changes = { approveUser: actor.userId, errMsg: null, queryTime: now }
  if (!(await moveRefund(db, slip, RefundStatus.requested, RefundStatus.processing, changes)))
    throw refuse('row.wrongState')
  if (order.channel !== PayChannelNo.offline) return { slip, order }
  const approved = { ...slip, refundStatus: RefundStatus.processing }
  await completeRefund(db, approved, order, record, { successTime: now })
  return 'done'
}

/**
 * Asks the channel again for a refund that is stuck, with the same number.
 * @throws row.notFound, row.wrongState when nothing is stuck, payment.channelUnavailable
 */
async function retryRefund(ctx: PayContext, actor: Actor, refundId: string): Promise<RefundOutcome> {
  const now = ctx.now()
  const asked = await programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      const own = actingAs(db, actor, now)
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
async function refundByHand(ctx: PayContext, actor: Actor, refundId: string, voucher: string): Promise<void> {
  const errMsg = `${byHand}${voucher.trim()}`.slice(0, 255)
  if (!voucher.trim()) throw refuse('input.invalid', { 说明: '请输入凭证说明' })
  const now = ctx.now()
  await programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      const found = await slipOf(db, refundId)
      if (found.applyUser === actor.userId) throw refuse('row.sameApprover')
      const { order, record } = await lockBoth(db, found.payOrderId)
      const slip = await slipOf(db, refundId)
      const isDone = slip.refundStatus === RefundStatus.succeeded && slip.errMsg === errMsg
      if (isOwnRepeat(slip, isDone, actor)) return
      if (slip.refundStatus !== RefundStatus.exception) throw refuse('row.wrongState')
      const changes = { successTime: now, errMsg }
      await completeRefund(db, slip, order, record, changes, actingAs(db, actor, now))
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
    await programIn(ctx, whose)
      .transaction()
      .execute(db => moveRefund(db, slip, RefundStatus.processing, RefundStatus.exception, { errMsg }))
    return 'abnormal'
  }
}

const take = (ctx: PayContext, told: ChannelRefund): Promise<RefundOutcome> =>
  ctx.db.transaction().execute(trx => settleRefund(trx, told, ctx.now()))

/**
 * Asks about refunds that are on their way; one the channel does not know, because a process ended in between, is asked for
 * again.
 * @returns errors that only delayed something
 */
export async function pollRefunds(ctx: PayContext): Promise<unknown[]> {
  const now = ctx.now()
  const rows = await ctx.db
    .selectFrom('payrefund')
    .selectAll()
    .where('refundStatus', '=', RefundStatus.processing)
    .orderBy(sql`coalesce("queryTime", "createTime")`)
    .limit(most)
    .execute()
  const failures: unknown[] = []
  for (const slip of rows) {
    const last = slip.queryTime ?? slip.updateTime
    if (now.getTime() - last.getTime() < refundAskGap(slip.createTime, now)) continue
    await updateUnstamped(ctx.db, 'payrefund').set({ queryTime: now }).where('id', '=', slip.id).execute()
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

/** Looks at a slip in the transaction in which somebody decides on it. */
type Check = (db: LiveTrx, refundId: string) => Promise<void>

/** A slip that a process decides on is not decided on by a button. */
const isFree =
  ({ extensions }: ActionContext['app']): Check =>
  (db, refundId) =>
    extensions.approvals.requireFree(db, 'refund', [refundId])

/** Roles that may send back a part of a payment. */
const dividers = ['administrator', 'admin']

const words: Readonly<Record<RefundOutcome, string>> = {
  unknown: '渠道无此退款',
  running: '退款处理中',
  done: '退款成功',
  closed: '渠道已关闭退款',
  again: '退款已有结果',
  abnormal: '退款异常，请核实后重试或线下退款',
}

interface Wish {
  readonly reason: string
  readonly amount?: number | null | undefined
}

/** Asks for a refund of an order found by one of its columns, if the caller may meet it. */
async function applyBy(
  { app, person, values }: Pick<ActionContext<Wish>, 'app' | 'person' | 'values'>,
  column: 'id' | 'orderNo',
  key: string,
) {
  const order = await scoped(app, person, 'payorder').select('id').where(column, '=', key).executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  const refundNo = await applyRefund(payContext(app), person, order.id, {
    reason: values.reason,
    amount: values.amount ?? undefined,
    mayDivide: person.roles.some(role => dividers.includes(role)),
    along: (db, { id, amount, orderNo, reason }) =>
      app.extensions.approvals.begin(
        app,
        db,
        { ...person, now: app.now() },
        {
          kind: 'refund',
          id,
          title: `退款 ${orderNo}`,
          facts: { amount: (amount / 100).toFixed(2), orderNo, reason },
        },
      ),
  })
  return { refundNo }
}

/** Asks for a refund at the row of an order. */
export const refundOrder: HandlerOf<typeof payorder, 'refund'> = ctx => applyBy(ctx, 'id', ctx.id)

/** Asks for a refund at the row of a fee record, of the order that paid it. @throws payment.notFound, and as at the row of an order */
export const refundRecord: HandlerOf<typeof payrecord, 'refund'> = async ctx => {
  const record = await scoped(ctx.app, ctx.person, 'payrecord')
    .select('payOrderId')
    .where('id', '=', ctx.id)
    .executeTakeFirst()
  if (!record) throw refuse('payment.notFound')
  if (!record.payOrderId) throw refuse('row.wrongState')
  return applyBy(ctx, 'id', record.payOrderId)
}

/** Who decides on which refund. @throws row.notFound where it is none of the caller's scope */
const askedOf = async (ctx: Pick<ActionContext, 'app' | 'person' | 'id'>) =>
  [payContext(ctx.app), ctx.person, await idInScope(ctx, 'payrefund', 'row.notFound')] as const

/** What finance does with refunds. */
export const refundHandlers: HandlersOf<typeof payrefund> = {
  apply: ctx => applyBy(ctx, 'orderNo', ctx.values.orderNo),
  approve: async ctx => ({ message: words[await approveRefund(...(await askedOf(ctx)), isFree(ctx.app))] }),
  approveMany: async ctx => {
    const [ids, pay, check] = [await idsInScope(ctx, 'payrefund', 'row.notFound'), payContext(ctx.app), isFree(ctx.app)]
    // The approval stands: the job that looks after refunds on their way asks the channel again.
    return oneByOne(ids, id => approveRefund(pay, ctx.person, id, check), '已批准，支付渠道没有应答，系统会再次发起')
  },
  reject: async ctx => {
    const [pay, actor, id] = await askedOf(ctx)
    const now = pay.now()
    await programIn(pay, actor, now)
      .transaction()
      .execute(async db => {
        await isFree(ctx.app)(db, id)
        await rejectRefundIn(db, actor, id, { reason: ctx.values.reason, now })
      })
  },
  retry: async ctx => ({ message: words[await retryRefund(...(await askedOf(ctx)))] }),
  byHand: async ctx => {
    await refundByHand(...(await askedOf(ctx)), ctx.values.remark)
  },
}
