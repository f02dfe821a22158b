import { sql } from 'kysely'
import { ExampayStatus, OrderStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { type ChannelOrder, meaningOf } from '../../../platform/channels/pay/channel.ts'
import type { AcrossTrx, LiveTrx } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { ExceptReason } from '../rules/pay-order.ts'
import type { OrderRow, RecordRow } from './context.ts'
import {
  amountReceived,
  correctableSlip,
  correctSlip,
  insertSystemSlip,
  lockOrder,
  lockRecord,
  moveOrder,
  moveRecord,
  withdrawSlip,
} from './ledger.ts'
import { isPayable } from './payable.ts'
import type { Products, Purchase } from './products.ts'

/** What became of an order after the channel spoke. `again` is the second telling of what is known. */
export type Outcome = 'unknown' | 'open' | 'paid' | 'closed' | 'exception' | 'again'

/**
 * Takes over what the channel says about an order, from a notification, a query or the poll job: order, record, batch
 * totals and the sign-up's copy, all or nothing, and once however often it is told. `told` must be proved genuine; whose
 * order it is about, the order itself says.
 *
 * Money that may not count (other amount, second payment, exempt, too late) makes the order an exception with a refund
 * slip: nothing that was paid is ever lost sight of. A later message that corrects the amount is taken over as long as the
 * slip has not been approved. A transaction number that another order already has brings no money to this one.
 * @param products what orders pay for besides the fees of exams
 */
export async function settle(trx: AcrossTrx, told: ChannelOrder, now: Date, products: Products): Promise<Outcome> {
  const found = await trx.selectFrom('payorder').selectAll().where('orderNo', '=', told.orderNo).executeTakeFirst()
  if (!found) return 'unknown'
  const db = programOf(trx, found, now)
  const { bizType, bizId, tenantId } = found
  const record = bizType === PayBizType.examFee ? await lockRecord(db, bizId) : undefined
  const purchase =
    bizType === PayBizType.examFee ? undefined : await products[bizType].lock(db, bizId, { tenantId, now })
  const order = await lockOrder(db, found.id)
  const meaning = meaningOf(told.state)
  const user = meaning === 'paid' ? await findUseOfTransaction(trx, order, told) : undefined
  if (meaning === 'open') return 'open'
  if (meaning === 'closed') return closeTold(db, order, told)
  if (user) return refuseRepeated(db, order, told, user, now)
  const known: Known = { order, record, purchase, told, now }
  if (order.orderStatus === OrderStatus.unpaid || order.orderStatus === OrderStatus.closed) return decide(db, known)
  return meaning === 'paid' ? correct(db, known) : 'again'
}

/** An order with what it pays for, both locked, and what the channel says about it. */
interface Known {
  order: OrderRow
  record: RecordRow | undefined
  purchase: Purchase | undefined
  told: ChannelOrder
  now: Date
}

/** Books the money, or makes the order an exception when it may not count. */
async function decide(trx: LiveTrx, known: Known): Promise<Outcome> {
  const { order, record, purchase, told, now } = known
  const reason = await objection(trx, known)
  if (reason) return except(trx, order, told, reason, now)
  await purchase?.complete(order.id)
  return pay(trx, order, record, told, now)
}

/**
 * Takes over a message that says something else about an order than the one before. While the slip of an exception is not
 * approved the later message counts; afterwards a person must look, and the order says what to do.
 */
async function correct(trx: LiveTrx, known: Known): Promise<Outcome> {
  const { order, told, now } = known
  const received = amountReceived(order)
  const sameTransaction = order.transactionId === null || order.transactionId === told.transactionId
  if (sameTransaction && told.amount === received) return 'again'
  if (order.orderStatus === OrderStatus.paid) return 'exception'
  if (!sameTransaction) return noteOnce(trx, order, `渠道又报渠道订单号 ${told.transactionId}，请查单后人工核对`)
  const slip = await correctableSlip(trx, order.id)
  if (slip === 'approved') {
    const left = told.amount > (order.refundAmount ?? 0)
    await moveOrder(
      trx,
      order,
      left && order.orderStatus === OrderStatus.refunded ? OrderStatus.partlyRefunded : order.orderStatus,
      {
        paidAmount: told.amount,
        exceptReason: `${ExceptReason.amount}；渠道更正为${yuan(told.amount)}元，原退款已审批，请核对后申请退还余款`,
      },
    )
    return 'exception'
  }
  const reason = await objection(trx, known)
  if (!reason) {
    if (slip) await withdrawSlip(trx, slip)
    return decide(trx, known)
  }
  if (!slip) return except(trx, order, told, reason, now)
  await correctSlip(trx, slip, { amount: told.amount, reason })
  await writeOrder(trx, order, OrderStatus.exception, told, now, reason)
  return 'exception'
}

const yuan = (fen: number): string => (fen / 100).toFixed(2)

/** Adds what a person has to do to the reason of an exception; saying it again changes nothing. */
async function noteOnce(trx: LiveTrx, order: OrderRow, note: string): Promise<Outcome> {
  if (order.exceptReason?.includes(note)) return 'again'
  const exceptReason = [order.exceptReason, note].filter(Boolean).join('；').slice(0, 255)
  await moveOrder(trx, order, order.orderStatus, { exceptReason })
  return 'exception'
}

/** Sets the lock on transaction numbers apart from the other advisory locks of the database. */
const transactionLocks = 8264

/**
 * The other order that already has the transaction number the channel names. The number stays locked until the transaction
 * ends, after record and order, so that two orders told the same number at one moment are decided one after the other.
 * All tenants share one merchant, so the number is looked for in all of them.
 */
async function findUseOfTransaction(
  trx: AcrossTrx,
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
const transactionRepeated = (orderNo: string): string => `渠道订单号重复，已用于订单 ${orderNo}，请查单后人工核对`

/** A transaction number that is another order's: an unsettled order becomes an exception to which no money came. */
async function refuseRepeated(
  trx: LiveTrx,
  order: OrderRow,
  told: ChannelOrder,
  user: Pick<OrderRow, 'orderNo'>,
  now: Date,
): Promise<Outcome> {
  if (order.orderStatus !== OrderStatus.unpaid && order.orderStatus !== OrderStatus.closed) {
    return noteOnce(trx, order, transactionRepeated(user.orderNo))
  }
  await moveOrder(trx, order, OrderStatus.exception, {
    paidAmount: 0,
    exceptReason: transactionRepeated(user.orderNo),
    ...(told.notifyId && { notifyId: told.notifyId, notifyTime: now }),
  })
  return 'exception'
}

/** Why the money may not count for what the order pays; null when it does. */
async function objection(trx: LiveTrx, { order, record, purchase, told, now }: Known): Promise<string | null> {
  if (meaningOf(told.state) === 'refunded') return '渠道显示已退款'
  if (told.amount !== order.amount) return ExceptReason.amount
  if (purchase) return purchase.objection
  if (!record) return '缴费记录不存在'
  if (record.payState === PayState.due) return null
  if (record.payState === PayState.exempt) return '免缴后到账'
  if (record.payState !== PayState.closed) return '重复支付'
  return (await countsLate(trx, record, told.successTime ?? now)) ? null : '关闭后到账'
}

/** A closed record is paid all the same when the money came within the grace and its person still owes it. */
async function countsLate(trx: LiveTrx, record: RecordRow, paidAt: Date): Promise<boolean> {
  const setting = await trx
    .selectFrom('exampay')
    .select(['endTime', 'payStatus'])
    .where('itemId', '=', record.itemId)
    .executeTakeFirst()
  if (!setting || setting.payStatus === ExampayStatus.draft) return false
  const end = setting.endTime.getTime() + Number(await readParam(trx, 'pay.graceMinutes')) * 60_000
  return paidAt.getTime() < end && isPayable(trx, record.itemId, record.signupId)
}

async function pay(
  trx: LiveTrx,
  order: OrderRow,
  record: RecordRow | undefined,
  told: ChannelOrder,
  now: Date,
): Promise<Outcome> {
  const late = order.orderStatus === OrderStatus.closed || record?.payState === PayState.closed
  const payTime = told.successTime ?? now
  await writeOrder(trx, order, OrderStatus.paid, told, now, late ? '关闭后到账' : null)
  if (record) {
    const changes = { payOrderId: order.id, payTime, channel: order.channel }
    const moved = await moveRecord(trx, record, PayState.paid, changes)
    if (!moved) throw new Error(`pay record ${record.id} changed under its lock`)
  }
  return 'paid'
}

async function except(trx: LiveTrx, order: OrderRow, told: ChannelOrder, reason: string, now: Date): Promise<Outcome> {
  await writeOrder(trx, order, OrderStatus.exception, told, now, reason)
  if (meaningOf(told.state) === 'refunded') return 'exception'
  await insertSystemSlip(trx, order, { amount: told.amount, reason }, now)
  return 'exception'
}

async function closeTold(trx: LiveTrx, order: OrderRow, told: ChannelOrder): Promise<Outcome> {
  if (order.orderStatus !== OrderStatus.unpaid) return 'again'
  await moveOrder(trx, order, OrderStatus.closed, { closeReason: `渠道已关闭（${told.state}）` })
  return 'closed'
}

function writeOrder(
  trx: LiveTrx,
  order: OrderRow,
  to: 1 | 5,
  told: ChannelOrder,
  now: Date,
  exceptReason: string | null,
): Promise<void> {
  return moveOrder(trx, order, to, {
    transactionId: told.transactionId || null,
    payerId: told.payerId,
    payTime: told.successTime ?? now,
    paidAmount: told.amount,
    exceptReason,
    ...(told.notifyId && { notifyId: told.notifyId, notifyTime: now }),
  })
}
