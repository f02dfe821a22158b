import { dict, entity, optional, type Row, ref, text } from '#engine'
import { apiScopeType } from '../dictionaries.ts'

export const ApiScope = entity(
  'api-scope',
  '接口权限',
  {
    menuId: ref('菜单', 'menu'),
    resourceCode: text('资源编号', { maxLength: 100, unique: true, pattern: '^[A-Za-z0-9_.:-]+$' }),
    scopeName: text('权限名称', { maxLength: 50 }),
    scopePath: text('接口地址', {
      pattern: '^/api(/[A-Za-z0-9_-]+)+$',
      help: '完整地址，如 /api/blade-system/user/remove；登记后只有被授予的角色可以调用',
    }),
    scopeType: dict('接口类型', apiScopeType),
    remark: optional(text('备注')),
  },
  { label: 'scopeName', tenant: false },
)
export type ApiScope = Row<typeof ApiScope>

declare module '#engine' {
  interface Entities {
    'api-scope': typeof ApiScope
  }
}
