import type { Wire } from '#engine'
import type { channelState, instructionShape } from './contract.ts'
import type { ChannelRefund, NewChannelRefund } from './refund.ts'

/** What a payment channel says about an order. */
export type ChannelState = Wire<typeof channelState>

/** One thing that a payer fills in, such as the number of an account. */
export type Instruction = Wire<typeof instructionShape>

/** What an order in the channel's words means for ours: nothing is decided, money came, it ended, money went back again. */
export function meaningOf(state: ChannelState): 'open' | 'paid' | 'closed' | 'refunded' {
  return meanings[state]
}

const meanings: Record<ChannelState, ReturnType<typeof meaningOf>> = {
  NOTPAY: 'open',
  USERPAYING: 'open',
  ACCEPT: 'open',
  PAYERROR: 'open',
  SUCCESS: 'paid',
  CLOSED: 'closed',
  REVOKED: 'closed',
  REFUND: 'refunded',
}

/** An order as the channel knows it. Amounts are fen. */
export interface ChannelOrder {
  state: ChannelState
  orderNo: string
  /** The channel's own number; empty until money has moved. */
  transactionId: string
  amount: number
  /** The payer's identity at the channel; never shown to people. */
  payerId: string
  successTime: Date | null
  appid: string
  mchid: string
  /** Number of the notification that carried this; absent in answers to queries. */
  notifyId?: string
}

/** What is ordered. The amount is fen and always the server's own figure. */
export interface NewChannelOrder {
  orderNo: string
  /** What the payer reads on the bill, at most 127 characters. */
  body: string
  amount: number
  expireTime: Date
  notifyUrl: string
  clientIp: string
}

/** Request headers, names in lower case as Node gives them. */
export type ChannelHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The way out to a payment provider. */
export interface PayChannel {
  /**
   * Opens an order, or gives the code of the same order again: equal calls are answered alike.
   * @throws ChannelError the channel refused or could not be reached
   */
  createOrder(order: NewChannelOrder): Promise<{ codeUrl: string }>
  /** What the payer fills in, where the money is sent by hand; a channel whose code is scanned has no such thing. */
  instructions?(order: Pick<NewChannelOrder, 'orderNo' | 'amount'>): Promise<readonly Instruction[]>
  /**
   * Asks for the present state.
   * @throws ChannelError whenever the answer is missing, broken or unsigned: no answer never means "not paid"
   */
  queryOrder(orderNo: string): Promise<ChannelOrder>
  /**
   * Closes an unpaid order; closing a closed one succeeds.
   * @throws ChannelError with code ORDERPAID when money came first
   */
  closeOrder(orderNo: string): Promise<void>
  /**
   * Asks for money to go back, or for the state of the same refund again: equal calls never pay twice.
   * @throws ChannelError the channel refused or could not be reached
   */
  refund(refund: NewChannelRefund): Promise<ChannelRefund>
  /**
   * Asks how far a refund is.
   * @throws ChannelError; with `unknownRefund` when the channel does not know it
   */
  queryRefund(refundNo: string): Promise<ChannelRefund>
  /**
   * The bill of a day, `yyyy-MM-dd`, as the channel's own file, proved by its digest.
   * @throws ChannelError; with `noBill` when there is none yet
   */
  tradeBill(day: string): Promise<string>
}

/** A channel whose provider tells by signed notifications what has happened. */
export interface NotifyingChannel extends PayChannel {
  /**
   * Reads a notification from its raw bytes.
   * @throws NotifyError when anything about it cannot be trusted
   */
  verifyNotify(headers: ChannelHeaders, rawBody: Buffer): Promise<ChannelOrder>
  /**
   * Reads a notification about a refund from its raw bytes.
   * @throws NotifyError when anything about it cannot be trusted
   */
  verifyRefundNotify(headers: ChannelHeaders, rawBody: Buffer): Promise<ChannelRefund>
}

/** The channel refused, answered nonsense or could not be reached. Nothing is known about the order then. */
export class ChannelError extends Error {
  /** The channel's own code, or TRANSPORT, SIGNATURE, FORMAT for what never came through whole. */
  readonly code: string
  /** HTTP status, 0 when there was none. */
  readonly status: number
  /** True when the platform's signature proves that the refusal is its own; only such a one may be acted upon. */
  readonly signed: boolean

  constructor(code: string, status: number, message: string, about: { cause?: unknown; signed?: boolean } = {}) {
    super(`${code}: ${message}`, { cause: about.cause })
    this.name = 'ChannelError'
    this.code = code
    this.status = status
    this.signed = about.signed ?? false
  }

  /** The channel does not know the order. */
  get unknownOrder(): boolean {
    return this.signed && (this.code === 'ORDER_NOT_EXIST' || this.code === 'ORDERNOTEXIST')
  }

  /** The channel does not know the refund. */
  get unknownRefund(): boolean {
    return this.signed && this.code === 'RESOURCE_NOT_EXISTS'
  }

  /** There is no bill of that day: it is not made yet. */
  get noBill(): boolean {
    return this.code === 'NO_STATEMENT_EXIST' || this.code === 'STATEMENT_CREATING'
  }

  /** The order has been paid and can be neither made nor closed. */
  get alreadyPaid(): boolean {
    return this.code === 'ORDERPAID' || this.code === 'ORDER_PAID'
  }
}

/** Why a notification was rejected. */
export type NotifyFault = 'header' | 'stale' | 'serial' | 'probe' | 'signature' | 'replayed' | 'cipher' | 'merchant'

/** A notification that cannot be trusted; nothing in it may change a state. */
export class NotifyError extends Error {
  readonly fault: NotifyFault

  constructor(fault: NotifyFault, message: string) {
    super(message)
    this.name = 'NotifyError'
    this.fault = fault
  }
}
