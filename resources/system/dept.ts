import { resource } from '#engine'
import { Dept } from '../../schemas/system/dept.ts'

export const dept = resource(Dept, {
  path: '/blade-system/dept',
  route: '/system/dept',
  calls: { list: 'GET list' },
  columns: [{ field: 'deptName', width: 260 }, 'fullName', 'deptCategory', 'sort'],
  search: ['deptCategory', 'deptName', 'createTime'],
  filters: ['fullName', 'unitCode', 'remark'],
  names: { parentName: 'parentId', deptCategoryName: 'deptCategory' },
  sort: 'sort',
  tree: { parent: 'parentId' },
})
