import { pick, resource, text, through, wide } from '#engine'
import { HandleStatus } from '../../schemas/dictionaries.ts'
import { Reconciliation } from '../../schemas/payment/reconciliation.ts'
import { Reconciliationitem } from '../../schemas/payment/reconciliationitem.ts'

export const reconciliationitem = resource(Reconciliationitem, {
  path: '/blade-reconciliation/reconciliationitem',
  route: '/pay/reconciliationitem',
  can: ['view'],
  columns: [
    { field: 'orderNo', with: ['transactionId'], width: 210 },
    { field: 'recon.billDate', with: ['recon.channel'], width: 150 },
    { field: 'handleStatus', as: 'tag', width: 100 },
    { field: 'diffType', card: true, width: 110 },
    { field: 'localAmount', card: true, width: 110 },
    { field: 'channelAmount', width: 110 },
    { field: 'handleWay', width: 150 },
  ],
  views: { 未处理: { handleStatus: HandleStatus.open }, 已处理: { handleStatus: HandleStatus.handled }, 全部: {} },
  main: ['handle', 'view'],
  empty: { text: '没有差异' },
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
      done: '{{name}} 已处理',
      ask: { handleWay: text('处理方式', { maxLength: 255, help: '例如：补单、退款、挂账' }) },
      answer: pick(Reconciliation, 'reconStatus', 'diffNum'),
    },
  },
})
