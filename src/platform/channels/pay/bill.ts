/** A payment in a day's bill. Amount in fen. */
export interface BillTrade {
  orderNo: string
  transactionId: string
  amount: number
}

/** A refund in a day's bill. Amount in fen. */
export interface BillRefund {
  orderNo: string
  refundNo: string
  channelRefundId: string
  amount: number
}

/** A day's bill: every payment that succeeded and every refund that was asked for. */
export interface Bill {
  trades: BillTrade[]
  refunds: BillRefund[]
}

/** Why a text is no bill. */
export class BillError extends Error {}
