import { dict, entity, filled, flag, integer, optional, type Row, ref, text } from '#engine'
import { examSubject } from '../dictionaries.ts'

export const Examroom = entity(
  'examroom',
  '考场',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    itemId: ref('考试项目', 'examinationitem', { within: 'examId' }),
    schoolId: ref('考点', 'school'),
    roomNo: text('考场号', { maxLength: 10 }),
    roomName: optional(text('教室', { maxLength: 50 })),
    rows: optional(integer('排数', { minimum: 0 })),
    cols: optional(integer('列数', { minimum: 0 })),
    capacity: integer('座位数', { minimum: 0, default: 30 }),
    reserve: optional(integer('预留座位', { minimum: 0 })),
    subject: optional(dict('科目', examSubject)),
    isSpecial: flag('特殊考场'),
    usedNum: filled(optional(integer('已用', { minimum: 0 }))),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'roomNo', version: true, history: true, uniques: [['itemId', 'schoolId', 'roomNo']] },
)
export type Examroom = Row<typeof Examroom>

declare module '#engine' {
  interface Entities {
    examroom: typeof Examroom
  }
}
