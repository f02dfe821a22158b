import { dateTime, entity, filled, money, optional, type Row, ref, state, text } from '#engine'
import { refundStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Payrefund = entity(
  'payrefund',
  '退款单',
  {
    refundNo: filled(text('退款单号', { maxLength: 64, unique: true })),
    payOrderId: filled(ref('支付订单', 'payorder')),
    payRecordId: filled(optional(ref('缴费记录', 'payrecord'))),
    amount: filled(money('退款金额')),
    reason: filled(text('退款原因', { maxLength: 80 })),
    refundStatus: state('状态', refundStatus),
    applyUser: filled(ref('申请人', 'user', { enforced: false })),
    approveUser: filled(optional(ref('审批人', 'user'))),
    channelRefundId: filled(optional(text('渠道退款号', { maxLength: 64 }))),
    successTime: filled(optional(dateTime('到账时间'))),
    errMsg: filled(optional(text('说明'))),
    queryTime: filled(optional(dateTime('最近查询'))),
  },
  { about: 'payRecordId', purpose: '退还费用', keep: keeping.money },
)
export type Payrefund = Row<typeof Payrefund>

declare module '#engine' {
  interface Entities {
    payrefund: typeof Payrefund
  }
}
