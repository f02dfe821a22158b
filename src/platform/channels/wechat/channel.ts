import type { WechatTemplate } from '#engine'
import type { Live } from '../../database/live.ts'

/** What a template message may say, by the words that its keywords are given in the settings. */
export const keywordSources = ['事项', '内容', '考试', '编号', '时间', '截止时间', '咨询电话'] as const

/** A word that a keyword may stand for. */
export type KeywordSource = (typeof keywordSources)[number]

/** What a message says, by the words of the settings; a time is a time. */
export type WechatValues = { readonly [K in KeywordSource]?: string | Date | null }

/** A template message that is to go out. */
export interface NewWechatMessage {
  /** Our own number: WeChat takes one message of it to a receiver, within ten minutes. */
  readonly id: string
  readonly tenantId: string
  readonly openid: string
  readonly template: WechatTemplate
  readonly values: WechatValues
  /** The page that it opens. */
  readonly url: string
  /** One row of the settings, which sends it, in use or not: for trying it. */
  readonly wechatId?: string
}

/** A QR code that leads to an official account, and tells it who has scanned it. */
export interface SceneCode {
  /** What the picture says. */
  readonly url: string
}

/** Somebody who has opened a page inside WeChat. */
export interface WechatVisitor {
  readonly openid: string
  /** Whether the visitor follows the account; it may send nothing to others. */
  readonly isFollowing: boolean
}

/** The way out to an official account at WeChat. */
export interface WechatChannel {
  /**
   * Sends one template message.
   * @returns WeChat's number of it
   * @throws ChannelError
   */
  send(message: NewWechatMessage): Promise<{ ref: string }>
  /** The row of the account in use of the tenant of a handle; undefined where there is none. */
  accountId(db: Live): Promise<string | undefined>
  /** Whether the tenant of a handle has an account in use that has a template. */
  offers(db: Live, template: WechatTemplate): Promise<boolean>
  /**
   * Makes a QR code for some seconds.
   * @param scene what WeChat tells of whoever scans it
   * @throws ChannelError
   */
  sceneCode(tenantId: string, scene: string, seconds: number): Promise<SceneCode>
  /**
   * The address at WeChat that tells the account in use who has opened it inside WeChat, and leads back.
   * @param back the page it leads to, with `code` for {@link visitor} and `state`
   * @throws ChannelError
   */
  visitAddress(tenantId: string, back: string, state: string): Promise<string>
  /** Who was led back with a code, which is good once. @throws ChannelError */
  visitor(tenantId: string, code: string): Promise<WechatVisitor>
  /** Asks for an access token by the keys of an account, in use or not. @throws ChannelError */
  probe(tenantId: string, wechatId: string): Promise<void>
  /** Where the phones of a demonstration are; empty elsewhere. */
  readonly sandbox: string
}
