import { sql } from 'kysely'
import { type ChannelOrder, meaningOf } from '../../channels/pay/channel.ts'
import { readNumberParam } from '../../database/param.ts'
import { newPayNumber, OrderStatus, PayBizType } from '../../domain/pay-order.ts'
import { PayState } from '../../domain/pay-record.ts'
import { completePurchase, lockPurchase, type PurchaseRow, purchaseObjection } from '../send/purchase.ts'
import type { OrderRow, RecordRow, Trx } from './context.ts'
import { isPayable } from './payable.ts'
import { findRecord, lockRecord, moveRecord } from './record-state.ts'

/** What became of an order after the channel spoke. `again` is the second telling of what is known. */
export type Outcome = 'unknown' | 'open' | 'paid' | 'closed' | 'exception' | 'again'

/** For tests that prove the lock: it can be left out, and the moment between reading and writing stretched. */
export interface LockProbe {
  unlocked: boolean
  pause: () => Promise<void>
}

/**
 * Takes over what the channel says about an order, from a notification, a query or the poll job: order, record, batch
 * totals and the sign-up's copy, all or nothing, and once however often it is told. `told` must be proved genuine.
 *
 * Money that may not count (other amount, second payment, exempt, too late) makes the order an exception with a refund
 * slip: nothing that was paid is ever lost sight of.
 */
export async function settle(trx: Trx, told: ChannelOrder, now: Date, probe?: LockProbe): Promise<Outcome> {
  const found = await trx.selectFrom('payorder').selectAll().where('orderNo', '=', told.orderNo).executeTakeFirst()
  if (!found) return 'unknown'
  const isExam = found.bizType === PayBizType.exam
  const record = isExam ? await (probe?.unlocked ? findRecord : lockRecord)(trx, found.bizId) : undefined
  const purchase = isExam ? undefined : await lockPurchase(trx, found.bizId)
  const order = probe?.unlocked ? found : await lockOrder(trx, found.id)
  await probe?.pause()
  const meaning = meaningOf(told.state)
  if (meaning === 'open') return 'open'
  if (meaning === 'closed') return closeTold(trx, order, told, now)
  if (order.orderStatus !== OrderStatus.open && order.orderStatus !== OrderStatus.closed) return 'again'
  const reason = await objection(trx, order, isExam ? record : purchase, told, now)
  if (reason) return except(trx, order, told, reason, now)
  if (purchase) await completePurchase(trx, purchase, { payOrderId: order.id, userId: '0' }, now)
  return pay(trx, order, record, told, now)
}

function lockOrder(trx: Trx, id: string): Promise<OrderRow> {
  return trx.selectFrom('payorder').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

/** Why the money may not count for the record; null when it does. */
async function objection(
  trx: Trx,
  order: OrderRow,
  record: RecordRow | PurchaseRow | undefined,
  told: ChannelOrder,
  now: Date,
): Promise<string | null> {
  if (meaningOf(told.state) === 'refunded') return '渠道显示已退款'
  if (told.amount !== order.amount) return '金额不符'
  if (!record) return '缴费记录不存在'
  if ('sendPayStatus' in record) return purchaseObjection(record)
  if (record.payState === PayState.due) return null
  if (record.payState === PayState.exempt) return '免缴后到账'
  if (record.payState !== PayState.closed) return '重复支付'
  return (await countsLate(trx, record, told.successTime ?? now)) ? null : '关闭后到账'
}

/** A closed record is paid all the same when the money came within the grace and its person still owes it. */
async function countsLate(trx: Trx, record: RecordRow, paidAt: Date): Promise<boolean> {
  const setting = await trx
    .selectFrom('exampay')
    .select(['endTime', 'payStatus'])
    .where('itemId', '=', record.itemId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!setting || setting.payStatus === 0) return false
  const end = setting.endTime.getTime() + (await readNumberParam(trx, record.tenantId, 'pay.graceMinutes')) * 60_000
  return paidAt.getTime() < end && isPayable(trx, record.itemId, record.signupId)
}

async function pay(
  trx: Trx,
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
    const moved = await moveRecord(trx, record, PayState.paid, now, changes)
    if (!moved) throw new Error(`pay record ${record.id} changed under its lock`)
  }
  return 'paid'
}

async function except(trx: Trx, order: OrderRow, told: ChannelOrder, reason: string, now: Date): Promise<Outcome> {
  await writeOrder(trx, order, OrderStatus.exception, told, now, reason)
  if (meaningOf(told.state) === 'refunded') return 'exception'
  await trx
    .insertInto('payrefund')
    .values({
      tenantId: order.tenantId,
      refundNo: newPayNumber('TK', now),
      payOrderId: order.id,
      payRecordId: order.bizType === PayBizType.exam ? order.bizId : null,
      amount: told.amount,
      reason,
      refundStatus: 0,
      // The system itself asks; any person may approve.
      applyUser: '0',
      createTime: now,
      updateTime: now,
    })
    .execute()
  return 'exception'
}

async function closeTold(trx: Trx, order: OrderRow, told: ChannelOrder, now: Date): Promise<Outcome> {
  if (order.orderStatus !== OrderStatus.open) return 'again'
  await moveOrder(trx, order, OrderStatus.closed, now, { closeReason: `渠道已关闭（${told.state}）` })
  return 'closed'
}

function writeOrder(
  trx: Trx,
  order: OrderRow,
  to: 1 | 5,
  told: ChannelOrder,
  now: Date,
  exceptReason: string | null,
): Promise<void> {
  return moveOrder(trx, order, to, now, {
    transactionId: told.transactionId || null,
    payerId: told.payerId,
    payTime: told.successTime ?? now,
    exceptReason,
    ...(told.notifyId && { notifyId: told.notifyId, notifyTime: now }),
  })
}

type OrderChanges = Partial<
  Pick<
    OrderRow,
    'transactionId' | 'payerId' | 'payTime' | 'exceptReason' | 'notifyId' | 'notifyTime' | 'closeReason' | 'updateUser'
  >
>

/**
 * Moves an order from the state it was read in.
 * @throws when somebody moved it meanwhile, which the lock makes impossible
 */
async function moveOrder(
  trx: Trx,
  order: OrderRow,
  to: OrderRow['orderStatus'],
  now: Date,
  changes: OrderChanges,
): Promise<void> {
  const moved = await trx
    .updateTable('payorder')
    .set({ ...changes, orderStatus: to, version: sql<number>`version + 1`, updateTime: now })
    .where('id', '=', order.id)
    .where('orderStatus', '=', order.orderStatus)
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) === 0) throw new Error(`pay order ${order.id} changed under its lock`)
}
