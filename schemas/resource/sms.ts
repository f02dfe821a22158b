import { dict, entity, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, sms } from '../dictionaries.ts'

export const Sms = entity(
  'sms',
  '短信配置',
  {
    category: dict('分类', sms),
    smsCode: text('资源编号', {
      maxLength: 32,
      unique: true,
      help: '自己取的名称；登录、注册验证码用的配置必须叫 validate，告知证件号认领结果的叫 claim，告知审核结果的叫 review',
    }),
    templateId: text('模板ID', { maxLength: 64, help: '在服务商控制台申请模板，审核通过后取得' }),
    templateContent: text('模板内容', {
      maxLength: 500,
      help: '照抄审核通过的模板，变量用花括号写名称，与服务商模板中的变量名相同；验证码模板用 {code} 和 {minutes}，例如：您的验证码是{code}，{minutes}分钟内有效',
    }),
    accessKey: secret('访问密钥ID（accessKey）', { help: '服务商控制台的密钥管理中取得；只写不读，修改时留空即不变' }),
    secretKey: optional(secret('访问密钥（secretKey）', { help: '与访问密钥ID成对取得；只写不读，修改时留空即不变' })),
    regionId: optional(
      text('地域（regionId）', { maxLength: 64, help: '服务商的地域编号，例如 cn-hangzhou；不填为默认地域' }),
    ),
    signName: text('短信签名', { maxLength: 64, help: '在服务商控制台申请并通过审核的签名，不带括号' }),
    smsStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  { label: 'smsCode' },
)
export type Sms = Row<typeof Sms>

declare module '#engine' {
  interface Entities {
    sms: typeof Sms
  }
}
