import { resource } from '#engine'
import { Reconciliation } from '../../schemas/pay/reconciliation.ts'

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
})
