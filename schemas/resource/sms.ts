import { dateTime, dict, entity, filled, integer, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, SmsVendor, sms } from '../dictionaries.ts'

/** Providers that know an account by two keys; Yunpian by one alone. */
const paired = { category: [SmsVendor.qiniu, SmsVendor.aliyun, SmsVendor.tencent] } as const

export const Sms = entity(
  'sms',
  '短信配置',
  {
    category: dict('分类', sms),
    smsCode: text('资源编号', {
      maxLength: 60,
      help: '自己取的名称；登录、注册验证码用的配置必须叫 validate，告知证件号认领结果的叫 claim，告知审核结果的叫 review。几个服务商可用同一编号，按优先级互为主备',
    }),
    priority: integer('优先级', {
      minimum: 1,
      maximum: 9,
      default: 1,
      help: '同一资源编号中 1 为主用，2 起依次备用；主用不能发送时由备用发送',
    }),
    templateId: text('模板ID', { maxLength: 64, help: '在服务商控制台申请模板，审核通过后取得' }),
    templateContent: text('模板内容', {
      maxLength: 500,
      help: '照抄审核通过的模板，变量用花括号写名称，与服务商模板中的变量名相同（云片的 #code# 写作 {code}，腾讯云的 {1}、{2} 依次写成变量名）；验证码模板用 {code} 和 {minutes}，例如：您的验证码是{code}，{minutes}分钟内有效',
    }),
    accessKey: secret('访问密钥ID（accessKey）', {
      help: '服务商控制台的密钥管理中取得，腾讯云为 SecretId，云片为 apikey；只写不读，修改时留空即不变',
    }),
    secretKey: optional(secret('访问密钥（secretKey）', { help: '与访问密钥ID成对取得；只写不读，修改时留空即不变' })),
    appId: optional(
      text('应用编号（SmsSdkAppId）', {
        maxLength: 32,
        help: '腾讯云短信控制台「应用管理」中的 SDKAppID，例如 1400006666',
      }),
    ),
    regionId: optional(
      text('地域（regionId）', { maxLength: 64, help: '服务商的地域编号，例如 ap-guangzhou；不填为默认地域' }),
    ),
    signName: text('短信签名', { maxLength: 64, help: '在服务商控制台申请并通过审核的签名，不带括号' }),
    smsStatus: state('状态', enableStatus),
    pausedTime: filled(optional(dateTime('暂停时间'))),
    pauseReason: filled(optional(text('暂停原因'))),
    remark: optional(text('备注')),
  },
  {
    label: 'smsCode',
    uniques: [['smsCode', 'priority']],
    requiredWhen: { secretKey: paired, appId: { category: SmsVendor.tencent } },
  },
)
export type Sms = Row<typeof Sms>

declare module '#engine' {
  interface Entities {
    sms: typeof Sms
  }
}
