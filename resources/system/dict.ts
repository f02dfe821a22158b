import { resource } from '#engine'
import { Dict } from '../../schemas/system/dict.ts'

export const dict = resource(Dict, {
  path: '/blade-system/dict',
  route: '/dict-horizontal/index',
  calls: { list: 'GET parent-list' },
  columns: ['code', 'dictValue', 'dictKey', 'sort', 'isSealed', 'remark'],
  search: ['code', 'dictValue', 'createTime'],
  filters: ['dictKey', 'isSealed', 'remark'],
  names: { parentName: 'parentId' },
  sort: 'sort',
  main: 'all',
  children: { dict: { label: '字典项', by: 'parentId' } },
})
