import type { Live } from '../../database/live.ts'

/** An e-mail that is to go out. */
export interface NewMail {
  /** Our own number, from which its Message-ID is made: sending again with the same one is the same mail to whoever reads it. */
  readonly id: string
  readonly tenantId: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** One row of the settings, which sends it, in use or not: for trying it. */
  readonly mailId?: string
}

/** The way out to mail servers. */
export interface MailChannel {
  /**
   * Sends one e-mail.
   * @returns what the server said when it took it
   * @throws MailError
   */
  send(mail: NewMail): Promise<{ ref: string }>
  /** Whether the tenant of a handle has an account in use. */
  isOn(db: Live): Promise<boolean>
  /** Where the e-mails of a demonstration are read; empty elsewhere. */
  readonly sandbox: string
}
