import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { PayChannelNo } from '#schemas/dictionaries'
import { type ChannelOrder, NotifyError } from '../../../platform/channels/pay/channel.ts'
import { channelKinds } from '../../../platform/channels/pay/channels.ts'
import type { ChannelSurroundings, OpenChannel, Told } from '../../../platform/channels/pay/kind.ts'
import type { ChannelRefund } from '../../../platform/channels/pay/refund.ts'
import { type Across, type AcrossTrx, liveAcross } from '../../../platform/database/live.ts'
import { ownUrl, publicUrl } from '../../../platform/http/server/public-url.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { timedCalls } from '../../../platform/metrics/meter.ts'
import type { ChannelNo } from './context.ts'
import { type RefundOutcome, settleRefund } from './refund-settle.ts'
import { type Outcome, settle } from './settle.ts'

/**
 * Decorates the app with its payment channels. New orders are made at the one that `PAY_CHANNEL` names, else at the sandbox in
 * demo mode and at WeChat Pay outside of it.
 * @throws when that channel is not open
 */
export default fp(
  async app => {
    const around: ChannelSurroundings = {
      ownUrl: () => ownUrl(app),
      publicUrl: () => publicUrl(app),
      told: (...given) => told(app, ...given),
      toldRefund: (...given) => toldRefund(app, ...given),
    }
    const all = new Map<ChannelNo, OpenChannel>()
    for (const kind of channelKinds()) {
      const open = await kind.open(app, around)
      if (open) all.set(PayChannelNo[kind.key], { ...open, channel: timedCalls(app.meter, 'pay', open.channel) })
    }
    const key = app.config.payChannel ?? (app.config.demo ? 'simulated' : 'wechat')
    const channelNo = (PayChannelNo as Readonly<Record<string, ChannelNo>>)[key]
    const open = channelNo && all.get(channelNo)
    if (!open) throw new Error(`PAY_CHANNEL names ${key}, which is no payment channel of this installation.`)
    app.decorate('pay', { channel: open.channel, channelNo, all })
  },
  { name: 'pay channel', dependencies: ['database', 'vault'] },
)

/** A notification that proved genuine, as it came. */
export interface PayNotifyTable {
  id: string
  notifyId: string
  orderNo: string
  /** The channel's number of the payment; of a refund our own. */
  transactionId: string
  amount: number
  raw: string
  /** What it came to; `unknown` asks for somebody to look. */
  outcome: Outcome | RefundOutcome
  time: Date
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    pay_notify: Omit<PayNotifyTable, 'id'>
  }
}

/** Milliseconds the raw notifications are kept: 180 days. */
const keep = 180 * 86_400_000

/** What asks for somebody to look. */
const troubling: readonly PayNotifyTable['outcome'][] = ['unknown', 'exception', 'abnormal']

/** Answers the provider, whatever happens while its notification is taken over. */
async function taken(request: FastifyRequest, take: () => Promise<PayNotifyTable['outcome']>): Promise<Told> {
  try {
    const outcome = await take()
    if (troubling.includes(outcome)) request.log.warn({ outcome }, 'payment needs a look')
    return { isTaken: true }
  } catch (error) {
    if (!(error instanceof NotifyError)) {
      request.log.error({ err: error }, 'payment notification failed')
      return { isTaken: false, status: 500, message: '处理失败，请重试' }
    }
    request.log.warn({ fault: error.fault, ip: request.ip }, 'payment notification refused')
    const { status, message } = refuse('payment.signatureInvalid')
    return { isTaken: false, status, message }
  }
}

/**
 * Takes over what a channel says about an order: proved first, then settled and kept in one transaction. An order nobody knows is
 * taken, too, and kept for somebody to look at.
 */
const told = (
  { db, now, extensions, meter }: Pick<FastifyInstance, 'db' | 'now' | 'extensions' | 'meter'>,
  request: FastifyRequest,
  raw: Buffer,
  read: () => Promise<ChannelOrder>,
): Promise<Told> =>
  taken(request, async () => {
    const order = await read()
    const time = now()
    const came = await liveAcross(db, { now })
      .transaction()
      .execute(async trx => {
        const outcome = await settle(trx, order, time, extensions.products)
        await keepNotify(trx, { ...order, raw, outcome, time })
        return outcome
      })
    meter.count('pay_total', { outcome: came })
    return came
  })

/** As {@link told}, about a refund. */
const toldRefund = (
  { db, now }: Pick<FastifyInstance, 'db' | 'now'>,
  request: FastifyRequest,
  raw: Buffer,
  read: () => Promise<ChannelRefund>,
): Promise<Told> =>
  taken(request, async () => {
    const refund = await read()
    const time = now()
    return liveAcross(db, { now })
      .transaction()
      .execute(async trx => {
        const outcome = await settleRefund(trx, refund, time)
        await keepNotify(trx, { ...refund, transactionId: refund.refundNo, raw, outcome, time })
        return outcome
      })
  })

type StoredNotify = Omit<PayNotifyTable, 'id' | 'notifyId' | 'raw'> & { notifyId?: string; raw: Buffer }

async function keepNotify(
  trx: AcrossTrx,
  { orderNo, transactionId, amount, notifyId = '', raw, outcome, time }: StoredNotify,
): Promise<void> {
  await trx
    .insertInto('pay_notify')
    .values({ orderNo, transactionId, amount, notifyId, raw: raw.toString('utf8'), outcome, time })
    .execute()
}

/** Forgets notifications older than 180 days. */
export async function purgeNotifies(db: Across, now: Date): Promise<void> {
  await db
    .deleteFrom('pay_notify')
    .where('time', '<', new Date(now.getTime() - keep))
    .execute()
}
