import { resource } from '#engine'
import { DictBiz } from '../../schemas/system/dict-biz.ts'

export const dictBiz = resource(DictBiz, {
  path: '/blade-system/dict-biz',
  route: '/dict-vertical/index',
  calls: { list: 'GET parent-list' },
  columns: ['code', 'dictValue', 'dictKey', 'sort', 'isSealed', 'remark'],
  search: ['code', 'dictValue', 'createTime'],
  filters: ['dictKey', 'isSealed', 'remark'],
  names: { parentName: 'parentId' },
  sort: 'sort',
  main: 'all',
  children: { 'dict-biz': { label: '字典项', by: 'parentId' } },
})
