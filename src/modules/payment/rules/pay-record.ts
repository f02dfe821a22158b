import { PayState } from '#schemas/dictionaries/pay'

/** States whose people owe or owed the fee. */
export const owingStates = [PayState.due, PayState.paid, PayState.refunding, PayState.refunded] as const

/** States in which money has come in, whether or not it has gone back since. */
export const paidStates = [PayState.paid, PayState.refunding, PayState.refunded] as const

/** What is said of a record that is not due. */
export const notDueWords: Readonly<Record<number, string>> = {
  [PayState.paid]: '已缴费',
  [PayState.exempt]: '已免缴',
  [PayState.refunding]: '退款处理中',
  [PayState.refunded]: '已退款',
  [PayState.closed]: '缴费已关闭',
}

/** The counters of a batch. Amounts in fen. */
export interface Totals {
  totalNum: number
  paidNum: number
  exemptNum: number
  totalAmount: number
  paidAmount: number
  refundAmount: number
}

/** What one record adds to the counters of its batch; null stands for no record. */
function share(state: number | null, amount: number): Totals {
  const isIn = (states: readonly number[]) => (state !== null && states.includes(state) ? 1 : 0)
  const [owes, paid] = [isIn(owingStates), isIn(paidStates)]
  return {
    totalNum: owes,
    paidNum: paid,
    exemptNum: state === PayState.exempt ? 1 : 0,
    totalAmount: owes * amount,
    paidAmount: paid * amount,
    refundAmount: state === PayState.refunded ? amount : 0,
  }
}

/** How the counters of a batch change when one record goes from one state to another. */
export function totalsChange(from: number | null, to: number | null, amount: number): Totals {
  const [before, after] = [share(from, amount), share(to, amount)]
  const names = Object.keys(after) as (keyof Totals)[]
  return Object.fromEntries(names.map(name => [name, after[name] - before[name]])) as unknown as Totals
}
