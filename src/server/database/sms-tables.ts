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

declare module './tables.ts' {
  interface InternalTables {
    sms_code: SmsCodeTable
    sms_outbox: SmsOutboxTable
  }
}
