import { resource } from '#engine'
import { TenantPackage } from '../../schemas/system/tenant-package.ts'

export const tenantPackage = resource(TenantPackage, {
  path: '/blade-system/tenant-package',
  route: '/system/tenantpackage',
  can: ['add', 'edit', 'remove'],
  columns: ['packageName', 'menuId', 'remark'],
  search: ['packageName', 'createTime'],
})
