import { resource } from '#engine'
import { Topmenu } from '../../schemas/system/topmenu.ts'

export const topmenu = resource(Topmenu, {
  path: '/blade-system/topmenu',
  route: '/system/topmenu',
  calls: { list: 'GET list' },
  columns: ['code', 'name', 'source', 'sort'],
  search: ['code', 'name', 'createTime'],
  sort: 'sort',
})
