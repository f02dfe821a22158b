import { text } from '#engine'
import { AccountStatus } from '../../schemas/dictionaries.ts'

/** The life of an account: its lock, the decision about a registration, and whether it may be used. */
export const accountActions = {
  unlock: { label: '解锁', on: 'rows', call: 'POST unlock?userIds', confirm: '确定解锁所选账号?' },
  resetFactor: {
    label: '重置动态验证码',
    on: 'rows',
    call: 'POST reset-factor?userIds',
    confirm: '所选账号将退出登录，原动态验证码和恢复码立即失效，确定重置?',
    code: 'factor',
  },
  auditPass: {
    label: '通过注册',
    on: 'rows',
    call: 'POST audit-pass?userIds',
    confirm: '确定通过所选注册申请?',
    when: { accountStatus: AccountStatus.pending },
    code: 'audit',
  },
  auditRefuse: {
    label: '驳回注册',
    on: 'rows',
    call: 'POST audit-refuse?userIds,remark',
    ask: { remark: text('审核意见') },
    when: { accountStatus: AccountStatus.pending },
    code: 'audit',
    danger: true,
  },
  disable: {
    label: '停用',
    call: 'POST changeStatus?id,status=2',
    confirm: '停用后该账号立即退出登录，确定停用?',
    when: { accountStatus: AccountStatus.active },
    code: 'status',
    danger: true,
  },
  enable: {
    label: '启用',
    call: 'POST changeStatus?id,status=1',
    confirm: '确定启用该账号?',
    when: { accountStatus: AccountStatus.disabled },
    code: 'status',
  },
} as const
