import { dateTime, decimal, dict, entity, file, filled, integer, optional, type Row, ref, state, text } from '#engine'
import { recruitUnit, reduceDecision } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

export const Postreduction = entity(
  'postreduction',
  '岗位核减记录',
  {
    examId: filled(ref('考试', 'examination')),
    unit: filled(dict('单位', recruitUnit)),
    code: filled(text('岗位代码', positionCode)),
    beforeNum: filled(integer('原计划数', { minimum: 0 })),
    effectNum: filled(integer('有效人数', { minimum: 0 })),
    ratio: filled(decimal('开考比例')),
    afterNum: filled(integer('核减后计划数', { minimum: 0 })),
    decision: state('处理', reduceDecision),
    basis: filled(optional(text('依据/批文', { maxLength: 500 }))),
    file: filled(optional(file('批文附件'))),
    confirmUser: filled(optional(ref('确认人', 'user'))),
    confirmTime: filled(optional(dateTime('确认时间'))),
  },
  { label: 'code', uniques: [['examId', 'code']], keep: keeping.office },
)
export type Postreduction = Row<typeof Postreduction>

declare module '#engine' {
  interface Entities {
    postreduction: typeof Postreduction
  }
}
