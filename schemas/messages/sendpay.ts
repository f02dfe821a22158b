import { dateTime, dict, entity, file, filled, integer, money, optional, type Row, ref, state, text } from '#engine'
import { payChannel, sendpayStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Sendpay = entity(
  'sendpay',
  '发送缴费单',
  {
    payNo: filled(text('单号', { maxLength: 32, unique: true })),
    sendId: optional(ref('发送订单', 'send')),
    packageId: ref('套餐', 'sendpackages'),
    packageName: filled(text('套餐名称', { maxLength: 50 })),
    num: filled(integer('条数')),
    amount: filled(money('金额')),
    channel: dict('渠道', payChannel),
    payOrderId: filled(optional(ref('支付订单', 'payorder'))),
    voucher: optional(file('转账凭证')),
    sendPayStatus: state('状态', sendpayStatus),
    sureUser: filled(optional(ref('确认人', 'user', { enforced: false }))),
    sureTime: filled(optional(dateTime('确认时间'))),
    remark: optional(text('备注')),
  },
  { label: 'payNo', keep: keeping.office },
)
export type Sendpay = Row<typeof Sendpay>

declare module '#engine' {
  interface Entities {
    sendpay: typeof Sendpay
  }
}
