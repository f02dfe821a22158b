import { resource } from '#engine'
import { Reconciliationitem } from '../../schemas/pay/reconciliationitem.ts'

export const reconciliationitem = resource(Reconciliationitem, {
  path: '/blade-reconciliation/reconciliationitem',
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
})
