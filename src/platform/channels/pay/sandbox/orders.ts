import { randomBytes, randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import type { ChannelState } from '../channel.ts'
import type { RefundState } from '../refund.ts'

/** What goes wrong with one order on purpose. */
export interface SandboxFault {
  /** Seconds the first notification waits. */
  late?: number
  /** How many notifications one payment makes; 0 is none, 1 the rule. */
  times?: number
  /** Fen that the channel says were paid, instead of the order's amount. */
  amount?: number
  /** What becomes of refunds; success is the rule. */
  refund?: RefundState
  /** Seconds a refund is on its way. */
  refundLate?: number
}

/** An order as the sandbox keeps it. Amount in fen. */
export interface SandboxOrder {
  orderNo: string
  pr: string
  mchid: string
  appid: string
  body: string
  amount: number
  notifyUrl: string
  state: ChannelState
  transactionId: string
  payerId: string
  expireTime: Date
  successTime: Date | null
  fault: SandboxFault
}

/** What an order is made from. */
export type NewSandboxOrder = Pick<
  SandboxOrder,
  'orderNo' | 'mchid' | 'appid' | 'body' | 'amount' | 'notifyUrl' | 'expireTime'
>

/** Makes an order, or gives the one that already has the number. */
export async function placeOrder(pool: Pool, order: NewSandboxOrder): Promise<SandboxOrder> {
  await pool.query(
    `INSERT INTO pay_sandbox_order ("orderNo", pr, mchid, appid, body, amount, "notifyUrl", "expireTime")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [
      order.orderNo,
      randomBytes(18).toString('base64url'),
      order.mchid,
      order.appid,
      order.body,
      order.amount,
      order.notifyUrl,
      order.expireTime,
    ],
  )
  const placed = await findOrder(pool, 'orderNo', order.orderNo)
  if (!placed) throw new Error(`order ${order.orderNo} vanished`)
  return placed
}

/** An order by its number or by the secret in its code. */
export async function findOrder(pool: Pool, by: 'orderNo' | 'pr', value: string): Promise<SandboxOrder | null> {
  const { rows } = await pool.query<SandboxOrder>(`SELECT * FROM pay_sandbox_order WHERE "${by}" = $1`, [value])
  return rows[0] ?? null
}

/** Closes an unpaid order; false when it is not unpaid. */
export async function closeOrder(pool: Pool, orderNo: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE pay_sandbox_order SET state = 'CLOSED' WHERE "orderNo" = $1 AND state = 'NOTPAY'`,
    [orderNo],
  )
  return rowCount === 1
}

/**
 * Takes the money and puts the notifications on their way, both or neither.
 * @returns false when the order is not open any more
 */
export async function payOrder(pool: Pool, pr: string, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    `WITH paid AS (
       UPDATE pay_sandbox_order SET state = 'SUCCESS', "successTime" = $2, "transactionId" = $3, "payerId" = $4
       WHERE pr = $1 AND state = 'NOTPAY' AND "expireTime" > $2
       RETURNING "orderNo", fault
     ), notified AS (
       INSERT INTO pay_sandbox_notify (id, "orderNo", "nextTime")
       SELECT gen_random_uuid(), "orderNo", $2::timestamptz + coalesce((fault->>'late')::int, 0) * interval '1 second'
       FROM paid, generate_series(1, coalesce((fault->>'times')::int, 1))
     ) SELECT 1 FROM paid`,
    [pr, now, `42000${now.getTime()}${randomInt(1_000_000_000, 9_999_999_999)}`, `o${randomBytes(12).toString('hex')}`],
  )
  return rowCount === 1
}

/** Tells the sandbox what shall go wrong with an order. */
export async function setFault(pool: Pool, orderNo: string, fault: SandboxFault): Promise<void> {
  await pool.query('UPDATE pay_sandbox_order SET fault = $2 WHERE "orderNo" = $1', [orderNo, JSON.stringify(fault)])
}
