import { endpoint } from '#engine'

/**
 * WeChat Pay tells that an order was paid. What it sends is its own, and so is the answer: empty, or why the notification was not
 * taken.
 */
export const payNotify = endpoint('payment.notify', 'POST /pay/wxpay/notify', {
  title: '支付结果通知',
  access: 'public',
  essential: true,
  bare: true,
})

/** WeChat Pay tells how far a refund is; as {@link payNotify}. */
export const refundNotify = endpoint('payment.refundNotify', 'POST /pay/wxpay/refundNotify', {
  title: '退款结果通知',
  access: 'public',
  essential: true,
  bare: true,
})
