import { dateTime, dict, entity, filled, integer, optional, type Row, ref, state, text } from '#engine'
import { promotionStatus, recruitUnit } from '../dictionaries.ts'
import { positionCode } from '../exams/position-code.ts'
import { keeping } from '../keeping.ts'

/** That the next in rank of a position move up to the shortlist of a stage; who they are is said by their results. */
export const Promotion = entity(
  'promotion',
  '递补',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    unit: filled(dict('单位', recruitUnit)),
    code: filled(text('岗位代码', positionCode)),
    num: filled(integer('递补人数', { minimum: 1 })),
    reason: text('递补原因', { maxLength: 200 }),
    until: dateTime('确认截止', { help: '递补人员须在此前登录确认，逾期视为放弃' }),
    promotionStatus: state('状态', promotionStatus),
    askUser: filled(ref('提出人', 'user')),
    confirmUser: filled(optional(ref('确认人', 'user'))),
    confirmTime: filled(optional(dateTime('确认时间'))),
    dropReason: filled(optional(text('不递补的原因', { maxLength: 200 }))),
  },
  { label: 'code', version: true, history: true, keep: keeping.hiring },
)
export type Promotion = Row<typeof Promotion>

declare module '#engine' {
  interface Entities {
    promotion: typeof Promotion
  }
}
