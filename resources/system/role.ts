import { resource } from '#engine'
import { Role } from '../../schemas/system/role.ts'

/** Aliases of the roles that every installation has and the program relies on. */
export const builtinRoles: readonly string[] = [
  'administrator',
  'admin',
  'exam_admin',
  'reviewer',
  'rechecker',
  'finance',
  'proctor',
  'operator',
  'auditor',
  'candidate',
  'guest',
]

export const role = resource(Role, {
  path: '/blade-system/role',
  route: '/system/role',
  calls: { list: 'GET list' },
  columns: ['roleName', 'roleAlias', 'sort', 'isBack'],
  search: ['roleName', 'roleAlias', 'createTime'],
  filters: ['isBack', 'remark'],
  names: { parentName: 'parentId' },
  sort: 'sort',
  tree: { parent: 'parentId' },
  sealed: { roleAlias: builtinRoles },
  actions: {
    grant: { label: '权限设置', call: 'POST grant', open: '/system/role/grant/:id' },
  },
  transitions: {
    backOn: {
      label: '设为后台角色',
      call: 'POST backOn?id',
      when: { isBack: 0 },
      set: { isBack: 1 },
      code: 'back',
      undo: { call: 'POST backOff?id' },
    },
    backOff: {
      label: '取消后台角色',
      call: 'POST backOff?id',
      when: { isBack: 1 },
      set: { isBack: 0 },
      code: 'back',
      undo: { call: 'POST backOn?id' },
    },
  },
})
