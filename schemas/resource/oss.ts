import { dict, entity, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, oss } from '../dictionaries.ts'

export const Oss = entity(
  'oss',
  '对象存储配置',
  {
    category: dict('分类', oss),
    ossCode: text('资源编号', { maxLength: 32 }),
    endpoint: text('资源地址'),
    transformEndpoint: optional(text('外网地址')),
    bucketName: text('空间名'),
    accessKey: secret('accessKey'),
    secretKey: secret('secretKey'),
    appId: optional(text('应用ID', { maxLength: 64 })),
    region: optional(text('地域', { maxLength: 64 })),
    ossStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  { label: 'ossCode' },
)
export type Oss = Row<typeof Oss>
