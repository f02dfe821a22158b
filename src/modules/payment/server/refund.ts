import { InvoiceStatus, OrderStatus, PayBizType, PayChannelNo, PayState, RefundStatus } from '#schemas/dictionaries'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { newPayNumber } from '../rules/pay-order.ts'
import { isTooOld, liveRefunds } from '../rules/pay-refund.ts'
import { type Actor, type OrderRow, type PayContext, programOf, type RecordRow, type RefundRow } from './context.ts'
import { amountReceived } from './order-amount.ts'
import { lockRecord, moveRecord } from './ledger.ts'

/** A refund that is asked for. Without an amount it is the whole; less than that only for whoever `mayDivide`. */
export interface Wanted {
  reason: string
  /** Fen. */
  amount?: number | undefined
  mayDivide: boolean
}

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
  return ctx.db.transaction().execute(async trx => {
    const db = programOf(trx, actor, now)
    const { order, record } = await lockBoth(db, orderId)
    if (!refundable.includes(order.orderStatus)) throw refuse('row.wrongState')
    const before = await askedBefore(db, order, actor, { ...wanted, reason })
    if (before) return before
    if (record && record.payOrderId === order.id && record.invoiceStatus === InvoiceStatus.issued)
      throw refuse('payment.invoiced')
    const amount = await amountOf(db, order, wanted, now)
    const refundNo = newPayNumber('TK', now)
    // The raw handle: who asks is not who changed the slip last, by whom an act on it counts as repeated.
    await trx
      .insertInto('payrefund')
      .values({
        tenantId: actor.tenantId,
        refundNo,
        payOrderId: order.id,
        payRecordId: record?.id ?? null,
        amount,
        reason,
        refundStatus: RefundStatus.requested,
        applyUser: actor.userId,
        createUser: actor.userId,
        createTime: now,
        updateTime: now,
      })
      .execute()
    const isWhole = amount + (order.refundAmount ?? 0) >= order.amount
    if (record && isWhole && pays(order, record)) await moveRecord(db, record, PayState.refunding)
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

/** An order with the record it is for, both locked, in the order everybody locks in. @throws payment.notFound */
export async function lockBoth(
  trx: LiveTrx,
  orderId: string,
): Promise<{ order: OrderRow; record: RecordRow | undefined }> {
  const found = await trx
    .selectFrom('payorder')
    .select(['bizType', 'bizId'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!found) throw refuse('payment.notFound')
  const record = found.bizType === PayBizType.examFee ? await lockRecord(trx, found.bizId) : undefined
  const order = await trx
    .selectFrom(withRemoved('payorder'))
    .selectAll()
    .where('id', '=', orderId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { order, record }
}

/**
 * Refuses a refund that waits.
 * @throws row.notFound, row.wrongState when it was decided on, input.invalid without a reason
 */
export async function rejectRefund(ctx: PayContext, actor: Actor, refundId: string, given: string): Promise<void> {
  const errMsg = given.trim().slice(0, 255)
  if (!errMsg) throw refuse('input.invalid', { 说明: '请输入驳回原因' })
  const now = ctx.now()
  await ctx.db.transaction().execute(async trx => {
    const db = programOf(trx, actor, now)
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
  })
}

/** A slip. @throws row.notFound */
export async function slipOf(trx: LiveTrx, refundId: string): Promise<RefundRow> {
  const slip = await trx.selectFrom('payrefund').selectAll().where('id', '=', refundId).executeTakeFirst()
  if (!slip) throw refuse('row.notFound')
  return slip
}

/** What a move of a slip writes besides its state. */
export type RefundChanges = Partial<
  Pick<RefundRow, 'approveUser' | 'channelRefundId' | 'successTime' | 'errMsg' | 'queryTime'>
>

/** Moves a slip from a state; false when it is not in it. */
export async function moveRefund(
  trx: LiveTrx,
  slip: Pick<RefundRow, 'id'>,
  from: RefundRow['refundStatus'],
  to: RefundRow['refundStatus'],
  changes: RefundChanges = {},
): Promise<boolean> {
  const moved = await trx
    .updateTable(withRemoved('payrefund'))
    .set({ ...changes, refundStatus: to })
    .where('id', '=', slip.id)
    .where('refundStatus', '=', from)
    .executeTakeFirst()
  return Number(moved.numUpdatedRows) === 1
}

/** A record whose refund came to nothing is paid again. */
export async function backToPaid(trx: LiveTrx, order: OrderRow, record: RecordRow | undefined): Promise<void> {
  if (record?.payOrderId === order.id && record.payState === PayState.refunding)
    await moveRecord(trx, record, PayState.paid)
}
