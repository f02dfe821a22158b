import { createPublicKey } from 'node:crypto'
import type { Pool } from 'pg'
import { readAuthorization, requestMessage, signatureFits } from '../wechat/signature.ts'
import { billAnswer, writeBill } from './bill.ts'
import type { SandboxMerchant } from './merchant.ts'
import { wireTransaction } from './notify.ts'
import { closeOrder, findOrder, type NewSandboxOrder, placeOrder, type SandboxOrder } from './orders.ts'
import { findRefund, type NewSandboxRefund, placeRefund, type SandboxRefund, wireRefund } from './refunds.ts'

/** An answer before it is signed; `body` is what stands on the wire. */
export interface ApiAnswer {
  status: number
  body: string
}

/** A request as the API sees it. `path` is what was signed: with the query, without the host. */
export interface ApiRequest {
  method: string
  path: string
  authorization: string | undefined
  body: string
}

/** An answer of the given status. */
function answer(status: number, value?: object): ApiAnswer {
  return { status, body: value ? JSON.stringify(value) : '' }
}

/** The refusal of a request whose signature does not prove the merchant; null when it does. */
export function authenticate(merchant: SandboxMerchant, request: ApiRequest, now: Date): ApiAnswer | null {
  const parts = readAuthorization(request.authorization)
  const { mchid, nonce_str: nonce, timestamp, serial_no: serial, signature } = parts ?? {}
  if (!nonce || !timestamp || !signature) return refusal(401, 'SIGN_ERROR', 'Authorization 不完整')
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > 300) return refusal(401, 'SIGN_ERROR', '时间戳已过期')
  if (mchid !== merchant.mchid || serial !== merchant.serialNo) return refusal(401, 'SIGN_ERROR', '商户或证书不符')
  const message = requestMessage(request.method, request.path, timestamp, nonce, request.body)
  const fits = signatureFits(message, signature, createPublicKey(merchant.publicKey))
  return fits ? null : refusal(401, 'SIGN_ERROR', '错误的签名，验签失败')
}

