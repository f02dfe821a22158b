import type { RefusalTable } from '#engine'

/** What payment refuses. */
export const paymentRefusals = {
  'payment.notFound': [24001, 404, '缴费记录不存在', 'There is no such payment'],
  'payment.closed': [24002, 400, '缴费未开始或已截止', 'Payment has not begun or is over'],
  'payment.alreadyPaid': [24003, 409, '该项目已缴费', 'This is paid already'],
  'payment.exempt': [24004, 409, '该项目免缴，无需支付', 'This is exempt; nothing to pay'],
  'payment.orderClosed': [24005, 409, '订单已关闭，请重新发起支付', 'The order is closed; start the payment again'],
  'payment.channelUnavailable': [
    24006,
    500,
    '支付渠道暂不可用，请稍后再试',
    'The payment channel does not answer; try again later',
  ],
  'payment.signatureInvalid': [24007, 401, '验签失败', 'The signature does not hold'],
  'payment.amountDiffers': [24008, 409, '金额不一致，已转人工处理', 'The amount differs; staff will look into it'],
  'payment.orderPaid': [24009, 409, '订单已支付，不能关闭', 'The order is paid and cannot be closed'],
  'payment.refundTooLarge': [24010, 409, '退款金额超过可退金额', 'The refund exceeds what can be refunded'],
  'payment.refundPending': [24011, 409, '已有退款在处理中', 'A refund is under way already'],
  'payment.refundTooLate': [
    24012,
    409,
    '支付已超过一年，不能原路退款，请线下处理',
    'Paid more than a year ago; refund by hand',
  ],
  'payment.hasPayments': [24013, 409, '已有人缴费，不能删除', 'Somebody has paid; it cannot be removed'],
  'payment.invoiced': [24014, 409, '已开票，请先红冲', 'Invoiced; reverse the invoice first'],
  'payment.invoiceIssued': [24015, 409, '票据已开具', 'The invoice is issued already'],
  'payment.billNotReady': [
    24016,
    409,
    '账单尚未生成（次日10点后）',
    'The bill is not there yet (next day after 10:00)',
  ],
  'payment.daySettled': [24017, 409, '该日对账已结清', 'That day is settled'],
} as const satisfies RefusalTable<'payment'>

type PaymentRefusals = typeof paymentRefusals

declare module '#engine' {
  interface Refusals extends PaymentRefusals {}
}
