import { resource } from '#engine'
import { Payrefund } from '../../schemas/pay/payrefund.ts'

export const payrefund = resource(Payrefund, {
  path: '/blade-payOrder/payrefund',
  route: '/pay/refund',
  can: ['view', 'export'],
  columns: [
    'refundNo',
    'payOrderId',
    'amount',
    'reason',
    { field: 'refundStatus', as: 'tag' },
    'applyUser',
    'approveUser',
    'channelRefundId',
    'successTime',
    'errMsg',
  ],
  search: ['refundNo', 'payOrderId', 'refundStatus', 'createTime'],
})
