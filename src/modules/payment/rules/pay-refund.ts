import { RefundStatus } from '#schemas/dictionaries/pay'

/** Who applies when the system itself does: no person, so that any person may approve. */
export const systemUser = '0'

/** States in which money may still go back: one such slip at a time per order. */
export const liveRefunds = [RefundStatus.requested, RefundStatus.processing, RefundStatus.exception] as const

/** Days after a payment in which the channel sends money back the way it came. */
const refundDays = 365

/** True when the channel does not pay back any more. */
export const isTooOld = (payTime: Date, now: Date): boolean =>
  now.getTime() - payTime.getTime() > refundDays * 86_400_000

/** Milliseconds between two questions about a refund that is on its way, by how long it has been: a minute, then ten. */
export const refundAskGap = (asked: Date, now: Date): number =>
  now.getTime() - asked.getTime() < 600_000 ? 60_000 : 600_000
