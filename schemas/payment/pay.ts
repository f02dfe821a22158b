import { dict, entity, flag, longText, optional, type Row, secret, text } from '#engine'
import { PayChannelNo, payChannel } from '../dictionaries.ts'

/** What WeChat Pay gives a merchant and cannot do without. */
const wechat = { channel: PayChannelNo.wechat } as const

export const Pay = entity(
  'pay',
  '支付渠道配置',
  {
    channel: dict('支付渠道', payChannel),
    payName: text('名称', { maxLength: 50 }),
    appId: optional(
      text('应用号（AppID）', {
        maxLength: 64,
        help: '与商户号绑定的公众号或小程序，以wx开头；商户平台「产品中心 - AppID账号管理」',
      }),
    ),
    mchId: optional(text('商户号', { maxLength: 32, help: '微信支付商户平台「账户中心 - 商户信息」，10位数字' })),
    serialNo: optional(
      text('商户证书序列号', { maxLength: 64, help: '商户平台「账户中心 - API安全 - 商户API证书」，40位' }),
    ),
    privateKey: optional(
      secret('商户私钥', { help: '申请商户API证书时得到的 apiclient_key.pem 的全部内容；只写不读，修改时留空即不变' }),
    ),
    apiV3Key: optional(
      secret('APIv3密钥', { help: '在商户平台「账户中心 - API安全」自己设置的32个字符；只写不读，修改时留空即不变' }),
    ),
    platformKeyId: optional(
      text('微信支付公钥ID', {
        maxLength: 64,
        help: '商户平台「账户中心 - API安全 - 微信支付公钥」，以PUB_KEY_ID_开头',
      }),
    ),
    platformKey: optional(longText('微信支付公钥', { help: '同一页下载的 pub_key.pem 的全部内容' })),
    certificate: optional(
      longText('商户API证书', { help: 'apiclient_cert.pem 的全部内容；填写后「系统健康」在到期前提醒' }),
    ),
    notifyUrl: optional(text('回调地址', { help: '支付结果通知到此地址，以https开头，不带参数；不填为系统地址' })),
    enable: flag('启用', { default: 1 }),
  },
  {
    label: 'payName',
    history: true,
    uniques: [{ fields: ['channel'], where: { enable: 1 } }],
    requiredWhen: {
      appId: wechat,
      mchId: wechat,
      serialNo: wechat,
      privateKey: wechat,
      apiV3Key: wechat,
      platformKeyId: wechat,
      platformKey: wechat,
    },
  },
)
export type Pay = Row<typeof Pay>

declare module '#engine' {
  interface Entities {
    pay: typeof Pay
  }
}
