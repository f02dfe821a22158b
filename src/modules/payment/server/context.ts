import type { FastifyInstance } from 'fastify'
import type { Selectable } from 'kysely'
import type { Payorder } from '#schemas/payment/payorder'
import { ChannelError, type PayChannel } from '../../../platform/channels/pay/channel.ts'
import type { OpenChannel } from '../../../platform/channels/pay/kind.ts'
import {
  type Across,
  type Live,
  type LiveDatabase,
  type LiveTrx,
  liveAcross,
  liveFor,
} from '../../../platform/database/live.ts'
import type { Extensions } from '../../../platform/http/server/extensions.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { ActFacts } from '../../exams/rules/act-windows.ts'

/** Number of a channel in dictionary `pay_channel`. */
export type ChannelNo = Payorder['channel']

/** The payment channels of this installation. */
export interface PaymentChannels {
  /** The channel at which new orders are made. */
  readonly channel: PayChannel
  /** Its number. */
  readonly channelNo: ChannelNo
  /** Every channel that is open, by its number: what was ordered at one stays there. */
  readonly all: ReadonlyMap<ChannelNo, OpenChannel>
}

declare module 'fastify' {
  interface FastifyInstance {
    pay: PaymentChannels
  }
}

/** Who acts. */
export interface Actor {
  tenantId: string
  userId: string
}

/** The live handle for what a person does to a row. */
export const actingAs = (trx: LiveTrx, { tenantId, userId }: Actor, now: Date): LiveTrx =>
  liveFor(trx, { tenantId, userId, now: () => now })

/** What the functions of payment work with. */
export interface PayContext {
  /** Orders, records and refunds of all tenants: a channel names an order, and jobs work for everybody. */
  db: Across
  /** The channel at which new orders are made. */
  pay: PayChannel
  /** Its number in dictionary `pay_channel`. */
  channelNo: ChannelNo
  now: () => Date
  /** Every channel that is open, by its number. */
  channels: ReadonlyMap<ChannelNo, OpenChannel>
  /** What orders pay for besides the fees of exams. */
  products: Extensions['products']
}

/** The context of a running server. */
export function payContext({
  db,
  now,
  pay,
  extensions: { products },
}: Pick<FastifyInstance, 'db' | 'now' | 'pay' | 'extensions'>): PayContext {
  const { channel, channelNo, all } = pay
  return { db: liveAcross(db, { now }), now, pay: channel, channelNo, channels: all, products }
}

/**
 * The live handle of the program in one tenant, for what it does by itself.
 * @param now time of the stamps, and of what is decided with it
 */
export const programIn = (ctx: PayContext, { tenantId }: Pick<Actor, 'tenantId'>, now = ctx.now()): Live =>
  liveFor(ctx.db, { tenantId, userId: null, now: () => now })

/** The channel of an order: where it was made or, where that channel is not open any more, that of new orders. */
export function channelOf(ctx: PayContext, { channel }: Pick<OrderRow, 'channel'>): OpenChannel {
  const [own, usual] = [ctx.channels.get(channel), ctx.channels.get(ctx.channelNo)]
  if (own && own !== usual) return own
  if (!usual) throw new Error(`payment channel ${ctx.channelNo} is not open`)
  return { ...usual, channel: ctx.pay }
}

/** The refusal for a channel that did not answer; anything that is no channel's fault goes through as it is. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof ChannelError)) return error
  return Object.assign(refuse('payment.channelUnavailable'), { cause: error })
}

/** A pay order as the database gives it. */
export type OrderRow = Selectable<LiveDatabase['payorder']>

/** An order with its code, ready to be shown. */
export type OpenOrder = OrderRow & { codeUrl: string }

/** A pay record as the database gives it. */
export type RecordRow = Selectable<LiveDatabase['payrecord']>

/** A refund slip as the database gives it. */
export type RefundRow = Selectable<LiveDatabase['payrefund']>

/** A fee setting as the database gives it. */
export type SettingRow = Selectable<LiveDatabase['exampay']>

/** A fee as the windows of acts ask for it. */
export const payFacts = ({
  startTime,
  endTime,
  graceSeconds,
}: {
  startTime: Date
  endTime: Date
  graceSeconds?: number | null
}): ActFacts => ({ exam: { graceSeconds: graceSeconds ?? null }, fee: { startTime, endTime } })
