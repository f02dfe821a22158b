import { resource } from '#engine'
import { Datasource } from '../../schemas/develop/datasource.ts'

export const datasource = resource(Datasource, {
  path: '/blade-develop/datasource',
  route: '/develop/datasource',
  calls: { list: 'GET list' },
  columns: ['category', 'name', 'driverClass', 'url', 'username', 'remark'],
  search: ['name', 'createTime'],
})