/** POST /v3/pay/transactions/native. `codeUrl` turns an order into what the QR code holds. */
export async function createNative(
  pool: Pool,
  merchant: SandboxMerchant,
  body: string,
  codeUrl: (order: SandboxOrder) => string,
): Promise<ApiAnswer> {
  const asked = readNewOrder(body)
  if (!asked) return refusal(400, 'PARAM_ERROR', '参数错误')
  if (asked.mchid !== merchant.mchid || asked.appid !== merchant.appid) {
    return refusal(400, 'APPID_MCHID_NOT_MATCH', 'AppID和mch_id不匹配')
  }
  const order = await placeOrder(pool, asked)
  if (order.amount !== asked.amount || order.body !== asked.body) {
    return refusal(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
  }
  if (order.state === 'CLOSED') return refusal(400, 'ORDER_CLOSED', '订单已关闭')
  if (order.state !== 'NOTPAY') return refusal(400, 'ORDERPAID', '订单已支付')
  return answer(200, { code_url: codeUrl(order) })
}

/** GET /v3/pay/transactions/out-trade-no/{no}?mchid= */
export async function queryNative(
  pool: Pool,
  merchant: SandboxMerchant,
  orderNo: string,
  mchid: string,
): Promise<ApiAnswer> {
  if (mchid !== merchant.mchid) return refusal(400, 'PARAM_ERROR', '参数错误')
  const order = await findOrder(pool, 'orderNo', orderNo)
  return order ? answer(200, wireTransaction(order)) : refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
}

/** POST /v3/pay/transactions/out-trade-no/{no}/close */
export async function closeNative(pool: Pool, orderNo: string): Promise<ApiAnswer> {
  if (await closeOrder(pool, orderNo)) return answer(204)
  const order = await findOrder(pool, 'orderNo', orderNo)
  if (!order) return refusal(404, 'ORDER_NOT_EXIST', '订单不存在')
  return order.state === 'CLOSED' ? answer(204) : refusal(400, 'ORDERPAID', '订单已支付')
}

/** POST /v3/refund/domestic/refunds */
export async function createRefund(pool: Pool, body: string, now: Date): Promise<ApiAnswer> {
  const asked = readNewRefund(body)
  if (!asked) return refusal(400, 'PARAM_ERROR', '参数错误')
  const placed = await placeRefund(pool, asked, now)
  if (placed === 'RESOURCE_NOT_EXISTS') return refusal(404, placed, '订单不存在')
  if (placed === 'NOT_ENOUGH') return refusal(403, placed, '可退金额不足')
  if (placed === 'INVALID_REQUEST') return refusal(400, placed, '退款单号已用于其他退款')
  return refundAnswer(pool, placed, now)
}

/** GET /v3/refund/domestic/refunds/{no} */
export async function queryRefund(pool: Pool, refundNo: string, now: Date): Promise<ApiAnswer> {
  const refund = await findRefund(pool, refundNo)
  return refund ? refundAnswer(pool, refund, now) : refusal(404, 'RESOURCE_NOT_EXISTS', '退款单不存在')
}

/** GET /v3/bill/tradebill. `base` is the address of the sandbox. */
export async function tradeBill(
  pool: Pool,
  merchant: SandboxMerchant,
  day: string,
  now: Date,
  base: string,
): Promise<ApiAnswer> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return refusal(400, 'PARAM_ERROR', '参数错误')
  const bill = await writeBill(pool, merchant, day, now)
  return bill === null
    ? refusal(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
    : answer(200, billAnswer(merchant, bill, day, base))
}

async function refundAnswer(pool: Pool, refund: SandboxRefund, now: Date): Promise<ApiAnswer> {
  const order = await findOrder(pool, 'orderNo', refund.orderNo)
  if (!order) throw new Error(`order ${refund.orderNo} vanished`)
  return answer(200, wireRefund(refund, order, now))
}

function refusal(status: number, code: string, message: string): ApiAnswer {
  return answer(status, { code, message })
}

interface NativeBody {
  appid: string
  mchid: string
  description: string
  out_trade_no: string
  time_expire: string
  notify_url: string
  amount: { total: number; currency?: string }
}

function readNewOrder(body: string): NewSandboxOrder | null {
  try {
    const wire = JSON.parse(body) as NativeBody
    const order = {
      orderNo: wire.out_trade_no,
      mchid: wire.mchid,
      appid: wire.appid,
      body: wire.description,
      amount: wire.amount.total,
      notifyUrl: wire.notify_url,
      expireTime: new Date(wire.time_expire),
    }
    return isWellFormed(order) ? order : null
  } catch {
    return null
  }
}

interface RefundBody {
  out_trade_no: string
  out_refund_no: string
  reason?: string
  notify_url?: string
  amount: { refund: number; total: number; currency?: string }
}

function readNewRefund(body: string): NewSandboxRefund | null {
  try {
    const wire = JSON.parse(body) as RefundBody
    const { refund: amount, total, currency } = wire.amount
    const isRight = Number.isInteger(amount) && amount >= 1 && amount <= total && currency === 'CNY'
    if (!isRight || !/^[0-9A-Za-z_|*@-]{1,64}$/.test(wire.out_refund_no)) return null
    const { out_trade_no: orderNo, out_refund_no: refundNo, reason = '', notify_url: notifyUrl = '' } = wire
    return { orderNo, refundNo, amount, reason, notifyUrl }
  } catch {
    return null
  }
}

function isWellFormed(order: NewSandboxOrder): boolean {
  return (
    /^[0-9A-Za-z_*-]{6,32}$/.test(order.orderNo) &&
    order.body.length >= 1 &&
    order.body.length <= 127 &&
    Number.isInteger(order.amount) &&
    order.amount >= 1 &&
    /^https?:\/\/[^?]+$/.test(order.notifyUrl) &&
    !Number.isNaN(order.expireTime.getTime())
  )
}
