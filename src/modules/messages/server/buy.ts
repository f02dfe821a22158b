import type { FastifyInstance } from 'fastify'
import { OnshelfStatus, OrderStatus, PayBizType, PayChannelNo, SendpayStatus, SendStatus } from '#schemas/dictionaries'
import { changeable } from '../../../crud/scope.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { authoredBy, liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isReusable, newPayNumber, orderExpiry } from '../../payment/rules/pay-order.ts'
import { type OpenOrder, type PayContext, payContext } from '../../payment/server/context.ts'
import { openOrderOf } from '../../payment/server/ledger.ts'
import { type Choice, offerOrder } from '../../payment/server/order.ts'
import type { Buyer } from '../../payment/server/products.ts'
import { enterSend } from './enter-send.ts'
import { balanceOf } from './ledger.ts'
import { checkReady, moveSend } from './order.ts'
import { lockPurchase, type PurchaseRow } from './purchase.ts'
import { lockSend } from './rows.ts'

/** A package on the shelf. @throws messages.packageUnavailable */
export async function packageOnShelf(db: Live, packageId: string) {
  const row = await db
    .selectFrom('sendpackages')
    .selectAll()
    .where('id', '=', packageId)
    .where('packageStatus', '=', OnshelfStatus.onShelf)
    .executeTakeFirst()
  if (!row) throw refuse('messages.packageUnavailable')
  return row
}

/**
 * The order that pays a sending by its package.
 * @throws row.notFound, messages.alreadySent when it went out, messages.noReceivers, messages.parametersMissing,
 * messages.packageUnavailable, messages.balanceTooLow when package and balance together do not reach,
 * payment.channelUnavailable
 */
export async function buyForSend(app: FastifyInstance, buyer: Buyer, sendId: string): Promise<OpenOrder> {
  const ctx = payContext(app)
  const purchaseId = await liveAs(app, buyer.person)
    .transaction()
    .execute(async trx => {
      const send = await lockSend(trx, sendId)
      if (send.sendStatus !== SendStatus.draft && send.sendStatus !== SendStatus.unpaid)
        throw refuse('messages.alreadySent')
      await checkReady(trx, send)
      const wanted = await packageOnShelf(trx, send.packageId ?? '0')
      const have = (await balanceOf(trx)) + wanted.num
      if (have < (send.segNum ?? 0)) throw refuse('messages.balanceTooLow', { n: send.segNum ?? 0, m: have })
      await moveSend(trx, send, SendStatus.unpaid, { amount: wanted.price })
      const { tenantId } = buyer.person
      if (send.planTime) await enterSend(app, trx, { sendId: send.id, tenantId, runAt: send.planTime })
      return purchaseOf(ctx, trx, buyer, wanted.id, send.id)
    })
  return orderFor(ctx, buyer, purchaseId)
}

/** The order that buys a package ahead. @throws messages.packageUnavailable, payment.channelUnavailable */
export async function buyPackage(app: FastifyInstance, buyer: Buyer, packageId: string): Promise<OpenOrder> {
  const ctx = payContext(app)
  const db = liveAs(app, buyer.person)
  const id = await db.transaction().execute(trx => purchaseOf(ctx, trx, buyer, packageId, null))
  return orderFor(ctx, buyer, id)
}

/** The unpaid purchase of a package by somebody, for a sending or ahead; made when there is none. */
async function purchaseOf(ctx: PayContext, db: Live, { person }: Buyer, packageId: string, sendId: string | null) {
  const wanted = await packageOnShelf(db, packageId)
  const open = await db
    .selectFrom('sendpay')
    .select('id')
    .where('packageId', '=', packageId)
    .where('createUser', '=', person.userId)
    .where('sendPayStatus', '=', SendpayStatus.unpaid)
    .where('amount', '=', wanted.price)
    .where('num', '=', wanted.num)
    .where('sendId', sendId === null ? 'is' : '=', sendId)
    .executeTakeFirst()
  if (open) return open.id
  const { id } = await db
    .insertInto('sendpay')
    .values({
      payNo: newPayNumber('DX', ctx.now()),
      sendId,
      packageId,
      packageName: wanted.packageName,
      num: wanted.num,
      amount: wanted.price,
      channel: ctx.channelNo,
      sendPayStatus: SendpayStatus.unpaid,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The order of a purchase the caller may meet.
 * @throws row.notFound, messages.alreadyConfirmed when it is not to be paid any more, payment.channelUnavailable
 */
export async function orderOfPurchase(app: FastifyInstance, buyer: Buyer, purchaseId: string): Promise<OpenOrder> {
  const row = await changeable(app, buyer.person, 'sendpay')
    .select('id')
    .where('id', '=', purchaseId)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return orderFor(payContext(app), buyer, row.id)
}

const orderFor = (ctx: PayContext, buyer: Buyer, purchaseId: string): Promise<OpenOrder> =>
  offerOrder(ctx, buyer.person, async (trx): Promise<Choice> => {
    const purchase = await lockPurchase(trx, purchaseId)
    if (!purchase) throw refuse('row.notFound')
    if (purchase.sendPayStatus !== SendpayStatus.unpaid || purchase.channel === PayChannelNo.offline)
      throw refuse('messages.alreadyConfirmed')
    const now = ctx.now()
    const end = new Date(now.getTime() + 86_400_000)
    const open = await openOrderOf(trx, purchase.id, PayBizType.smsPackage)
    if (open) return { order: open, usable: isReusable(open.expireTime, now, end) }
    return { order: await insertOrder(ctx, trx, purchase, buyer, end), usable: true }
  })

function insertOrder(ctx: PayContext, trx: LiveTrx, purchase: PurchaseRow, { person, ip }: Buyer, end: Date) {
  const now = ctx.now()
  return authoredBy(trx, person, now)
    .insertInto('payorder')
    .values({
      orderNo: newPayNumber('JF', now),
      bizType: PayBizType.smsPackage,
      bizId: purchase.id,
      userId: person.userId,
      body: `短信套餐：${purchase.packageName}`,
      amount: purchase.amount,
      channel: ctx.channelNo,
      expireTime: orderExpiry(now, end),
      orderStatus: OrderStatus.unpaid,
      clientIp: ip,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
