import { dict, entity, json, optional, type Row, ref, text } from '#engine'
import { dataScopeType } from '../dictionaries.ts'

export const DataScope = entity(
  'data-scope',
  '数据权限',
  {
    menuId: ref('菜单', 'menu'),
    resourceCode: text('资源编号', { maxLength: 100, unique: true, pattern: '^[A-Za-z0-9_.:-]+$' }),
    scopeName: text('权限名称', { maxLength: 50 }),
    scopeField: text('可见字段', { default: '*', pattern: '^\\*$', help: '* 表示全部字段' }),
    scopeClass: text('权限标识', { help: '规则作用的数据，如 user、examination' }),
    scopeColumn: optional(text('权限列', { maxLength: 50, help: '留空时本人按创建人、机构按创建机构' })),
    scopeType: dict('规则类型', dataScopeType),
    scopeValue: optional(json('规则值', { help: '仅自定义规则需要，如 {"examStatus":[1,2],"createUser":"$caller"}' })),
    remark: optional(text('备注')),
  },
  { label: 'scopeName', tenant: false },
)
export type DataScope = Row<typeof DataScope>

declare module '#engine' {
  interface Entities {
    'data-scope': typeof DataScope
  }
}
