import { randomInt, randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { RefundState } from '../refund.ts'
import type { WireRefund } from '../wechat/refund.ts'
import { wireTime } from '../wechat/transaction.ts'
import { findOrder, type SandboxOrder } from './orders.ts'

/** A refund as the sandbox keeps it. It settles at its due time; until then it is on its way. */
export interface SandboxRefund {
  refundNo: string
  refundId: string
  orderNo: string
  amount: number
  reason: string
  notifyUrl: string
  outcome: RefundState
  createTime: Date
  dueTime: Date
}

/** What a refund is made from. */
export type NewSandboxRefund = Pick<SandboxRefund, 'refundNo' | 'orderNo' | 'amount' | 'reason' | 'notifyUrl'>

/** Why the sandbox does not pay back, in WeChat Pay's codes. */
export type RefundRefusal = 'RESOURCE_NOT_EXISTS' | 'NOT_ENOUGH' | 'INVALID_REQUEST'

/** A refund by its number. */
export async function findRefund(pool: Pool, refundNo: string): Promise<SandboxRefund | null> {
  const { rows } = await pool.query<SandboxRefund>('SELECT * FROM pay_sandbox_refund WHERE "refundNo" = $1', [refundNo])
  return rows[0] ?? null
}

/** Makes a refund, or gives the one that already has the number. Never more goes back than came in. */
export async function placeRefund(
  pool: Pool,
  asked: NewSandboxRefund,
  now: Date,
): Promise<SandboxRefund | RefundRefusal> {
  const order = await findOrder(pool, 'orderNo', asked.orderNo)
  if (!order?.successTime) return 'RESOURCE_NOT_EXISTS'
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM pay_sandbox_order WHERE "orderNo" = $1 FOR NO KEY UPDATE', [asked.orderNo])
    const made = await insertRefund(client, order, asked, now)
    await client.query(made ? 'COMMIT' : 'ROLLBACK')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
  const placed = await findRefund(pool, asked.refundNo)
  if (!placed) return 'NOT_ENOUGH'
  return placed.orderNo === asked.orderNo && placed.amount === asked.amount ? placed : 'INVALID_REQUEST'
}

async function insertRefund(
  client: PoolClient,
  order: SandboxOrder,
  asked: NewSandboxRefund,
  now: Date,
): Promise<boolean> {
  const { refundNo, orderNo, amount, reason, notifyUrl } = asked
  const { rowCount } = await client.query(
    `INSERT INTO pay_sandbox_refund
       ("refundNo", "refundId", "orderNo", amount, reason, "notifyUrl", outcome, "createTime", "dueTime")
     SELECT $1, $2, $3::text, $4::int, $5, $6, $7, $8::timestamptz, $8::timestamptz + $9::int * interval '1 second'
     WHERE $4::int + (SELECT coalesce(sum(amount), 0) FROM pay_sandbox_refund
                 WHERE "orderNo" = $3 AND outcome <> 'CLOSED') <= $10::int
     ON CONFLICT DO NOTHING`,
    [
      refundNo,
      `50300${now.getTime()}${randomInt(1_000_000_000, 9_999_999_999)}`,
      orderNo,
      amount,
      reason,
      notifyUrl,
      order.fault.refund ?? 'SUCCESS',
      now,
      order.fault.refundLate ?? 0,
      order.fault.amount ?? order.amount,
    ],
  )
  if (rowCount !== 1) return false
  await client.query(`UPDATE pay_sandbox_order SET state = 'REFUND' WHERE "orderNo" = $1`, [orderNo])
  await client.query(
    `INSERT INTO pay_sandbox_notify (id, "orderNo", "refundNo", "nextTime")
     SELECT $1, $2, $3::text, "dueTime" FROM pay_sandbox_refund WHERE "refundNo" = $3::text AND $4::boolean`,
    [randomUUID(), orderNo, refundNo, (order.fault.times ?? 1) > 0],
  )
  return true
}

/** A refund in the API's words, as it stands at a time. */
export function wireRefund(refund: SandboxRefund, order: SandboxOrder, now: Date): WireRefund {
  const settled = refund.dueTime <= now
  const total = order.fault.amount ?? order.amount
  return {
    out_trade_no: refund.orderNo,
    transaction_id: order.transactionId,
    out_refund_no: refund.refundNo,
    refund_id: refund.refundId,
    status: settled ? refund.outcome : 'PROCESSING',
    ...(settled && refund.outcome === 'SUCCESS' && { success_time: wireTime(refund.dueTime) }),
    user_received_account: '支付用户零钱',
    amount: { refund: refund.amount, total, payer_refund: refund.amount, payer_total: total, currency: 'CNY' },
  }
}
