import { dict, entity, integer, optional, type Row, ref, richText } from '#engine'
import { ticketRemarkType } from '../dictionaries.ts'

export const Ticketremark = entity('ticketremark', '准考证备注/考生须知', {
  examId: ref('考试', 'examination'),
  itemId: optional(ref('考试项目', 'examinationitem')),
  ticketId: optional(ref('准考证', 'examinationticket')),
  remarkType: dict('备注类型', ticketRemarkType),
  content: richText('内容'),
  sort: optional(integer('排序', { minimum: 0 })),
})
export type Ticketremark = Row<typeof Ticketremark>
