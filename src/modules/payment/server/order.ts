import { ExampayStatus, ExamStatus, OrderStatus, PayBizType, PayChannelNo, PayState } from '#schemas/dictionaries'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import { type LiveTrx, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import { authoredBy } from '../../../platform/http/server/live.ts'
import { isRefusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely, windowOf } from '../../exams/rules/act-windows.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { ExceptReason, feeOrder, isReusable, orderExpiry } from '../rules/pay-order.ts'
import {
  type Actor,
  channelOf,
  type OpenOrder,
  type OrderRow,
  type PayContext,
  payFacts,
  programIn,
  type RecordRow,
  unavailable,
} from './context.ts'
import { openOrderOf } from './ledger.ts'
import { type Asked, askAndSettle, closeOrder, mayAsk } from './order-at-channel.ts'

/** Who pays, from where. */
export interface Payer extends Actor {
  ip: string
}

/**
 * Gives the order with which a candidate pays a record: the open one while it is useful, else a new one. Everything
 * in it is ours: amount and text from the record and its setting, nothing from the caller.
 *
 * The decision is made under a lock on the record; the channel is called outside of it, and calling it twice for one
 * order gives the same code, so a process may die anywhere in between.
 * @throws payment.notFound for somebody else's record, payment.closed window or exam closed, payment.alreadyPaid paid,
 * payment.exempt exempt, payment.orderClosed closed meanwhile, payment.channelUnavailable channel
 */
export const createOrder = (ctx: PayContext, payer: Payer, payRecordId: string): Promise<OpenOrder> =>
  offerOrder(ctx, payer, trx => chooseOrder(ctx, trx, payer, payRecordId))

/**
 * Gives an order with its code: the one `choose` finds or makes; one of no more use is closed first.
 * @param choose decides in a transaction of its own, which is of the program, under the lock of what is paid
 * @throws payment.alreadyPaid, payment.orderClosed, payment.channelUnavailable
 */
export async function offerOrder(
  ctx: PayContext,
  payer: Pick<Actor, 'tenantId'>,
  choose: (trx: LiveTrx) => Promise<Choice>,
): Promise<OpenOrder> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { order, usable } = await programIn(ctx, payer).transaction().execute(choose)
    if (usable) return withCode(ctx, order)
    await closeOrder(ctx, order, '即将过期，重新下单')
  }
  throw refuse('payment.channelUnavailable')
}

/** What is to be paid with. */
export interface Choice {
  order: OrderRow
  /** False: it must be closed first. */
  usable: boolean
}

async function chooseOrder(ctx: PayContext, trx: LiveTrx, payer: Payer, payRecordId: string): Promise<Choice> {
  const now = ctx.now()
  const window = await readWindow(trx, payRecordId)
  const record = await lockOwnRecord(trx, payRecordId, payer.userId)
  if (!record || !window) throw refuse('payment.notFound')
  refuseUnlessDue(record)
  if (window.stopped) throw refuse('payment.closed')
  checkTimely(paymentWindows.pay, payFacts(window), now)
  const open = await openOrderOf(trx, payRecordId)
  if (open) return { order: open, usable: isReusable(open.expireTime, now, lastMoment(window)) }
  return { order: await insertOrder(ctx, trx, record, payer, window, now), usable: true }
}

interface Window {
  payName: string
  startTime: Date
  endTime: Date
  graceSeconds: number | null
  /** The setting was recalled or the exam closed. */
  stopped: boolean
}

/** The end of a window with the exam's grace. */
const lastMoment = (window: Window): Date => windowOf(paymentWindows.pay, payFacts(window)).until as Date

/** The window of a record, its setting locked against a recall until the transaction ends. */
async function readWindow(trx: LiveTrx, payRecordId: string): Promise<Window | null> {
  const row = await trx
    .selectFrom(withRemoved('payrecord as r'))
    .innerJoin('exampay as p', 'p.itemId', 'r.itemId')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'r.examId')
    .where('r.id', '=', payRecordId)
    .select(['p.payName', 'p.startTime', 'p.endTime', 'p.payStatus', 'e.examStatus', 'e.graceSeconds'])
    .forShare('p')
    .executeTakeFirst()
  if (!row) return null
  return {
    payName: row.payName,
    startTime: row.startTime,
    endTime: row.endTime,
    graceSeconds: row.graceSeconds,
    stopped: row.payStatus === ExampayStatus.draft || row.examStatus !== ExamStatus.released,
  }
}

function lockOwnRecord(trx: LiveTrx, id: string, userId: string): Promise<RecordRow | undefined> {
  return trx
    .selectFrom('payrecord')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

function refuseUnlessDue({ payState }: RecordRow): void {
  if (payState === PayState.due) return
  if (payState === PayState.exempt) throw refuse('payment.exempt')
  throw refuse(payState === PayState.closed ? 'payment.closed' : 'payment.alreadyPaid')
}

function insertOrder(
  ctx: PayContext,
  trx: LiveTrx,
  record: RecordRow,
  payer: Payer,
  window: Window,
  now: Date,
): Promise<OrderRow> {
  return authoredBy(trx, payer, now)
    .insertInto('payorder')
    .values({
      ...feeOrder(record, window.payName, now),
      channel: ctx.channelNo,
      expireTime: orderExpiry(now, lastMoment(window)),
      clientIp: payer.ip,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function withCode(ctx: PayContext, order: OrderRow): Promise<OpenOrder> {
  if (order.codeUrl) return { ...order, codeUrl: order.codeUrl }
  const { codeUrl } = await orderAtChannel(ctx, order)
  const kept = await updateUnstamped(ctx.db, 'payorder')
    .set({ codeUrl })
    .where('id', '=', order.id)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .executeTakeFirst()
  if (Number(kept.numUpdatedRows) === 0) throw refuse('payment.orderClosed')
  return { ...order, codeUrl }
}

async function orderAtChannel(ctx: PayContext, order: OrderRow): Promise<{ codeUrl: string }> {
  try {
    const { orderNo, body, amount, expireTime } = order
    const clientIp = order.clientIp || '127.0.0.1'
    const { channel, notifyUrl } = channelOf(ctx, order)
    return await channel.createOrder({ orderNo, body, amount, expireTime, clientIp, notifyUrl: notifyUrl() })
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    if (error.alreadyPaid) await askAndSettle(ctx, order)
    if (error.alreadyPaid) throw refuse('payment.alreadyPaid')
    throw unavailable(error)
  }
}

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
    .leftJoin(withRemoved('payrecord as r'), join =>
      join.onRef('r.id', '=', 'o.bizId').on('o.bizType', '=', PayBizType.examFee),
    )
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
  if (order.channel === PayChannelNo.offline)
    throw refuseSaying('row.wrongState', '线下登记的订单不经支付渠道，没有可查的')
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
