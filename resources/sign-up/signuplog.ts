import { anyOf, resource, through, wide } from '#engine'
import { Signuplog } from '../../schemas/sign-up/signuplog.ts'

export const signuplog = resource(Signuplog, {
  path: '/blade-signup/signuplog',
  can: ['view'],
  columns: ['signupId', 'signup.signNo', 'signup.examId', 'action', 'userId', 'time'],
  search: ['signupId', 'signup.signNo', 'signup.examId', 'createTime'],
  sort: '-time',
  scope: anyOf(through('signupId'), wide('auditors read the changes of every sign-up', ['auditor'])),
})
