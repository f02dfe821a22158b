import { ChannelError, type ChannelOrder } from '../channel.ts'
import { channelState } from '../contract.ts'

/** A transaction as the API writes it, in answers and inside notifications. Amounts are fen. */
export interface WireTransaction {
  appid: string
  mchid: string
  out_trade_no: string
  transaction_id?: string
  trade_type?: string
  trade_state: string
  trade_state_desc?: string
  success_time?: string
  payer?: { openid?: string }
  amount?: { total?: number; payer_total?: number; currency?: string; payer_currency?: string }
}

/**
 * Reads a transaction. An unknown state or a missing part is an error, never a guess.
 * @throws ChannelError FORMAT
 */
export function readTransaction(text: string): ChannelOrder {
  const wire = parse(text)
  const state = channelState.of.find(known => known === wire.trade_state)
  if (!state || !wire.out_trade_no) throw new ChannelError('FORMAT', 200, `not a transaction: ${wire.trade_state}`)
  const amount = wire.amount?.total
  if (state === 'SUCCESS' && !(Number.isInteger(amount) && wire.transaction_id)) {
    throw new ChannelError('FORMAT', 200, 'a paid transaction without amount or number')
  }
  return {
    state,
    orderNo: wire.out_trade_no,
    transactionId: wire.transaction_id ?? '',
    amount: amount ?? 0,
    payerId: wire.payer?.openid ?? '',
    successTime: readTime(wire.success_time),
    appid: wire.appid,
    mchid: wire.mchid,
  }
}

/** The API's time: RFC 3339 in Beijing time, whole seconds. */
export function wireTime(date: Date): string {
  return `${new Date(date.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
}

function readTime(text: string | undefined): Date | null {
  const date = new Date(text ?? '')
  return Number.isNaN(date.getTime()) ? null : date
}

function parse(text: string): WireTransaction {
  try {
    const value: unknown = JSON.parse(text)
    if (value && typeof value === 'object') return value as WireTransaction
  } catch (error) {
    throw new ChannelError('FORMAT', 200, 'not JSON', { cause: error })
  }
  throw new ChannelError('FORMAT', 200, 'not an object')
}
