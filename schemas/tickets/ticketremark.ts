import { dict, entity, integer, optional, type Row, ref, richText } from '#engine'
import { ticketRemarkType } from '../dictionaries.ts'

export const Ticketremark = entity(
  'ticketremark',
  '准考证备注/考生须知',
  {
    examId: ref('考试', 'examination'),
    itemId: optional(ref('考试项目', 'examinationitem', { within: 'examId', help: '不选则用于该考试的所有项目' })),
    ticketId: optional(ref('准考证', 'examinationticket', { within: 'examId', help: '不选则用于所有人' })),
    remarkType: dict('备注类型', ticketRemarkType),
    content: richText('内容', { help: '考生须知和个别提示印在准考证上；考生须知代替系统自带的须知' }),
    sort: optional(integer('排序', { minimum: 0 })),
  },
  { history: true },
)
export type Ticketremark = Row<typeof Ticketremark>

declare module '#engine' {
  interface Entities {
    ticketremark: typeof Ticketremark
  }
}
