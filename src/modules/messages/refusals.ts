import type { RefusalTable } from '#engine'

/** What messages and their purchase refuse. */
export const messagesRefusals = {
  'messages.balanceTooLow': [
    27001,
    409,
    '短信余额不足：需{n}条，余{m}条',
    'Not enough messages left: {n} needed, {m} left',
  ],
  'messages.orderUnpaid': [27002, 409, '订单未支付', 'The order is not paid'],
  'messages.alreadySent': [27003, 409, '已发送，不能修改或删除', 'Sent already; it can neither change nor go'],
  'messages.noReceivers': [27004, 400, '没有有效接收人', 'No valid receiver'],
  'messages.parametersMissing': [27005, 400, '模板参数缺失：{参数}', 'Template parameters are missing: {参数}'],
  'messages.packageUnavailable': [27006, 409, '套餐已下架', 'The package is off the shelf'],
  'messages.alreadyConfirmed': [27007, 409, '已处理，请勿重复确认', 'Dealt with already'],
} as const satisfies RefusalTable<'messages'>

type MessagesRefusals = typeof messagesRefusals

declare module '#engine' {
  interface Refusals extends MessagesRefusals {}
}
