import type { Generated } from 'kysely'

/** A code sent to a phone; it may be tried a few times and used once. */
export interface SmsCodeTable {
  id: string
  tenantId: string
  phoneHash: string
  purpose: string
  codeHash: string
  tries: number
  until: Date
}

/** A message of the sandbox, as a provider would have sent it. */
export interface SmsOutboxTable {
  id: string
  phoneHash: string
  content: string
  time: Date
}

/** A message that was handed to a provider that charges. */
export interface SmsSentTable {
  id: string
  /** The row of the settings it went out by. */
  smsId: string
  tenantId: string
  /** Sealed. */
  phone: string
  /** How many messages it is charged as. */
  segments: number
  time: Date
  /** The provider's number; null while nobody knows whether it was taken. */
  bizNo: string | null
  /** When a receipt was last asked for. */
  asked: Date | null
  told: Generated<boolean>
}

/** What a tenant's messages of a day are charged as, all together. */
export interface SmsDayTable {
  tenantId: string
  /** `yyyy-MM-dd` in Shanghai. */
  day: string
  segments: number
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    sms_sent: SmsSentTable
    sms_day: SmsDayTable
    sms_code: SmsCodeTable
    sms_outbox: SmsOutboxTable
  }
}
