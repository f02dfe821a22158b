import type { OrderRow } from './context.ts'

/** What came for an order, in fen: what the channel said, or what was asked for while nobody said otherwise. */
export const amountReceived = (order: Pick<OrderRow, 'amount' | 'paidAmount'>): number =>
  order.paidAmount ?? order.amount
