import { dateTime, entity, filled, integer, optional, type Row, ref, state, text } from '#engine'
import { tenantStatus } from '../dictionaries.ts'

export const Tenant = entity(
  'tenant',
  '租户',
  {
    tenantId: filled(text('租户编号', { maxLength: 12, unique: true })),
    datasourceId: optional(text('数据源', { maxLength: 20 })),
    packageId: optional(ref('产品包', 'tenant-package')),
    domain: optional(text('域名地址')),
    tenantName: text('租户名称', { maxLength: 50 }),
    backgroundUrl: optional(text('登录背景', { maxLength: 1000 })),
    linkman: optional(text('联系人', { maxLength: 20 })),
    contactNumber: optional(text('联系电话', { maxLength: 20 })),
    address: optional(text('联系地址')),
    accountNumber: optional(integer('账号额度')),
    expireTime: optional(dateTime('过期时间')),
    licenseKey: optional(text('授权码', { maxLength: 1000 })),
    tenantStatus: state('租户状态', tenantStatus, { default: 1 }),
  },
  { label: 'tenantName', tenant: false },
)
export type Tenant = Row<typeof Tenant>
