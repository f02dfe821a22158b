import { resource } from '#engine'
import { Topmenu } from '../../schemas/system/topmenu.ts'

export const topmenu = resource(Topmenu, {
  path: '/blade-system/topmenu',
  route: '/system/topmenu',
  calls: { list: 'GET list' },
  columns: ['code', 'name', 'source', 'sort'],
  search: ['code', 'name', 'createTime'],
  filters: ['source', 'path', 'sort'],
  sort: 'sort',
  actions: {
    grant: { label: '菜单配置', call: 'POST grant', open: '/system/topmenu/grant/:id', code: 'setting' },
  },
})
