import { entity, integer, optional, type Row, secret, state, text } from '#engine'
import { enableStatus } from '../dictionaries.ts'

export const OauthSource = entity(
  'oauth-source',
  '第三方登录',
  {
    source: text('来源编号', {
      minLength: 2,
      maxLength: 32,
      pattern: '^[a-z][a-z0-9_]*$',
      unique: true,
      help: '小写字母开头，回调地址为 /oauth/redirect/来源编号',
    }),
    sourceName: text('显示名称', { maxLength: 20, help: '登录页按钮上的文字' }),
    issuer: text('签发地址', { format: 'uri', help: 'OpenID Connect 的 issuer，须为 https' }),
    clientId: text('应用编号', { maxLength: 200, help: '在对方登记时得到的 client_id' }),
    clientSecret: optional(secret('应用密钥', { maxLength: 500, help: '加密保存，不再显示；留空则不变' })),
    scope: text('申请范围', { maxLength: 200, pattern: '^openid( [\\w:./-]+)*$', default: 'openid profile' }),
    sort: integer('排序', { minimum: 0, maximum: 999, default: 1 }),
    sourceStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  { label: 'sourceName' },
)
export type OauthSource = Row<typeof OauthSource>

declare module '#engine' {
  interface Entities {
    'oauth-source': typeof OauthSource
  }
}
