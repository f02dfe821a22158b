import { useAnswer } from '../../../../screens/candidate/queries.ts'

/** What the site is like, as far as forms about a person ask. */
export interface Site {
  registerMode: boolean
  captchaMode: boolean
  /** Codes can be sent to phones. */
  smsMode: boolean
  /** Whoever registers proves his phone by a code. */
  registerSms: boolean
  /** Where the messages of a demo installation are read; empty elsewhere. */
  smsSandbox: string
  /** A new phone or e-mail is confirmed by a code or the password; other Blade servers than ours ask for neither. */
  asksProof?: boolean
}

/** Asks what the site is like. */
export const useSite = () => useAnswer<Site>('/public/site')
