import { dict, entity, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, sms } from '../dictionaries.ts'

export const Sms = entity(
  'sms',
  '短信配置',
  {
    category: dict('分类', sms),
    smsCode: text('资源编号', { maxLength: 32, unique: true }),
    templateId: text('模板ID', { maxLength: 64 }),
    templateContent: text('模板内容', { maxLength: 500, help: '变量写作 {1}、{2}' }),
    accessKey: secret('accessKey', { help: '只写不读，修改时留空即不变' }),
    secretKey: optional(secret('secretKey', { help: '只写不读，修改时留空即不变' })),
    regionId: optional(text('regionId', { maxLength: 64 })),
    signName: text('短信签名', { maxLength: 64 }),
    smsStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  { label: 'smsCode' },
)
export type Sms = Row<typeof Sms>
