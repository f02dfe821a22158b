import { resource } from '#engine'
import { Menu } from '../../schemas/system/menu.ts'

export const menu = resource(Menu, {
  path: '/blade-system/menu',
  route: '/system/menu',
  calls: { list: 'GET list' },
  columns: [{ field: 'name', width: 240 }, 'code', 'path', 'source', 'category', 'sort'],
  search: ['name', 'code', 'category', 'createTime'],
  filters: ['alias', 'path', 'source', 'action', 'isOpen', 'remark'],
  names: { parentName: 'parentId', categoryName: 'category', actionName: 'action', isOpenName: 'isOpen' },
  sort: 'sort',
  tree: { parent: 'parentId' },
  actions: {
    tidy: { label: '整理菜单', on: 'toolbar', call: 'GET tidy', open: '/system/menu/tidy' },
  },
  children: { 'api-scope': { label: '接口权限', by: 'menuId', in: 'form' } },
})
