import { PayState } from '#schemas/dictionaries/pay'
import type { Tone } from '../../../../screens/candidate/Badge.tsx'

/** A due: what is owed, was paid or need not be paid. Amounts in fen. */
export interface Due {
  id: string
  examName: string
  itemName: string
  payName: string
  amount: number
  payState: number
  payTime: string
  channel: number | ''
  exemptReason: string
  orderNo: string
  transactionId: string
  startTime: string
  endTime: string
  windowState: string
  canPay: boolean
  /** Why what is due cannot be paid now, in words. */
  block?: string
  serverTime: string
  /** 0 not asked for, 1 asked for, 2 issued, 3 reversed. */
  invoiceStatus: number
  /** 1 for oneself, 2 for an organisation. */
  invoiceType: 1 | 2 | ''
  invoiceTitle: string
  taxNo: string
  invoiceEmail: string
  invoiceNo: string
  /** Attachment id; empty when there is none. */
  invoiceFile: string
}

/** An order at the channel; `codeUrl` is what the QR code holds. */
export interface Order {
  orderNo: string
  codeUrl: string
  amount: number
  body: string
  expireTime: string
  serverTime: string
}

/** What a page that waits for a payment is told. */
export interface OrderState {
  orderNo: string
  /** 0 open, 1 paid, 2 closed, 3 refunded, 4 partly refunded, 5 to be looked at. */
  orderStatus: number
  payTime: string
  amount: number
  serverTime: string
}

const states: Record<number, [string, Tone]> = {
  [PayState.due]: ['待缴费', 'act'],
  [PayState.paid]: ['已缴费', 'good'],
  [PayState.exempt]: ['免缴', 'good'],
  [PayState.refunding]: ['退款处理中', 'wait'],
  [PayState.refunded]: ['已退款', 'quiet'],
  [PayState.closed]: ['已关闭', 'quiet'],
}

/** Where a due stands, in a word; one whose window is not open says so. */
export function dueState({ payState, canPay, windowState }: Due): [string, Tone] {
  if (payState === PayState.due && !canPay) return [windowState === 'before' ? '未到缴费时间' : '缴费已截止', 'quiet']
  return states[payState] ?? ['待缴费', 'wait']
}
