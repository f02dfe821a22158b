import { resource } from '#engine'
import { Pay } from '../../schemas/payment/pay.ts'

export const pay = resource(Pay, {
  path: '/blade-pay/pay',
  code: 'pay_channel',
  route: '/pay/channel',
  can: ['view', 'add', 'edit', 'remove'],
  columns: ['channel', 'payName', 'appId', 'mchId', 'serialNo', 'enable'],
  search: ['channel', 'payName', 'enable', 'createTime'],
  form: {
    基本信息: ['channel', 'payName', 'enable'],
    商户信息: [
      { field: 'appId', when: { channel: 1 } },
      { field: 'mchId', when: { channel: 1 } },
      { field: 'serialNo', when: { channel: 1 } },
      { field: 'privateKey', when: { channel: 1 } },
      { field: 'apiV3Key', when: { channel: 1 } },
      { field: 'platformKeyId', when: { channel: 1 } },
      { field: 'platformKey', span: 24, when: { channel: 1 } },
      { field: 'notifyUrl', span: 24, when: { channel: 1 } },
    ],
  },
})
