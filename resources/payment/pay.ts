import { resource } from '#engine'
import { PayChannelNo } from '../../schemas/dictionaries.ts'
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
      'appId',
      'mchId',
      'serialNo',
      'privateKey',
      'apiV3Key',
      'platformKeyId',
      { field: 'platformKey', span: 24 },
      { field: 'certificate', span: 24, when: { channel: PayChannelNo.wechat } },
      { field: 'notifyUrl', span: 24, when: { channel: PayChannelNo.wechat } },
    ],
  },
})
