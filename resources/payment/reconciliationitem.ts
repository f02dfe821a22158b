import { pick, resource, text, through, wide } from '#engine'
import { HandleStatus } from '../../schemas/dictionaries.ts'
import { Reconciliation } from '../../schemas/payment/reconciliation.ts'
import { Reconciliationitem } from '../../schemas/payment/reconciliationitem.ts'

export const reconciliationitem = resource(Reconciliationitem, {
  path: '/blade-reconciliation/reconciliationitem',
  route: '/pay/reconciliationitem',
  can: ['view'],
  columns: [
    'recon.billDate',
    'recon.channel',
    'diffType',
    'orderNo',
    'transactionId',
    'localAmount',
    'channelAmount',
    { field: 'handleStatus', as: 'tag' },
    'handleWay',
  ],
  search: [
    'reconId',
    'recon.billDate',
    'recon.channel',
    'diffType',
    'orderNo',
    'transactionId',
    'handleStatus',
    'createTime',
  ],
  // A difference names an order or a refund; what nobody knows belongs to no exam.
  scope: through('orderNo', {
    to: 'payorder',
    key: 'orderNo',
    unknown: through('orderNo', {
      to: 'payrefund',
      key: 'refundNo',
      unknown: wide('an order that the tenant does not know belongs to no exam'),
    }),
  }),
  actions: {
    handle: {
      label: '处理差异',
      call: 'POST handle?id',
      when: { handleStatus: HandleStatus.open },
      ask: { handleWay: text('处理方式', { maxLength: 255, help: '例如：补单、退款、挂账' }) },
      answer: pick(Reconciliation, 'reconStatus', 'diffNum'),
    },
  },
})
