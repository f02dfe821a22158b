import { resource } from '#engine'
import { ApiScope } from '../../schemas/system/api-scope.ts'

export const apiScope = resource(ApiScope, {
  path: '/blade-system/api-scope',
  route: '/system/apiscope',
  calls: { list: 'GET list' },
  columns: ['resourceCode', 'scopeName', 'scopePath', 'scopeType'],
  search: ['resourceCode', 'scopeName', 'scopeType', 'createTime'],
})
