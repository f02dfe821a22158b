import { resource } from '#engine'
import { Tenant } from '../../schemas/system/tenant.ts'

export const tenant = resource(Tenant, {
  path: '/blade-system/tenant',
  route: '/system/tenant',
  columns: [
    'tenantId',
    'tenantName',
    'domain',
    'linkman',
    'contactNumber',
    'accountNumber',
    'expireTime',
    { field: 'tenantStatus', as: 'tag' },
  ],
  search: ['tenantId', 'domain', 'tenantName', 'tenantStatus', 'createTime'],
})
