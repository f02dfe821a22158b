import { dateTime, entity, filled, integer, optional, type Row, ref, state, text } from '#engine'
import { TenantStatus, tenantStatus } from '../dictionaries.ts'

export const Tenant = entity(
  'tenant',
  '租户',
  {
    tenantId: filled(text('租户编号', { maxLength: 12, unique: true })),
    tenantName: text('租户名称', { maxLength: 50 }),
    domain: optional(
      text('域名地址', {
        help: '只填域名，如 exam.example.org；考生用手机打开 https://域名 即进入本租户，不必填写租户编号',
      }),
    ),
    linkman: optional(text('联系人', { maxLength: 20 })),
    contactNumber: optional(text('联系电话', { maxLength: 20 })),
    address: optional(text('联系地址')),
    backgroundUrl: optional(text('登录背景', { maxLength: 1000 })),
    accountNumber: optional(integer('账号额度', { minimum: -1, default: -1, help: '-1 表示不限' })),
    expireTime: optional(dateTime('过期时间', { help: '留空表示长期有效，到期后不能登录' })),
    packageId: optional(ref('产品包', 'tenant-package')),
    datasourceId: optional(ref('数据源', 'datasource')),
    licenseKey: optional(text('授权码', { maxLength: 1000 })),
    tenantStatus: state('租户状态', tenantStatus, { default: TenantStatus.active }),
    recycleUser: filled(optional(ref('移入回收站的人', 'user'))),
    recycleTime: filled(optional(dateTime('移入回收站时间'))),
    dumpTime: filled(optional(dateTime('全部导出时间'))),
  },
  { label: 'tenantName', tenant: false },
)
export type Tenant = Row<typeof Tenant>

declare module '#engine' {
  interface Entities {
    tenant: typeof Tenant
  }
}
