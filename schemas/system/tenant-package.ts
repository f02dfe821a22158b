import { entity, optional, type Row, refs, text } from '#engine'

export const TenantPackage = entity(
  'tenant-package',
  '租户产品包',
  {
    packageName: text('产品包名称', { maxLength: 50 }),
    menuId: refs('菜单', 'menu', { help: '使用该产品包的租户最多能看到这些菜单，菜单的按钮随菜单' }),
    remark: optional(text('备注')),
  },
  { tenant: false },
)
export type TenantPackage = Row<typeof TenantPackage>

declare module '#engine' {
  interface Entities {
    'tenant-package': typeof TenantPackage
  }
}
