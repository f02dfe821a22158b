import { ChannelError, type ChannelFault } from '../fault.ts'

/** A message that is to go out. Which account sends it is found by its template. */
export interface NewSms {
  /** Our own number; sending again with the same one never reaches the person twice. */
  id: string
  tenantId: string
  /** The code of its template: of the accounts that have one under this code, the first that can sends it. */
  smsCode: string
  phone: string
  params: Readonly<Record<string, string>>
  /** One row of the settings, which alone sends it, in use or not: for trying it. */
  smsId?: string
  /** How often it was put off before: from the second time on, the next account has its turn. */
  putOff?: number
  /** It may be done without: it leaves a part of the day's money to others, and waits for the next day when the rest is spent. */
  isSpare?: boolean
  /** Somebody waits for it: an account that cannot now is followed by the next at once. */
  isUrgent?: boolean
  /** On whose account it is, beside the tenant's. */
  budget?: Budget
  /** A number under which the same may have gone out before, nobody can tell: the account that had it then is left out. */
  doubtfulId?: string
}

/** A row on whose account messages are, such as an exam. */
export interface Budget {
  readonly ownerId: string
  /** How many messages it may be charged for in all; null for any number. */
  readonly most: number | null
}

/** A message that may have gone out, nobody can tell. */
export type DoubtfulSms = Pick<NewSms, 'tenantId' | 'smsCode'> & { readonly doubtfulId: string }

/**
 * What is known of a message: a provider has it, it arrived, it did not arrive, no provider ever had it, or that can never be told.
 */
export type SmsState = 'taken' | 'arrived' | 'failed' | 'never' | 'cannot'

/** The way out to the providers of text messages. */
export interface SmsChannel {
  /**
   * Sends one message.
   * @returns the provider's number
   * @throws SmsError
   */
  send(message: NewSms): Promise<{ bizNo: string }>
  /**
   * Asks what became of a message, by our number. `never` is certain: it may be sent again.
   * @throws SmsError when there is no answer: nothing is known then
   */
  query(id: string): Promise<SmsState>
  /** Whether one could go out that may have gone out before, by another account than the one that had it then. */
  hasReserve(message: DoubtfulSms): Promise<boolean>
  /**
   * Asks providers for receipts that have not come by themselves, and hands them on (see `takeReceipt` of the extensions).
   * @returns how many were handed on
   */
  pull(): Promise<number>
}

/** A provider's word on a message that went out. */
export interface SmsReceipt {
  /** Our number. */
  id: string
  /** The provider's number. */
  bizNo: string | null
  /** Why it did not arrive; null when it did. */
  problem: string | null
}

/** A text message did not go out, or nobody can tell. Its message is for people. */
export class SmsError extends ChannelError {
  /** Until when all accounts are left alone; null where one of them was handed the message. */
  readonly until: Date | null

  constructor(message: string, fault: ChannelFault, cause?: unknown, until: Date | null = null) {
    super(message, fault, { cause })
    this.name = 'SmsError'
    this.until = until
  }
}

/** A message stays here: those on the account of its row are used up, until the row may have more. */
export class SmsHeld extends SmsError {
  constructor(until: Date) {
    super('本考试的短信条数已达上限，提高上限后继续发送', 'later', undefined, until)
    this.name = 'SmsHeld'
  }
}

/** Makes keyed hashes, equal for equal texts of one scope. */
export interface Hasher {
  hash(scope: string, text: string): string
}
