/** Ways a sending goes: as text messages, into its receivers' notices, or both. Keys of dictionary `send_type`. */
export const SendType = { text: 1, notice: 2, both: 3 } as const

/** States of a sending. */
export const SendStatus = { draft: 0, unpaid: 1, ready: 2, running: 3, done: 4, partly: 5, cancelled: 6 } as const

/** States of one message. */
export const MsgStatus = { waiting: 0, underway: 1, sent: 2, failed: 3, cancelled: 4 } as const

/** States of a purchase of messages. */
export const SendPayStatus = { unpaid: 0, waiting: 1, sure: 2, closed: 3, rejected: 4 } as const

/** Kinds of movement of the balance. */
export const LedgerType = { bought: 1, used: 2, returned: 3, expired: 4, given: 5 } as const

/** Times a message that failed may be tried again. */
export const mostRetries = 3
/** Receivers of one sending at most. */
export const mostReceivers = 20_000
