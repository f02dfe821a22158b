import { ChannelError, type ChannelFault } from '../fault.ts'

/** What can be said of an e-mail that did not go out beside why. */
interface More {
  /** The receiver's address does not exist, or does not take mail. */
  readonly isAddressBad?: boolean
  /** No server was handed the mail: it has not been tried. */
  readonly isUntried?: boolean
  readonly cause?: unknown
}

/** An e-mail did not go out, or nobody can tell. Its message is for people. */
export class MailError extends ChannelError {
  readonly isAddressBad: boolean
  readonly isUntried: boolean

  constructor(message: string, fault: ChannelFault, { isAddressBad = false, isUntried = false, cause }: More = {}) {
    super(message, fault, cause)
    this.name = 'MailError'
    this.isAddressBad = isAddressBad
    this.isUntried = isUntried
  }
}
