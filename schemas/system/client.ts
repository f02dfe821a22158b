import { dict, entity, integer, json, optional, type Row, secret, text } from '#engine'
import { EnableStatus, enableStatus } from '../dictionaries.ts'

export const Client = entity(
  'client',
  '客户端',
  {
    clientId: text('客户端ID', { maxLength: 48, unique: true }),
    clientSecret: secret('客户端密钥'),
    scope: text('授权范围'),
    authorizedGrantTypes: text('授权类型', { help: '逗号分隔，如 refresh_token,password,captcha' }),
    accessTokenValidity: integer('令牌秒数', {
      minimum: 3010,
      default: 3600,
      help: '页面在 3000 秒时换新令牌，不能更短',
    }),
    refreshTokenValidity: integer('刷新令牌秒数', { minimum: 3600, default: 604_800 }),
    webServerRedirectUri: optional(text('回调地址', { help: '授权码登录的应用地址，须逐字一致，多个用逗号分隔' })),
    autoapprove: optional(text('自动授权', { maxLength: 50 })),
    additionalInformation: optional(json('附加说明')),
    publicKey: optional(
      text('SM2公钥', {
        maxLength: 130,
        pattern: '^04[0-9a-fA-F]{128}$',
        help: '公钥固定在应用中时填写，130位，以04开头',
      }),
    ),
    privateKey: optional(secret('SM2私钥', { pattern: '^[0-9a-fA-F]{64}$', help: '与公钥成对，64位；只写不读' })),
    clientStatus: dict('状态', enableStatus, { default: EnableStatus.enabled }),
  },
  { label: 'clientId', tenant: false },
)
export type Client = Row<typeof Client>

declare module '#engine' {
  interface Entities {
    client: typeof Client
  }
}
