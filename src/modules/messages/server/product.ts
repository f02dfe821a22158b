import type { Product } from '../../payment/server/products.ts'
import { orderOfPurchase } from './buy.ts'
import { completePurchase, lockPurchase, purchaseObjection } from './purchase.ts'

/** Packages of messages, as payment sells them. What the channel confirms is booked by nobody in person. */
export const messagePackages: Product = {
  permission: 'sendpay_add',
  order: orderOfPurchase,
  async lock(db, purchaseId, { tenantId, now }) {
    const purchase = await lockPurchase(db, purchaseId)
    return (
      purchase && {
        objection: purchaseObjection(purchase),
        complete: payOrderId => completePurchase(db, purchase, { tenantId, payOrderId, userId: '0' }, now),
      }
    )
  },
}
