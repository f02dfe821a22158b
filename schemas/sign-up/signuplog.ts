import { dateTime, dict, entity, filled, list, optional, type Row, ref, structured, text } from '#engine'
import { signAction } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'
import { changeShape } from './signup-json.ts'

export const Signuplog = entity(
  'signuplog',
  '报名变更记录',
  {
    signupId: filled(ref('报名', 'signup')),
    action: filled(dict('动作', signAction)),
    diff: structured('差异', list(changeShape)),
    consentVersion: filled(optional(text('告知版本', { maxLength: 10 }))),
    /** Empty for what the program does by itself. */
    userId: filled(optional(ref('操作人', 'user'))),
    time: filled(dateTime('时间')),
    ip: filled(optional(text('IP', { maxLength: 64 }))),
  },
  {
    label: 'signupId',
    indexes: [['signupId', 'time']],
    about: 'signupId',
    purpose: '说明报名信息何时由谁改过',
    keep: keeping.along,
  },
)
export type Signuplog = Row<typeof Signuplog>

declare module '#engine' {
  interface Entities {
    signuplog: typeof Signuplog
  }
}
