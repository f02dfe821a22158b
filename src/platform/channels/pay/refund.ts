/** What a payment channel says about a refund; the words are WeChat Pay's. */
export const refundStates = ['SUCCESS', 'CLOSED', 'PROCESSING', 'ABNORMAL'] as const

/** One of {@link refundStates}: the money is back, it will not go back, it is on its way, it needs a person. */
export type RefundState = (typeof refundStates)[number]

/** A refund as the channel knows it. Amounts are fen. */
export interface ChannelRefund {
  state: RefundState
  refundNo: string
  orderNo: string
  /** The channel's own number of the refund. */
  channelRefundId: string
  /** What goes back. */
  amount: number
  successTime: Date | null
  /** Number of the notification that carried this; absent in answers. */
  notifyId?: string
}

/** What is to go back. Amounts are fen. */
export interface NewChannelRefund {
  orderNo: string
  /** Our number; asking again with the same one never pays twice. */
  refundNo: string
  amount: number
  /** What was paid with the order. */
  total: number
  /** What the payer reads, at most 80 characters. */
  reason: string
  notifyUrl: string
}
