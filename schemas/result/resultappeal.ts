import { dateTime, entity, filled, optional, type Row, ref, state, text } from '#engine'
import { appealStatus } from '../dictionaries.ts'

export const Resultappeal = entity(
  'resultappeal',
  '成绩复核申请',
  {
    resultId: ref('成绩', 'result'),
    signupId: filled(ref('报名', 'signup')),
    reason: text('申请理由', { maxLength: 500 }),
    appealStatus: state('状态', appealStatus),
    reply: filled(optional(text('答复', { maxLength: 500 }))),
    handleUser: filled(optional(ref('处理人', 'user'))),
    handleTime: filled(optional(dateTime('处理时间'))),
  },
  { label: 'reason', uniques: [['resultId']] },
)
export type Resultappeal = Row<typeof Resultappeal>
