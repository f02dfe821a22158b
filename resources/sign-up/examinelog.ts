import { anyOf, resource, through, wide } from '#engine'
import { Examinelog } from '../../schemas/sign-up/examinelog.ts'

export const examinelog = resource(Examinelog, {
  path: '/blade-signup/examinelog',
  can: ['view'],
  columns: ['signupId', 'signup.signNo', 'signup.examId', 'stage', 'result', 'remark', 'userId', 'time', 'durationSec'],
  search: ['signupId', 'signup.signNo', 'signup.examId', 'stage', 'result', 'userId', 'time', 'createTime'],
  sort: '-time',
  scope: anyOf(through('signupId'), wide('auditors read the reviews of every exam', ['auditor'])),
})
