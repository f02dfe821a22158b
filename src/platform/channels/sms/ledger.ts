import type { NewSms } from './channel.ts'

/** A message that was handed to a provider, or may have been. */
export interface SentMessage {
  id: string
  phone: string
  /** The provider's number; null while nobody knows whether it was taken. */
  bizNo: string | null
  time: Date
}

/** What an account has sent: shared by all processes, so that none sends again what another has. */
export interface SmsLedger {
  /**
   * Writes a message down before it goes out.
   * @returns the message as it was written down before, when it was
   * @throws SmsError, final, when the day's money is spent
   */
  begin(message: NewSms): Promise<SentMessage | null>
  /** The provider took it. */
  done(id: string, bizNo: string): Promise<void>
  /** It surely did not go out. */
  forget(id: string): Promise<void>
  find(id: string): Promise<SentMessage | null>
  /** Messages taken in the last days of which no receipt has been seen, some at a time, the longest unasked first. */
  waiting(): Promise<SentMessage[]>
  /** Its receipt has been seen. */
  told(id: string): Promise<void>
}
