import type { FastifyInstance } from 'fastify'
import { PayChannelNo, SendpayStatus } from '#schemas/dictionaries'
import { tieFile } from '../../../crud/stored-file.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
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
      const purchase = await lockPurchase(trx, id)
      if (!purchase) throw refuse('row.notFound')
      await work(trx, purchase)
    })

/** Whether one person has confirmed a transfer in just this way. */
const isConfirmed = (purchase: PurchaseRow, remark: string, actor: Actor): boolean => {
  const isSame = purchase.sendPayStatus === SendpayStatus.confirmed && (purchase.remark ?? '') === remark
  return isOwnRepeat({ updateUser: purchase.sureUser }, isSame, actor)
}

/**
 * Confirms that the money of a transfer is here. Said twice by the same person it is the same.
 * @throws row.notFound, row.sameApprover for the buyer's own purchase, messages.alreadyConfirmed when it was decided on
 */
export const sureSendPay = (app: FastifyInstance, actor: Actor, id: string, remark: string) =>
  within(app, actor, id, async (trx, purchase) => {
    if (purchase.createUser === actor.userId) throw refuse('row.sameApprover')
    if (isConfirmed(purchase, remark, actor)) return
    if (purchase.sendPayStatus !== SendpayStatus.unconfirmed) throw refuse('messages.alreadyConfirmed')
    await completePurchase(trx, purchase, { ...actor, remark }, app.now())
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
    await tieFile(trx, voucher, { tenantId: actor.tenantId, id })
    await trx
      .updateTable('sendpay')
      .set({ sendPayStatus: SendpayStatus.unconfirmed, voucher, channel: PayChannelNo.offline })
      .where('id', '=', id)
      .execute()
  })
