import { resource } from '#engine'
import { DataScopeType } from '../../schemas/dictionaries.ts'
import { DataScope } from '../../schemas/system/data-scope.ts'

export const dataScope = resource(DataScope, {
  path: '/blade-system/data-scope',
  route: '/system/datascope',
  calls: { list: 'GET list' },
  setting: '权限配置',
  columns: ['menuId', 'scopeName', 'resourceCode', 'scopeClass', 'scopeType', 'scopeColumn', 'remark'],
  search: ['menuId', 'resourceCode', 'scopeName', 'scopeType', 'createTime'],
  filters: ['scopeClass', 'scopeColumn', 'scopeField', 'remark'],
  names: { menuName: 'menuId', scopeTypeName: 'scopeType' },
  form: [
    'menuId',
    'scopeName',
    'resourceCode',
    'scopeClass',
    'scopeType',
    'scopeColumn',
    { field: 'scopeValue', span: 24, when: { scopeType: DataScopeType.custom } },
    'scopeField',
    'remark',
  ],
})
