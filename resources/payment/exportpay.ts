import { resource, through } from '#engine'
import { Exportpay } from '../../schemas/payment/exportpay.ts'

export const exportpay = resource(Exportpay, {
  path: '/blade-exportpay/exportpay',
  route: '/pay/exportpay',
  can: ['view', 'export'],
  instead: {
    add: '导出明细随批次生成，请新建批次（exportpaymain/create）',
    edit: '导出明细与已导出的文件一致，不能修改；有变化请新建批次（exportpaymain/create）',
    remove: '导出明细与已导出的文件一致，不能删除',
  },
  columns: ['orderNo', 'transactionId', 'name', 'unit', 'amount', 'refundAmount', 'payTime', 'isInvoice'],
  search: ['mainId', 'orderNo', 'name', 'payTime', 'createTime'],
  scope: through('mainId'),
})
