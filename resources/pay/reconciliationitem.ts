import { resource, text } from '#engine'
import { Reconciliationitem } from '../../schemas/pay/reconciliationitem.ts'

export const reconciliationitem = resource(Reconciliationitem, {
  path: '/blade-reconciliation/reconciliationitem',
  route: '/pay/reconciliationitem',
  can: ['view'],
  columns: [
    'diffType',
    'orderNo',
    'transactionId',
    'localAmount',
    'channelAmount',
    { field: 'handleStatus', as: 'tag' },
    'handleWay',
  ],
  search: ['reconId', 'diffType', 'orderNo', 'transactionId', 'handleStatus', 'createTime'],
  actions: {
    handle: {
      label: '处理差异',
      call: 'POST handle?id',
      when: { handleStatus: 0 },
      ask: { handleWay: text('处理方式', { maxLength: 255, help: '例如：补单、退款、挂账' }) },
    },
  },
})
