import type { FastifyInstance } from 'fastify'
import type { Kysely, Selectable } from 'kysely'
import type { PayChannel } from '../../../platform/channels/pay/channel.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { ActFacts } from '../../exams/rules/act-windows.ts'
import './pay-channel.ts'

/** Who acts. */
export interface Actor {
  userId: string
}

/** What the functions of payment work with. */
export interface PayContext {
  db: Kysely<Database>
  pay: PayChannel
  /** Number of the channel in dictionary `pay_channel`: 1 WeChat, 9 sandbox. */
  channelNo: 1 | 9
  now: () => Date
  /** Where the channel sends its notifications. */
  notifyUrl: () => string
  /** Where it sends those about refunds. */
  refundNotifyUrl: () => string
}

/** The context of a running server. */
export function payContext({ db, now, pay }: Pick<FastifyInstance, 'db' | 'now' | 'pay'>): PayContext {
  const { channel, channelNo, notifyUrl, refundNotifyUrl } = pay
  return { db, now, pay: channel, channelNo, notifyUrl, refundNotifyUrl }
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
