import { dateTime, filled, flag, integer, optional, ref, state, text } from '#engine'
import { AccountStatus, accountStatus } from '../dictionaries.ts'

/** Whether an account may be used: its state, lock, password, last login and who passed its registration. */
export const accountFields = {
  accountStatus: state('账号状态', accountStatus, { default: AccountStatus.active }),
  lockUntil: filled(optional(dateTime('锁定至'))),
  failCount: filled(optional(integer('连续失败次数', { minimum: 0 }))),
  mustChangePwd: filled(flag('须改密')),
  pwdUpdateTime: filled(optional(dateTime('密码更新时间'))),
  lastLoginTime: filled(optional(dateTime('最近登录'))),
  lastLoginIp: filled(optional(text('最近登录IP', { maxLength: 64 }))),
  auditRemark: filled(optional(text('注册审核意见'))),
  auditUser: filled(optional(ref('注册审核人', 'user'))),
  auditTime: filled(optional(dateTime('注册审核时间'))),
}
