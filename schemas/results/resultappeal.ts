import { dateTime, decimal, entity, filled, optional, type Row, ref, state, text } from '#engine'
import { appealStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Resultappeal = entity(
  'resultappeal',
  '成绩复核申请',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    resultId: filled(ref('考生', 'result')),
    signupId: filled(ref('报名', 'signup')),
    oldScore: filled(optional(decimal('申请时成绩'))),
    reason: filled(text('申请理由', { maxLength: 500 })),
    appealStatus: state('状态', appealStatus),
    reply: filled(optional(text('答复', { maxLength: 500 }))),
    handleUser: filled(optional(ref('处理人', 'user'))),
    handleTime: filled(optional(dateTime('处理时间'))),
  },
  { label: 'reason', uniques: [['resultId']], about: 'signupId', purpose: '答复成绩复核申请', keep: keeping.hiring },
)
export type Resultappeal = Row<typeof Resultappeal>

declare module '#engine' {
  interface Entities {
    resultappeal: typeof Resultappeal
  }
}
