import { ExampayStatus, ExamStatus, OrderStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely, windowOf } from '../../exams/rules/act-windows.ts'
import { isReusable, newPayNumber, orderExpiry } from '../rules/pay-order.ts'
import { askAndSettle, closeOrder, unavailable } from './order-at-channel.ts'
import {
  type Actor,
  channelOf,
  type OrderRow,
  type PayContext,
  payFacts,
  programOf,
  type RecordRow,
} from './context.ts'

/** Who pays, from where. */
export interface Payer extends Actor {
  ip: string
}

/** An order with its code, ready to be shown. */
export type OpenOrder = OrderRow & { codeUrl: string }

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
  offerOrder(ctx, trx => chooseOrder(ctx, trx, payer, payRecordId))

/**
 * Gives an order with its code: the one `choose` finds or makes; one of no more use is closed first.
 * @param choose decides in a transaction of its own, under the lock of what is paid
 * @throws payment.alreadyPaid, payment.orderClosed, payment.channelUnavailable
 */
export async function offerOrder(ctx: PayContext, choose: (trx: Trx) => Promise<Choice>): Promise<OpenOrder> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { order, usable } = await ctx.db.transaction().execute(choose)
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

async function chooseOrder(ctx: PayContext, trx: Trx, payer: Payer, payRecordId: string): Promise<Choice> {
  const now = ctx.now()
  const db = programOf(trx, payer, now)
  const window = await readWindow(db, payRecordId)
  const record = await lockOwnRecord(db, payRecordId, payer.userId)
  if (!record || !window) throw refuse('payment.notFound')
  refuseUnlessDue(record)
  if (window.stopped) throw refuse('payment.closed')
  checkTimely('pay', payFacts(window), now)
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
const lastMoment = (window: Window): Date => windowOf('pay', payFacts(window)).until as Date

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

/** The open order of a record or another business; the database allows one at most. */
export function openOrderOf(
  trx: Trx,
  bizId: string,
  bizType: OrderRow['bizType'] = PayBizType.examFee,
): Promise<OrderRow | undefined> {
  return trx
    .selectFrom('payorder')
    .selectAll()
    .where('bizType', '=', bizType)
    .where('bizId', '=', bizId)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .executeTakeFirst()
}

function insertOrder(
  ctx: PayContext,
  trx: Trx,
  record: RecordRow,
  payer: Payer,
  window: Window,
  now: Date,
): Promise<OrderRow> {
  // The raw handle: nobody has changed the order yet, by whom closing it could count as repeated.
  return trx
    .insertInto('payorder')
    .values({
      tenantId: payer.tenantId,
      orderNo: newPayNumber('JF', now),
      bizType: PayBizType.examFee,
      bizId: record.id,
      userId: record.userId,
      body: window.payName,
      amount: record.amount,
      channel: ctx.channelNo,
      expireTime: orderExpiry(now, lastMoment(window)),
      clientIp: payer.ip,
      createUser: payer.userId,
      createTime: now,
      updateTime: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function withCode(ctx: PayContext, order: OrderRow): Promise<OpenOrder> {
  if (order.codeUrl) return { ...order, codeUrl: order.codeUrl }
  const { codeUrl } = await orderAtChannel(ctx, order)
  const kept = await ctx.db
    .updateTable('payorder')
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
