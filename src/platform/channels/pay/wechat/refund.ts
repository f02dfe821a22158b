import { ChannelError } from '../channel.ts'
import { type ChannelRefund, type NewChannelRefund, refundStates } from '../refund.ts'

/** A refund as the API writes it; notifications call its state `refund_status`. Amounts are fen. */
export interface WireRefund {
  mchid?: string
  out_trade_no: string
  transaction_id?: string
  out_refund_no: string
  refund_id: string
  status?: string
  refund_status?: string
  success_time?: string
  user_received_account?: string
  amount?: { refund?: number; total?: number; payer_refund?: number; payer_total?: number; currency?: string }
}

/** The body that asks for a refund. */
export const refundBody = ({ orderNo, refundNo, amount, total, reason, notifyUrl }: NewChannelRefund) => ({
  out_trade_no: orderNo,
  out_refund_no: refundNo,
  reason,
  notify_url: notifyUrl,
  amount: { refund: amount, total, currency: 'CNY' },
})

/**
 * Reads a refund. An unknown state or a missing part is an error, never a guess.
 * @throws ChannelError FORMAT
 */
export function readRefund(text: string): ChannelRefund & { mchid: string | undefined } {
  const wire = parse(text)
  const word = wire.status ?? wire.refund_status
  const state = refundStates.find(known => known === word)
  const amount = wire.amount?.refund
  if (!state || !wire.out_refund_no || !Number.isInteger(amount)) {
    throw new ChannelError('FORMAT', 200, `not a refund: ${word}`)
  }
  const time = new Date(wire.success_time ?? '')
  return {
    state,
    refundNo: wire.out_refund_no,
    orderNo: wire.out_trade_no,
    channelRefundId: wire.refund_id ?? '',
    amount: amount ?? 0,
    successTime: Number.isNaN(time.getTime()) ? null : time,
    mchid: wire.mchid,
  }
}

function parse(text: string): WireRefund {
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object') return value as WireRefund
  } catch (error) {
    throw new ChannelError('FORMAT', 200, 'not JSON', { cause: error })
  }
  throw new ChannelError('FORMAT', 200, 'not an object')
}
