import { resource } from '#engine'
import { Sendpay } from '../../schemas/send/sendpay.ts'

export const sendpay = resource(Sendpay, {
  path: '/blade-sendPay/sendpay',
  route: '/send/pay',
  columns: [
    'payNo',
    'sendId',
    'packageId',
    'packageName',
    'num',
    'amount',
    'channel',
    { field: 'sendPayStatus', as: 'tag' },
    'sureUser',
    'sureTime',
  ],
  search: ['payNo', 'sendId', 'packageId', 'channel', 'sendPayStatus', 'createTime'],
})
