import { resource } from '#engine'
import { DataScope } from '../../schemas/system/data-scope.ts'

export const dataScope = resource(DataScope, {
  path: '/blade-system/data-scope',
  route: '/system/datascope',
  calls: { list: 'GET list' },
  columns: ['resourceCode', 'scopeName', 'scopeField', 'scopeClass', 'scopeColumn', 'scopeType'],
  search: ['resourceCode', 'scopeName', 'scopeType', 'createTime'],
})
