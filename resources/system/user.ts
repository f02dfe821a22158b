import { group, id, list, pick, refs, resource, sometimes, text, view } from '#engine'
import { AccountStatus, UserType } from '../../schemas/dictionaries.ts'
import { User } from '../../schemas/system/user.ts'
import { accountActions, accountTransitions } from './user-actions.ts'

const columns = [
  { field: 'realName', with: ['account'], width: 140 },
  { field: 'roleId', width: 120 },
  { field: 'accountStatus', as: 'tag', width: 100 },
  { field: 'deptId', width: 130 },
  { field: 'phone', width: 128 },
  { field: 'lastLoginTime', card: true, width: 110 },
  { field: 'name', folded: true },
  { field: 'userType', folded: true },
  { field: 'lockUntil', folded: true },
] as const

const form = {
  账号信息: ['account', 'password', 'userType', 'roleId'],
  个人信息: ['realName', 'name', 'idType', 'idCard', 'sex', 'birthday', 'phone', 'email', 'avatar'],
  任职信息: ['deptId', 'postId', 'code'],
} as const

export const user = resource(User, {
  path: '/blade-system/user',
  route: '/system/user',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  columns,
  search: ['account', 'realName', 'phone', 'idCard', 'userType', 'deptId', 'accountStatus', 'createTime'],
  find: ['realName', 'account', 'phone'],
  views: {
    工作人员: { userType: [UserType.staff, UserType.other] },
    考生: { userType: UserType.candidate },
    待审: { accountStatus: AccountStatus.pending },
    已停用: { accountStatus: AccountStatus.disabled },
    已锁定: { lockUntil: { since: '$now' } },
  },
  filters: ['name', 'email', 'code', 'sex', 'birthday', 'roleId', 'postId', 'idType', 'lastLoginTime'],
  names: {
    roleName: 'roleId',
    deptName: 'deptId',
    postName: 'postId',
    sexName: 'sex',
    userTypeName: 'userType',
    statusName: 'accountStatus',
  },
  bulk: ['deptId', 'postId'],
  form,
  actions: {
    grant: {
      label: '角色配置',
      on: 'rows',
      call: 'POST grant?userIds,roleIds',
      ask: { roleIds: refs('角色', 'role', { help: '所选角色将替换原有角色' }) },
      begin: { roleIds: 'roleId' },
      answer: group({ msg: sometimes(text('说明')) }),
      code: 'role',
    },
    addRole: {
      label: '加角色',
      on: 'rows',
      call: 'POST add-role?userIds,roleIds',
      single: false,
      ask: { roleIds: refs('角色', 'role', { help: '所选角色加到原有角色之外' }) },
      done: '{{name}} 已加角色',
      answer: group({ msg: sometimes(text('说明')) }),
      code: 'role',
    },
    resetPassword: {
      label: '密码重置',
      on: 'rows',
      call: 'POST reset-password?userIds',
      confirm: '确定重置所选账号的密码?',
      answer: list(group({ userId: id('用户'), ...pick(User, 'account').of, password: text('初始密码') })),
      code: 'reset',
    },
    platform: { label: '平台配置', call: 'POST update-platform', open: '/system/user/platform/:id' },
    ...accountActions,
  },
  transitions: accountTransitions,
})

/** Registrations that wait for somebody to decide: who somebody says they are, beside the ID card. */
export const registrations = view(user, 'audit', {
  title: '注册审核',
  code: 'useraudit',
  route: '/system/useraudit',
  where: { accountStatus: AccountStatus.pending },
  views: { 待审核: {}, 超过一天: { createTime: { before: '$today' } } },
  todos: { 待审核: { label: '待审核的注册', needs: 'user_audit', overdue: { createTime: { before: '$today' } } } },
  can: ['view'],
  columns: [
    'account',
    'realName',
    'idType',
    'idCard',
    'phone',
    'sex',
    'birthday',
    'cardFront',
    'cardBack',
    'createTime',
  ],
  search: ['account', 'realName', 'phone', 'idCard', 'createTime'],
  form: {
    身份信息: ['realName', 'idType', 'idCard', 'cardFront', 'cardBack'],
    联系方式: ['account', 'phone', 'email', 'avatar'],
  },
  buttons: ['auditPass', 'auditRefuse'],
})
