import { resource, through } from '#engine'
import { Exportpay } from '../../schemas/pay/exportpay.ts'

export const exportpay = resource(Exportpay, {
  path: '/blade-exportpay/exportpay',
  route: '/pay/exportpay',
  can: ['view', 'export'],
  columns: ['orderNo', 'transactionId', 'name', 'unit', 'amount', 'refundAmount', 'payTime', 'isInvoice'],
  search: ['mainId', 'orderNo', 'name', 'payTime', 'createTime'],
  scope: through('mainId'),
})
