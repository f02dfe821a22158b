import { dict, entity, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, oss } from '../dictionaries.ts'

export const Oss = entity(
  'oss',
  '对象存储配置',
  {
    category: dict('分类', oss),
    ossCode: text('资源编号', { maxLength: 32, unique: true }),
    endpoint: optional(text('资源地址', { format: 'uri' })),
    transformEndpoint: optional(text('外网地址', { format: 'uri' })),
    bucketName: optional(text('空间名')),
    accessKey: optional(secret('accessKey')),
    secretKey: optional(secret('secretKey')),
    appId: optional(text('应用ID', { maxLength: 64 })),
    region: optional(text('地域', { maxLength: 64 })),
    ossStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  { label: 'ossCode' },
)
export type Oss = Row<typeof Oss>
