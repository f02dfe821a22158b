import { dict, entity, optional, type Row, ref, text } from '#engine'
import { apiScopeType } from '../dictionaries.ts'

export const ApiScope = entity(
  'api-scope',
  '接口权限',
  {
    menuId: ref('菜单', 'menu'),
    resourceCode: text('资源编号', { maxLength: 100 }),
    scopeName: text('权限名称', { maxLength: 50 }),
    scopePath: text('接口地址'),
    scopeType: dict('接口类型', apiScopeType),
    remark: optional(text('备注')),
  },
  { label: 'scopeName', tenant: false },
)
export type ApiScope = Row<typeof ApiScope>
