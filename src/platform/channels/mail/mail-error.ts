import { ChannelError } from '../fault.ts'

/** An e-mail did not go out, or nobody can tell. Its message is for people. */
export class MailError extends ChannelError {
  override name = 'MailError'
}
