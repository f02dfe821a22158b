import { refs, resource, text } from '#engine'
import { User } from '../../schemas/system/user.ts'

const columns = [
  'account',
  'realName',
  'name',
  'phone',
  'roleId',
  'deptId',
  'userType',
  { field: 'accountStatus', as: 'tag' },
  'lockUntil',
  'lastLoginTime',
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
  form,
  actions: {
    grant: {
      label: '角色配置',
      on: 'rows',
      call: 'POST grant?userIds,roleIds',
      ask: { roleIds: refs('角色', 'role') },
      code: 'role',
    },
    resetPassword: {
      label: '密码重置',
      on: 'rows',
      call: 'POST reset-password?userIds',
      confirm: '确定重置所选账号的密码?',
      code: 'reset',
    },
    platform: { label: '平台配置', call: 'POST update-platform', open: '/system/user/platform/:id' },
    unlock: { label: '解锁', on: 'rows', call: 'POST unlock?userIds', confirm: '确定解锁所选账号?' },
    auditPass: {
      label: '通过注册',
      on: 'rows',
      call: 'POST audit-pass?userIds',
      confirm: '确定通过所选注册申请?',
      when: { accountStatus: 3 },
      code: 'audit',
    },
    auditRefuse: {
      label: '驳回注册',
      on: 'rows',
      call: 'POST audit-refuse?userIds,remark',
      ask: { remark: text('审核意见') },
      when: { accountStatus: 3 },
      code: 'audit',
      danger: true,
    },
    disable: {
      label: '停用',
      call: 'POST changeStatus?id,status=2',
      confirm: '停用后该账号立即退出登录，确定停用?',
      when: { accountStatus: 1 },
      code: 'status',
      danger: true,
    },
    enable: {
      label: '启用',
      call: 'POST changeStatus?id,status=1',
      confirm: '确定启用该账号?',
      when: { accountStatus: 2 },
      code: 'status',
    },
  },
})
