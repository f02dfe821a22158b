import { resource } from '#engine'
import { ApiScope } from '../../schemas/system/api-scope.ts'

export const apiScope = resource(ApiScope, {
  path: '/blade-system/api-scope',
  route: '/system/apiscope',
  calls: { list: 'GET list' },
  setting: '权限配置',
  columns: ['menuId', 'scopeName', 'resourceCode', { field: 'scopePath', width: 320 }, 'scopeType', 'remark'],
  search: ['menuId', 'resourceCode', 'scopeName', 'scopePath', 'scopeType', 'createTime'],
  filters: ['remark'],
  names: { menuName: 'menuId', scopeTypeName: 'scopeType' },
  form: ['menuId', 'scopeName', 'resourceCode', 'scopeType', { field: 'scopePath', span: 24 }, 'remark'],
})
