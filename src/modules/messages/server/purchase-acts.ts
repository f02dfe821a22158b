import type { FastifyInstance } from 'fastify'
import { PayChannelNo, SendpayStatus } from '#schemas/dictionaries'
import { tieFile } from '../../../crud/stored-file.ts'
import { type LiveTrx, raw } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'

import { completePurchase, lockPurchase, type PurchaseRow } from './purchase.ts'

/** Who acts on a purchase. */
type Actor = Pick<Person, 'tenantId' | 'userId'>

const within = (
  app: FastifyInstance,
  actor: Actor,
  id: string,
  work: (trx: LiveTrx, purchase: PurchaseRow) => Promise<void>,
) =>
  liveAs(app, actor)
    .transaction()
    .execute(async trx => {
      const purchase = await lockPurchase(raw(trx), id)
      if (!purchase) throw refuse('row.notFound')
      await work(trx, purchase)
    })

/** Whether one person has decided on a transfer in just this way. */
const isDecided = (purchase: PurchaseRow, status: number, remark: string, actor: Actor): boolean => {
  const isSame = purchase.sendPayStatus === status && (purchase.remark ?? '') === remark
  return isOwnRepeat({ updateUser: purchase.sureUser }, isSame, actor)
}

/**
 * Confirms that the money of a transfer is here. Said twice by the same person it is the same.
 * @throws row.notFound, row.sameApprover for the buyer's own purchase, messages.alreadyConfirmed when it was decided on
 */
export const sureSendPay = (app: FastifyInstance, actor: Actor, id: string, remark: string) =>
  within(app, actor, id, async (trx, purchase) => {
    if (purchase.createUser === actor.userId) throw refuse('row.sameApprover')
    if (isDecided(purchase, SendpayStatus.confirmed, remark, actor)) return
    if (purchase.sendPayStatus !== SendpayStatus.unconfirmed) throw refuse('messages.alreadyConfirmed')
    await completePurchase(raw(trx), purchase, { userId: actor.userId, remark }, app.now())
  })

/**
 * Refuses a transfer, with the reason.
 * @throws row.notFound, row.sameApprover, messages.alreadyConfirmed, input.invalid
 */
export const rejectSendPay = (app: FastifyInstance, actor: Actor, id: string, remark: string) =>
  within(app, actor, id, async (trx, purchase) => {
    if (!remark.trim()) throw refuse('input.invalid', { 说明: '请输入驳回原因' })
    if (purchase.createUser === actor.userId) throw refuse('row.sameApprover')
    if (isDecided(purchase, SendpayStatus.rejected, remark, actor)) return
    if (purchase.sendPayStatus !== SendpayStatus.unconfirmed) throw refuse('messages.alreadyConfirmed')
    await move(trx, purchase, { sendPayStatus: SendpayStatus.rejected, remark, sureUser: actor.userId })
  })

/**
 * Ends a purchase nobody has paid. Money that still comes gets a refund slip.
 * @throws row.notFound, messages.alreadyConfirmed
 */
export const closeSendPay = (app: FastifyInstance, actor: Actor, id: string) =>
  within(app, actor, id, async (trx, purchase) => {
    if (isOwnRepeat(purchase, purchase.sendPayStatus === SendpayStatus.closed, actor)) return
    if (purchase.sendPayStatus !== SendpayStatus.unpaid) throw refuse('messages.alreadyConfirmed')
    await move(trx, purchase, { sendPayStatus: SendpayStatus.closed })
  })

/**
 * Hands in the voucher of a transfer, also a better one after a refusal.
 * @throws row.notFound, messages.alreadyConfirmed, file.notFound
 */
export const handVoucher = (app: FastifyInstance, actor: Actor, id: string, voucher: string) =>
  within(app, actor, id, async (trx, purchase) => {
    const isSame = purchase.sendPayStatus === SendpayStatus.unconfirmed && purchase.voucher === voucher
    if (isOwnRepeat(purchase, isSame, actor)) return
    const open: readonly number[] = [SendpayStatus.unpaid, SendpayStatus.unconfirmed, SendpayStatus.rejected]
    if (!open.includes(purchase.sendPayStatus)) throw refuse('messages.alreadyConfirmed')
    await tieFile(raw(trx), voucher, purchase)
    await move(trx, purchase, { sendPayStatus: SendpayStatus.unconfirmed, voucher, channel: PayChannelNo.offline })
  })

type Changes = Partial<Pick<PurchaseRow, 'sendPayStatus' | 'remark' | 'voucher' | 'channel' | 'sureUser'>>

async function move(trx: LiveTrx, purchase: PurchaseRow, changes: Changes): Promise<void> {
  await trx.updateTable('sendpay').set(changes).where('id', '=', purchase.id).execute()
}
