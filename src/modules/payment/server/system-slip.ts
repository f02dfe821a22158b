import { PayBizType, RefundStatus } from '#schemas/dictionaries'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { newPayNumber } from '../rules/pay-order.ts'
import { systemUser } from '../rules/pay-refund.ts'
import type { OrderRow, RefundRow } from './context.ts'
import { moveRefund } from './refund.ts'

/** What a slip of the system says: the money that came, in fen, and why it may not count. */
export interface SlipText {
  amount: number
  reason: string
}

/** Makes the slip of an exception. The system itself asks, so that any person may approve. */
export async function insertSystemSlip(trx: LiveTrx, order: OrderRow, text: SlipText, now: Date): Promise<void> {
  await trx
    .insertInto('payrefund')
    .values({
      refundNo: newPayNumber('TK', now),
      payOrderId: order.id,
      payRecordId: order.bizType === PayBizType.examFee ? order.bizId : null,
      ...text,
      refundStatus: RefundStatus.requested,
      applyUser: systemUser,
    })
    .execute()
}

/** Slips after which no money has gone back and none is on its way. */
const harmless: readonly number[] = [RefundStatus.requested, RefundStatus.rejected, RefundStatus.failed]

/**
 * The waiting slip of an order, locked; undefined when there is none; `approved` when one was approved, so that money went
 * back or may be on its way.
 */
export async function correctableSlip(trx: LiveTrx, orderId: string): Promise<RefundRow | undefined | 'approved'> {
  const slips = await trx
    .selectFrom('payrefund')
    .selectAll()
    .where('payOrderId', '=', orderId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (slips.some(slip => !harmless.includes(slip.refundStatus))) return 'approved'
  return slips.find(slip => slip.refundStatus === RefundStatus.requested)
}

/** Ends a waiting slip because the money counts after all. */
export async function withdrawSlip(trx: LiveTrx, slip: RefundRow): Promise<void> {
  const changes = { errMsg: '渠道更正了金额，款项已计入缴费' }
  const moved = await moveRefund(trx, slip, RefundStatus.requested, RefundStatus.rejected, changes)
  if (!moved) throw new Error(`refund ${slip.id} changed under its lock`)
}

/** Puts right what a waiting slip is about. */
export async function correctSlip(trx: LiveTrx, slip: RefundRow, text: SlipText): Promise<void> {
  const moved = await trx
    .updateTable('payrefund')
    .set(text)
    .where('id', '=', slip.id)
    .where('refundStatus', '=', RefundStatus.requested)
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) === 0) throw new Error(`refund ${slip.id} changed under its lock`)
}
