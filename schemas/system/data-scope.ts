import { dict, entity, optional, type Row, ref, text } from '#engine'
import { dataScopeType } from '../dictionaries.ts'

export const DataScope = entity(
  'data-scope',
  '数据权限',
  {
    menuId: ref('菜单', 'menu'),
    resourceCode: text('资源编号', { maxLength: 100 }),
    scopeName: text('权限名称', { maxLength: 50 }),
    scopeField: text('可见字段'),
    scopeClass: text('权限标识'),
    scopeColumn: optional(text('权限列', { maxLength: 50 })),
    scopeType: dict('规则类型', dataScopeType),
    scopeValue: optional(text('规则值', { maxLength: 2000 })),
    remark: optional(text('备注')),
  },
  { label: 'scopeName', tenant: false },
)
export type DataScope = Row<typeof DataScope>
