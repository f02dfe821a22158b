/**
 * Why a message did not go out by a channel, or may not have: this one never will (`final`: its receiver, its words), it may later
 * (`later`), the account cannot send before somebody has mended its settings (`settings`), or nobody can tell whether it went out
 * (`unknown`).
 */
export type ChannelFault = 'final' | 'later' | 'settings' | 'unknown'

/** A message did not go out, or nobody can tell. Its message is for people. */
export class ChannelError extends Error {
  readonly fault: ChannelFault

  constructor(message: string, fault: ChannelFault, cause?: unknown) {
    super(message, { cause })
    this.name = 'ChannelError'
    this.fault = fault
  }
}
