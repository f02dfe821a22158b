import type { FastifyInstance } from 'fastify'
import type { Kysely, Selectable } from 'kysely'
import type { PayChannel } from '../../../platform/channels/pay/channel.ts'
import type { OpenChannel } from '../../../platform/channels/pay/kind.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ActFacts } from '../../exams/rules/act-windows.ts'
import type { ChannelNo } from './pay-channel.ts'

/** Who acts. */
export interface Actor {
  userId: string
}

/** What the functions of payment work with. */
export interface PayContext {
  db: Kysely<Database>
  /** The channel at which new orders are made. */
  pay: PayChannel
  /** Its number in dictionary `pay_channel`. */
  channelNo: ChannelNo
  now: () => Date
  /** Where that channel sends its notifications. */
  notifyUrl: () => string
  /** Where it sends those about refunds. */
  refundNotifyUrl: () => string
  /** Every channel that is open, by its number. */
  channels: ReadonlyMap<ChannelNo, OpenChannel>
}

/** The context of a running server. */
export function payContext({ db, now, pay }: Pick<FastifyInstance, 'db' | 'now' | 'pay'>): PayContext {
  const { channel, channelNo, notifyUrl, refundNotifyUrl, all } = pay
  return { db, now, pay: channel, channelNo, notifyUrl, refundNotifyUrl, channels: all }
}

/** The channel of an order: where it was made or, where that channel is not open any more, that of new orders. */
export function channelOf(ctx: PayContext, { channel }: Pick<OrderRow, 'channel'>): OpenChannel {
  const { pay, channelNo, notifyUrl, refundNotifyUrl } = ctx
  const other = channel === channelNo ? undefined : ctx.channels.get(channel)
  return other ?? { channel: pay, notifyUrl, refundNotifyUrl }
}

/** A pay order as the database gives it. */
export type OrderRow = Selectable<Database['payorder']>

/** A pay record as the database gives it. */
export type RecordRow = Selectable<Database['payrecord']>

/** A refund slip as the database gives it. */
export type RefundRow = Selectable<Database['payrefund']>

/** A fee setting as the database gives it. */
export type SettingRow = Selectable<Database['exampay']>

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
