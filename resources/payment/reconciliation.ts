import { date, dict, resource, wide } from '#engine'
import { payChannel } from '../../schemas/dictionaries.ts'
import { Reconciliation } from '../../schemas/payment/reconciliation.ts'

const billDate = date('账单日期', { help: '渠道在次日10点后出账单' })
const channel = dict('渠道', payChannel)

export const reconciliation = resource(Reconciliation, {
  path: '/blade-reconciliation/reconciliation',
  route: '/pay/reconciliation',
  columns: [
    'billDate',
    'channel',
    'localNum',
    'localAmount',
    'channelNum',
    'channelAmount',
    'refundLocal',
    'refundChannel',
    'diffNum',
    { field: 'reconStatus', as: 'tag' },
    'handleUser',
    'handleTime',
  ],
  search: ['billDate', 'channel', 'reconStatus', 'createTime'],
  sort: '-billDate',
  scope: wide('a day is the sum of a tenant at a channel and names no candidate'),
  form: ['billDate', 'channel', 'remark'],
  children: { reconciliationitem: { label: '差异', by: 'reconId' } },
  actions: {
    run: { label: '执行对账', on: 'toolbar', call: 'POST run', ask: { billDate, channel } },
    importBill: {
      label: '上传账单',
      on: 'toolbar',
      call: 'POST importBill',
      upload: '.csv',
      ask: { billDate, channel },
      code: 'run',
    },
  },
})
