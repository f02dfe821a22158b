import { SendType } from '#schemas/dictionaries/pay'

/** Times a message that failed may be tried again. */
export const mostRetries = 3
/** Receivers of one sending at most. */
export const mostReceivers = 20_000

/** A sending that stands in the notices only: it costs nothing. */
export const isFree = ({ sendType }: { sendType: number }): boolean => sendType === SendType.inbox
