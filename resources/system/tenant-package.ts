import { resource } from '#engine'
import { TenantPackage } from '../../schemas/system/tenant-package.ts'

export const tenantPackage = resource(TenantPackage, {
  path: '/blade-system/tenant-package',
  route: '/system/tenantpackage',
  calls: { list: 'GET list' },
  can: ['add', 'edit', 'remove'],
  columns: [
    { field: 'packageName', width: 200 },
    { field: 'menuId', width: 480 },
    { field: 'remark', width: 240 },
  ],
  search: ['packageName', 'createTime'],
  filters: ['remark'],
  main: 'all',
  form: ['packageName', { field: 'menuId', span: 24 }, { field: 'remark', span: 24 }],
})
