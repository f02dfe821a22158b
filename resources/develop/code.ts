import { resource } from '#engine'
import { Code } from '../../schemas/develop/code.ts'

export const code = resource(Code, {
  path: '/blade-develop/code',
  route: '/develop/code',
  calls: { list: 'GET list' },
  columns: ['modelId', 'serviceName', 'codeName', 'tableName', 'packageName', 'templateType'],
  search: ['serviceName', 'codeName', 'createTime'],
})
