import { decidedShape, text } from '#engine'
import { AccountStatus } from '../../schemas/dictionaries.ts'

/** Further actions on accounts: their lock, and their second factor. */
export const accountActions = {
  unlock: {
    label: '解锁',
    on: 'rows',
    call: 'POST unlock?userIds',
    single: { lockUntil: { not: null } },
    confirm: '确定解锁所选账号?',
    answer: decidedShape,
  },
  resetFactor: {
    label: '重置动态验证码',
    on: 'rows',
    call: 'POST reset-factor?userIds',
    confirm: '所选账号将退出登录，原动态验证码和恢复码立即失效，确定重置?',
    code: 'factor',
  },
} as const

const notPending = '不是待审核状态'
const notActive = '不是启用状态'
const managed = '账号的角色不超出自身权限'
const notOneself = '不是本人的账号，其角色不超出自身权限'

/** The life of an account: the decision about a registration, and whether it may be used. */
export const accountTransitions = {
  auditPass: {
    label: '通过注册',
    on: 'rows',
    call: 'POST audit-pass?userIds',
    confirm: '确定通过所选注册申请?',
    when: { accountStatus: AccountStatus.pending },
    guard: managed,
    set: { accountStatus: AccountStatus.active, auditUser: '$caller', auditTime: '$now', auditRemark: null },
    skipped: notPending,
    code: 'audit',
  },
  auditRefuse: {
    label: '驳回注册',
    on: 'rows',
    call: 'POST audit-refuse?userIds,remark',
    when: { accountStatus: AccountStatus.pending },
    guard: managed,
    set: { accountStatus: AccountStatus.rejected, auditUser: '$caller', auditTime: '$now', auditRemark: '$reason' },
    reason: text('审核意见'),
    reasonAs: 'remark',
    skipped: notPending,
    code: 'audit',
    danger: true,
  },
  disable: {
    label: '停用',
    call: 'POST changeStatus?id,status=2',
    confirm: '停用后该账号立即退出登录，确定停用?',
    when: { accountStatus: AccountStatus.active },
    guard: notOneself,
    set: { accountStatus: AccountStatus.disabled },
    code: 'status',
    danger: true,
  },
  disableMany: {
    label: '停用',
    on: 'rows',
    call: 'POST disable?userIds',
    confirm: '停用后所选账号立即退出登录，确定停用?',
    when: { accountStatus: AccountStatus.active },
    guard: notOneself,
    set: { accountStatus: AccountStatus.disabled },
    skipped: notActive,
    done: '{{name}} 已停用',
    code: 'status',
    danger: true,
  },
  enable: {
    label: '启用',
    call: 'POST changeStatus?id,status=1',
    confirm: '确定启用该账号?',
    when: { accountStatus: AccountStatus.disabled },
    guard: managed,
    set: { accountStatus: AccountStatus.active },
    code: 'status',
  },
} as const
