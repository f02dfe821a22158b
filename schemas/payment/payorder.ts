import { dateTime, dict, entity, filled, hidden, money, optional, type Row, ref, state, text } from '#engine'
import { OrderStatus, orderStatus, payBizType, payChannel } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Payorder = entity(
  'payorder',
  '支付订单',
  {
    orderNo: filled(text('商户订单号', { maxLength: 32, unique: true })),
    bizType: filled(dict('业务类型', payBizType)),
    bizId: filled(ref('业务主键', 'payrecord', { enforced: false })),
    userId: filled(ref('付款人', 'user')),
    body: filled(text('商品描述', { maxLength: 127 })),
    amount: filled(money('金额')),
    channel: filled(dict('渠道', payChannel)),
    codeUrl: filled(optional(text('二维码链接', { maxLength: 500 }))),
    expireTime: filled(dateTime('失效时间')),
    orderStatus: state('订单状态', orderStatus),
    transactionId: filled(optional(text('渠道订单号', { maxLength: 64, unique: true }))),
    payerId: hidden(filled(optional(text('付款人标识', { maxLength: 128 })))),
    payTime: filled(optional(dateTime('支付时间'))),
    paidAmount: filled(optional(money('实收金额'))),
    refundAmount: filled(optional(money('已退金额'))),
    notifyTime: filled(optional(dateTime('回调时间'))),
    notifyId: hidden(filled(optional(text('通知ID', { maxLength: 64 })))),
    queryTime: filled(optional(dateTime('最近查单'))),
    closeReason: filled(optional(text('关闭原因'))),
    exceptReason: filled(optional(text('异常原因'))),
    remark: optional(text('备注')),
    clientIp: filled(optional(text('下单IP', { maxLength: 64 }))),
  },
  {
    version: true,
    uniques: [{ fields: ['bizType', 'bizId'], where: { orderStatus: OrderStatus.unpaid } }],
    about: 'userId',
    purpose: '收款、对账',
    keep: keeping.money,
  },
)
export type Payorder = Row<typeof Payorder>

declare module '#engine' {
  interface Entities {
    payorder: typeof Payorder
  }
}
