import { ReconDiff } from '#schemas/dictionaries/pay'

/** One movement of money on one side. Amount in fen. */
export interface Movement {
  /** The order's number; of a refund its own. */
  no: string
  transactionId: string
  amount: number
}

/** One difference. An amount is null on the side that has none. */
export interface Difference {
  diffType: 1 | 2 | 3 | 4
  orderNo: string
  transactionId: string
  localAmount: number | null
  channelAmount: number | null
}

/**
 * Compares one kind of movement of a day.
 * @param known numbers we have in some state, though not as money that moved that day
 */
export function compareMovements(
  local: readonly Movement[],
  channel: readonly Movement[],
  known: ReadonlySet<string> = new Set(),
): Difference[] {
  const own = new Map(local.map(one => [one.no, one]))
  const theirs = new Set(channel.map(one => one.no))
  const there = channel.flatMap((one): Difference[] => {
    const mine = own.get(one.no)
    const { no: orderNo, transactionId, amount: channelAmount } = one
    if (!mine) {
      const diffType = known.has(orderNo) ? ReconDiff.status : ReconDiff.channelOnly
      return [{ diffType, orderNo, transactionId, localAmount: null, channelAmount }]
    }
    if (mine.amount === channelAmount) return []
    return [{ diffType: ReconDiff.amount, orderNo, transactionId, localAmount: mine.amount, channelAmount }]
  })
  const here = local
    .filter(one => !theirs.has(one.no))
    .map(({ no: orderNo, transactionId, amount: localAmount }): Difference => {
      return { diffType: ReconDiff.localOnly, orderNo, transactionId, localAmount, channelAmount: null }
    })
  return [...there, ...here]
}

/** Sum of some movements in fen. */
export const sumOf = (movements: readonly { amount: number }[]): number =>
  movements.reduce((sum, { amount }) => sum + amount, 0)

/** Days for which the channel keeps its bills. */
const keptDays = 90

/** Where the bill of a day stands: in the future or not made yet, to be had, or gone. Made after 10:00 of the next day. */
export function billAge(day: string, now: Date): 'early' | 'ready' | 'gone' {
  const start = Date.parse(`${day}T00:00:00+08:00`)
  if (now.getTime() < start + 34 * 3_600_000) return 'early'
  return now.getTime() < start + keptDays * 86_400_000 ? 'ready' : 'gone'
}
