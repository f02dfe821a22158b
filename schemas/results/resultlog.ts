import { decimal, dict, entity, filled, optional, type Row, ref, text } from '#engine'
import { resultChange, resultFlag } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What became of a score after it was first written. A removed score leaves its last values here. */
export const Resultlog = entity(
  'resultlog',
  '成绩变更记录',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    signupId: filled(ref('报名', 'signup')),
    ticketNo: filled(text('准考证号', { maxLength: 30 })),
    changeType: filled(dict('变更方式', resultChange)),
    oldScore: filled(optional(decimal('原成绩'))),
    oldAddScore: filled(optional(decimal('原加分'))),
    oldFlag: filled(optional(dict('原标记', resultFlag))),
    score: filled(optional(decimal('新成绩'))),
    addScore: filled(optional(decimal('新加分'))),
    resultFlag: filled(optional(dict('新标记', resultFlag))),
  },
  { label: 'ticketNo', about: 'signupId', purpose: '说明成绩何时改过', keep: keeping.hiring },
)
export type Resultlog = Row<typeof Resultlog>

declare module '#engine' {
  interface Entities {
    resultlog: typeof Resultlog
  }
}
