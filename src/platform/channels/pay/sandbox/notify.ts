import type { Pool } from 'pg'
import { seal } from '../wechat/cipher.ts'
import { platformHeaders } from '../wechat/signature.ts'
import { type WireTransaction, wireTime } from '../wechat/transaction.ts'
import type { SandboxMerchant } from './merchant.ts'
import { findOrder, type SandboxOrder } from './orders.ts'
import { findRefund, type SandboxRefund, wireRefund } from './refunds.ts'

const minute = 60
const hour = 3600
/** Seconds from one attempt to the next, WeChat Pay's own: about a day, then never again. */
const schedule = [15, 15, 30, 3 * minute, 10 * minute, 20 * minute, 30 * minute, 30 * minute, 30 * minute, hour].concat(
  Array(3).fill(3 * hour),
  Array(3).fill(6 * hour),
)

interface DueNotify {
  id: string
  orderNo: string
  /** The refund it tells of; null for a payment. */
  refundNo: string | null
  attempt: number
}

/** A transaction in the API's words. The amount is the order's, unless a fault says otherwise. */
export function wireTransaction(order: SandboxOrder): WireTransaction {
  const paid = order.state === 'SUCCESS' && order.successTime
  const total = order.fault.amount ?? order.amount
  return {
    appid: order.appid,
    mchid: order.mchid,
    out_trade_no: order.orderNo,
    trade_state: order.state,
    trade_state_desc: paid ? '支付成功' : '订单未支付',
    ...(paid && {
      transaction_id: order.transactionId,
      trade_type: 'NATIVE',
      success_time: wireTime(paid),
      payer: { openid: order.payerId },
    }),
    amount: { total, payer_total: total, currency: 'CNY', payer_currency: 'CNY' },
  }
}

/** A notification ready to send: body and signed headers. Each call signs again, as each attempt does. */
export interface SignedNotify {
  body: string
  headers: Record<string, string>
}

/** The notification of a payment. */
export const signedNotify = (merchant: SandboxMerchant, order: SandboxOrder, id: string, now: Date): SignedNotify =>
  signedEvent(merchant, ['TRANSACTION.SUCCESS', 'transaction', '支付成功'], wireTransaction(order), id, now)

/** The notification of a refund that has settled. */
export function signedRefundNotify(
  merchant: SandboxMerchant,
  refund: SandboxRefund,
  order: SandboxOrder,
  id: string,
  now: Date,
): SignedNotify {
  const { status, ...wire } = wireRefund(refund, order, now)
  const content = { ...wire, mchid: merchant.mchid, refund_status: status }
  return signedEvent(merchant, [`REFUND.${status}`, 'refund', '退款结果'], content, id, now)
}

function signedEvent(
  merchant: SandboxMerchant,
  [event, type, summary]: readonly [event: string, type: string, summary: string],
  content: object,
  id: string,
  now: Date,
): SignedNotify {
  const body = JSON.stringify({
    id,
    create_time: wireTime(now),
    event_type: event,
    resource_type: 'encrypt-resource',
    summary,
    resource: seal(JSON.stringify(content), merchant.apiV3Key, type),
  })
  const seconds = Math.floor(now.getTime() / 1000)
  const signature = platformHeaders(body, seconds, merchant.platformSerial, merchant.platformPrivateKey)
  return { body, headers: { 'Content-Type': 'application/json', ...signature } }
}

/**
 * Sends every notification whose time has come. A row is claimed by moving its next time on, so a process killed while
 * sending loses nothing: the retry is already written.
 */
export async function sendDueNotifies(pool: Pool, merchant: SandboxMerchant, now: () => Date): Promise<number> {
  let sent = 0
  for (let due = await claim(pool, now()); due; due = await claim(pool, now())) {
    await send(pool, merchant, due, now())
    sent++
  }
  return sent
}

async function claim(pool: Pool, now: Date): Promise<DueNotify | null> {
  const { rows } = await pool.query<DueNotify>(
    `UPDATE pay_sandbox_notify
     SET attempt = attempt + 1, "nextTime" = $1::timestamptz + ($2::int[])[attempt + 1] * interval '1 second'
     WHERE id = (SELECT id FROM pay_sandbox_notify WHERE "nextTime" <= $1
                 ORDER BY "nextTime" LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
     RETURNING id, "orderNo", "refundNo", attempt`,
    [now, schedule],
  )
  return rows[0] ?? null
}

async function send(pool: Pool, merchant: SandboxMerchant, due: DueNotify, now: Date): Promise<void> {
  const order = await findOrder(pool, 'orderNo', due.orderNo)
  const refund = due.refundNo ? await findRefund(pool, due.refundNo) : null
  if (!order) return
  const notify = refund
    ? signedRefundNotify(merchant, refund, order, due.id, now)
    : signedNotify(merchant, order, due.id, now)
  const answer = await post((refund ?? order).notifyUrl, notify)
  await pool.query(
    `UPDATE pay_sandbox_notify SET answer = $2, "nextTime" = CASE WHEN $3 THEN NULL ELSE "nextTime" END WHERE id = $1`,
    [due.id, answer, answer === 200 || answer === 204],
  )
}

/** The HTTP status of the answer; 0 when there was none within the five seconds the platform grants. */
async function post(url: string, notify: SignedNotify): Promise<number> {
  try {
    const response = await fetch(url, { method: 'POST', ...notify, signal: AbortSignal.timeout(5000) })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
