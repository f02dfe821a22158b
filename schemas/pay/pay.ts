import { dict, entity, flag, longText, optional, type Row, secret, text } from '#engine'
import { payChannel } from '../dictionaries.ts'

export const Pay = entity(
  'pay',
  '支付渠道配置',
  {
    channel: dict('支付渠道', payChannel),
    payName: text('名称', { maxLength: 50 }),
    appId: optional(text('应用号', { maxLength: 64 })),
    mchId: optional(text('商户号', { maxLength: 32 })),
    serialNo: optional(text('商户证书序列号', { maxLength: 64 })),
    privateKey: optional(secret('商户私钥', { help: '只写不读，修改时留空即不变' })),
    apiV3Key: optional(secret('APIv3密钥', { help: '32个字符，只写不读，修改时留空即不变' })),
    platformKeyId: optional(text('平台公钥标识', { maxLength: 64 })),
    platformKey: optional(longText('平台公钥/证书')),
    notifyUrl: optional(text('回调地址', { help: '支付结果通知到此地址，以https开头，不带参数；不填为系统地址' })),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'payName', uniques: [{ fields: ['channel'], where: { enable: 1 } }] },
)
export type Pay = Row<typeof Pay>
