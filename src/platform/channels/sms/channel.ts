/** A message as it goes out. */
export interface NewSms {
  /** Our own number; sending again with the same one never reaches the person twice. */
  id: string
  phone: string
  /** The row of the settings its template stands in. */
  smsId: string
  signName: string
  /** The provider's number of the template. */
  templateId: string
  params: Readonly<Record<string, string>>
  /** The text as the person reads it, signature and all. */
  content: string
}

/** What became of a message: it went out, it cannot, or the channel does not know it. */
export type SmsState = 'sent' | 'failed' | 'unknown'

/** The way out to a provider of text messages. */
export interface SmsChannel {
  /**
   * Sends one message.
   * @returns the provider's number
   * @throws SmsError; with `final` when trying again is of no use
   */
  send(message: NewSms): Promise<{ bizNo: string }>
  /**
   * Asks what became of a message, by our number.
   * @throws SmsError when there is no answer: nothing is known then
   */
  query(id: string): Promise<SmsState>
  /** What has become known since the last time of messages that went out; each is told once. */
  receipts(): Promise<SmsReceipt[]>
}

/** A provider's word on a message that went out. */
export interface SmsReceipt {
  /** Our number. */
  id: string
  /** Why it did not arrive; null when it did. */
  problem: string | null
}

/** A message did not go out, or nobody can tell. */
export class SmsError extends Error {
  /** True when the provider refused this message: to this person it will not go. False: nothing is known. */
  readonly final: boolean

  constructor(message: string, final: boolean, cause?: unknown) {
    super(message, { cause })
    this.name = 'SmsError'
    this.final = final
  }
}

/** Makes keyed hashes, equal for equal texts of one scope. */
export interface Hasher {
  hash(scope: string, text: string): string
}
