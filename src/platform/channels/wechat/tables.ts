import type { ColumnType, Generated } from 'kysely'

/** The access token of an official account. */
export interface WechatTokenTable {
  accountId: string
  /** Whose token it is: an account that was given another number has none. */
  appId: string
  /** Sealed; null before the first. */
  token: string | null
  until: Date
}

/** A QR code by which somebody binds a WeChat. */
export interface WechatTicketTable {
  id: string
  sceneHash: string
  tenantId: string
  userId: string
  sessionId: string
  accountId: string
  until: Date
  /** Who has scanned it, sealed. */
  openid: string | null
  openidHash: string | null
  /** Number of the code that was told to whoever has scanned it. */
  codeId: string | null
}

/** What WeChat has told of a message. */
export interface WechatReceiptTable {
  accountId: string
  msgId: string
  /** Whom it was for. */
  openidHash: string
  /** Why it did not arrive; null when it did. */
  problem: string | null
  time: Date
}

/** Somebody's WeChat in a demonstration. */
export interface WechatSandboxPhoneTable {
  openid: string
  appId: string
  phone: number
  isFollowing: Generated<boolean>
}

/** What a WeChat of a demonstration was sent: a template message, or an answer to what it did. */
export interface WechatSandboxMessageTable {
  id: Generated<string>
  openid: string
  /** The sender's number; null for an answer. */
  clientMsgId: string | null
  content: ColumnType<unknown, string, never>
  time: Date
}

/** A QR code of a demonstration. */
export interface WechatSandboxQrTable {
  ticket: string
  appId: string
  scene: string
  until: Date
}

declare module '../../database/tables.ts' {
  interface InternalTables {
    wechat_token: WechatTokenTable
    wechat_ticket: WechatTicketTable
    wechat_receipt: WechatReceiptTable
    wechat_sandbox_phone: WechatSandboxPhoneTable
    wechat_sandbox_message: WechatSandboxMessageTable
    wechat_sandbox_qr: WechatSandboxQrTable
  }
}
