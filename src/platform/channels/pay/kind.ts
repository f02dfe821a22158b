import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PayChannelNo } from '#schemas/dictionaries'
import type { Bill } from './bill.ts'
import type { ChannelOrder, PayChannel } from './channel.ts'
import type { ChannelRefund } from './refund.ts'

/** Key in dictionary `pay_channel` of a channel with a provider behind it; `offline` is money that staff book by hand. */
export type ChannelKey = Exclude<keyof typeof PayChannelNo, 'offline'>

/** What became of a notification. What was not taken is told again by the provider. */
export type Told =
  | { readonly isTaken: true }
  | { readonly isTaken: false; readonly status: number; readonly message: string }

/** What a channel is given when the server starts. */
export interface ChannelSurroundings {
  /** The address by which the server reaches itself, without a slash at the end; known once it listens. */
  ownUrl(): string
  /** The address by which payers and the provider reach the server. */
  publicUrl(): string
  /**
   * Takes over what the provider says about an order.
   * @param raw the notification as it came; it is kept
   * @param read what it says, once it has proved genuine; throws NotifyError when it does not
   */
  told(request: FastifyRequest, raw: Buffer, read: () => Promise<ChannelOrder>): Promise<Told>
  /** As {@link told}, about a refund. */
  toldRefund(request: FastifyRequest, raw: Buffer, read: () => Promise<ChannelRefund>): Promise<Told>
}

/** A channel that is open in this installation. */
export interface OpenChannel {
  readonly channel: PayChannel
  /** Where the provider tells that an order was paid; empty where it tells nothing and is only asked. */
  notifyUrl(): string
  /** Where it tells how far a refund is. */
  refundNotifyUrl(): string
  /**
   * Reads a bill of the channel, fetched or brought by hand, and proves it against its own sums.
   * @throws BillError in words for the person who brought the file
   */
  readBill(text: string): Bill
}

/** A payment channel, the default export of `kind.ts` in its folder. */
export interface ChannelKind {
  readonly key: ChannelKey
  /**
   * Opens the channel when the server starts, with the routes that it needs.
   * @returns null where this installation does not have it
   */
  open(app: FastifyInstance, around: ChannelSurroundings): Promise<OpenChannel | null>
}
