/**
 * Why a message did not go out by a channel, or may not have: this one never will (`final`: its receiver, its words), it may later
 * (`later`), the account cannot send before somebody has mended its settings (`settings`), or nobody can tell whether it went out
 * (`unknown`).
 */
export type ChannelFault = 'final' | 'later' | 'settings' | 'unknown'

/** What can be said of a message that did not go out beside why. */
export interface FaultDetails {
  /** The receiver's address does not exist, or takes no messages. */
  readonly isAddressBad?: boolean
  /** Nobody was handed the message: it has not been tried. */
  readonly isUntried?: boolean
  readonly cause?: unknown
}

/** A message did not go out, or nobody can tell. Its message is for people. */
export class ChannelError extends Error {
  readonly fault: ChannelFault
  readonly isAddressBad: boolean
  readonly isUntried: boolean

  constructor(
    message: string,
    fault: ChannelFault,
    { isAddressBad = false, isUntried = false, cause }: FaultDetails = {},
  ) {
    super(message, { cause })
    this.name = 'ChannelError'
    this.fault = fault
    this.isAddressBad = isAddressBad
    this.isUntried = isUntried
  }
}
