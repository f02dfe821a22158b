import { PayBizType } from '#schemas/dictionaries/pay'
import { randomBelow } from '../../../platform/vault/random.ts'

/** Why the money of an order may not count, as far as something depends on the reason. */
export const ExceptReason = { amount: '金额不符' } as const

/** Milliseconds an order is open at most. */
const longestLife = 2 * 3_600_000
/** Milliseconds an order must still have to be offered again. */
const usefulLife = 60_000

/** When a new order ends: after two hours, or with the window. `windowEnd` includes the exam's grace. */
export function orderExpiry(now: Date, windowEnd: Date): Date {
  return new Date(Math.min(now.getTime() + longestLife, windowEnd.getTime()))
}

/** True when an open order is shown again instead of a new one: it has a minute left, or a new one would end no later. */
export function isReusable(expireTime: Date, now: Date, windowEnd: Date): boolean {
  if (expireTime <= now) return false
  return expireTime.getTime() - now.getTime() > usefulLife || expireTime >= windowEnd
}

/** What a number is of: an order, a refund, an export, a purchase of messages, a sending. */
export type NumberPrefix = 'JF' | 'TK' | 'TZ' | 'DX' | 'FS'

/** A fresh number: prefix, Beijing time and ten random digits; at most 32 characters. */
export function newPayNumber(prefix: NumberPrefix, now: Date): string {
  const time = new Date(now.getTime() + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14)
  return `${prefix}${time}${String(randomBelow(10_000_000_000)).padStart(10, '0')}`
}

/** Ages of an order, in seconds, at which the channel is asked again without being called; then every half hour. */
const pollAges = [10, 40, 100, 280, 880, 2680] as const
const lastPollGap = 1800

/** True when the channel should be asked about an open order again. `lastQuery` is the last time it was asked. */
export function isPollDue(createTime: Date, lastQuery: Date | null, now: Date): boolean {
  const asked = lastQuery ? (lastQuery.getTime() - createTime.getTime()) / 1000 : -1
  const next = pollAges.find(age => age > asked) ?? asked + lastPollGap
  return now.getTime() - createTime.getTime() >= next * 1000
}

/** What an order is that somebody pays a fee record by, at whatever channel. @param body what the payer reads */
export const feeOrder = (record: { id: string; userId: string; amount: number }, body: string, now: Date) => ({
  orderNo: newPayNumber('JF', now),
  bizType: PayBizType.examFee,
  bizId: record.id,
  userId: record.userId,
  body,
  amount: record.amount,
})
