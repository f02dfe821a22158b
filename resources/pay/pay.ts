import { resource } from '#engine'
import { Pay } from '../../schemas/pay/pay.ts'

export const pay = resource(Pay, {
  path: '/blade-pay/pay',
  code: 'pay_channel',
  route: '/pay/channel',
  columns: ['channel', 'payName', 'appId', 'mchId', 'enable'],
  search: ['channel', 'payName', 'enable', 'createTime'],
})
