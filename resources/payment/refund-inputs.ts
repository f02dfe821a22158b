import { longText, money, optional } from '#engine'

/** What is asked for where somebody asks for a refund, whichever list it is asked from. */
export const refundInputs = {
  amount: optional(money('退款金额', { minimum: 1, help: '不填为全额；部分退款须由机构管理员申请' })),
  reason: longText('退款原因', { maxLength: 80 }),
} as const
