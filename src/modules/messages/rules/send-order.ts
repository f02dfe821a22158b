/** Times a message that failed may be tried again. */
export const mostRetries = 3
/** Receivers of one sending at most. */
export const mostReceivers = 20_000
