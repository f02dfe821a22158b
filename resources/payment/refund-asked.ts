import { longText, money, optional } from '#engine'

/** What whoever asks for a refund is asked. */
export const refundAsked = {
  amount: optional(money('退款金额', { minimum: 1, help: '不填为全额；部分退款须由机构管理员申请' })),
  reason: longText('退款原因', { maxLength: 80 }),
}
