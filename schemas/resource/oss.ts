import { dict, entity, optional, type Row, secret, state, text } from '#engine'
import { enableStatus, OssVendor, oss } from '../dictionaries.ts'

/** Everywhere but in the server's own folder. */
const remote = { category: { not: OssVendor.local } } as const

export const Oss = entity(
  'oss',
  '对象存储配置',
  {
    category: dict('分类', oss),
    ossCode: text('资源编号', { maxLength: 32, unique: true }),
    endpoint: optional(
      text('资源地址', {
        format: 'uri',
        help: '如 https://oss-cn-hangzhou.aliyuncs.com；主机须列在系统参数 oss.hosts 中',
      }),
    ),
    transformEndpoint: optional(text('外网地址', { format: 'uri' })),
    bucketName: optional(text('空间名')),
    accessKey: optional(secret('accessKey', { help: '只写不读，修改时留空即不变' })),
    secretKey: optional(secret('secretKey', { help: '只写不读，修改时留空即不变' })),
    appId: optional(text('应用ID', { maxLength: 64 })),
    region: optional(text('地域', { maxLength: 64, help: '如 oss-cn-hangzhou；MinIO 可不填' })),
    ossStatus: state('状态', enableStatus),
    remark: optional(text('备注')),
  },
  {
    label: 'ossCode',
    requiredWhen: { endpoint: remote, bucketName: remote, accessKey: remote, secretKey: remote },
  },
)
export type Oss = Row<typeof Oss>

declare module '#engine' {
  interface Entities {
    oss: typeof Oss
  }
}
