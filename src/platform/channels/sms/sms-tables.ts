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
  /** What is played of it: nobody can tell of it, or its receipt comes late; null where nothing is. */
  fate: 'unknown' | 'late' | null
}

/** A message that was handed to a provider that charges, or to the sandbox in its place. */
export interface SmsSentTable {
  id: string
  /** The row of the settings it went out by. */
  smsId: string
  tenantId: string
  /** Sealed. */
  phone: string
  /** By which receipts are compared; null in rows of before. */
  phoneHash: string | null
  /** How many messages it is charged as. */
  segments: number
  /** The row on whose account it is; null for none. */
  budgetOf: string | null
  time: Date
  /** The provider's number; null while nobody knows whether it was taken. */
  bizNo: string | null
  /** When the provider was last asked about it. */
  asked: Date | null
  /** Whether its receipt has been handed on. */
  told: Generated<boolean>
  /** Why it did not arrive, by its receipt. */
  problem: string | null
}

/** A receipt that came before the answer by which its message is known. */
export interface SmsEarlyReceiptTable {
  smsId: string
  bizNo: string
  phoneHash: string
  problem: string | null
  time: Date
}

/** Faults of an account in the last while, and until when it is left alone. */
export interface SmsCircuitTable {
  smsId: string
  faults: number
  since: Date
  openUntil: Date | null
}

/** What a tenant's messages of a day are charged as, all together. */
export interface SmsDayTable {
  tenantId: string
  /** `yyyy-MM-dd` in Shanghai. */
  day: string
  segments: number
}

/** What the messages on the account of a row are charged as, all together. */
export interface SmsBudgetTable {
  ownerId: string
  segments: number
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    sms_sent: SmsSentTable
    sms_early_receipt: SmsEarlyReceiptTable
    sms_circuit: SmsCircuitTable
    sms_day: SmsDayTable
    sms_budget: SmsBudgetTable
    sms_code: SmsCodeTable
    sms_outbox: SmsOutboxTable
  }
}
