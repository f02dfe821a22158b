import { SendType } from '#schemas/dictionaries/pay'

/** A sending with what became of its messages and what pays it. Amounts in fen. */
export interface SendInfo {
  id: string
  version: number
  title: string
  examId: string
  /** 1 text messages, 2 notices, 3 both. */
  sendType: number
  templateId: string
  packageId: string
  sendStatus: number
  num: number
  segNum: number
  planTime: string
  /** Receivers that a notice does not reach, once it is out. */
  noAccount: number
  /** Messages by state. */
  counts: Readonly<Record<string, number>>
  balance: number
  /** The text with the names of its values in braces. */
  preview: string
  params: readonly string[]
  package: { packageName: string; num: number; price: number } | ''
}

/** A package on the shelf. Price in fen. */
export interface Package {
  id: string
  packageName: string
  num: number
  price: number
  validDays: number | ''
}

/** An order to be paid. */
export interface QrOrder {
  orderNo: string
  codeUrl: string
  amount: number
  expireTime: string
  serverTime: string
}

/** Words of the states of a sending. */
export const sendWords: readonly string[] = ['草稿', '待支付', '待发送', '发送中', '已完成', '部分失败', '已取消']

/** A sending that stands in the notices only: it costs nothing. */
export const isFree = ({ sendType }: SendInfo): boolean => sendType === SendType.inbox

/** Where the calls of a sending live. */
export const base = '/blade-send/send'
