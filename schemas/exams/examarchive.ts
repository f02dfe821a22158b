import { dateTime, entity, filled, optional, type Row, ref, state, text } from '#engine'
import { ExamarchiveStatus, examarchiveStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** That the archive of an exam is made with whole numbers and papers: one person asks for it, another one confirms. */
export const Examarchive = entity(
  'examarchive',
  '完整归档包',
  {
    examId: filled(ref('考试', 'examination')),
    reason: filled(text('用途', { maxLength: 255 })),
    examarchiveStatus: state('状态', examarchiveStatus),
    askUser: filled(ref('提出人', 'user')),
    confirmUser: filled(optional(ref('确认人', 'user'))),
    confirmTime: filled(optional(dateTime('确认时间'))),
    dropReason: filled(optional(text('不生成的原因', { maxLength: 200 }))),
  },
  {
    label: 'examId',
    uniques: [{ fields: ['examId'], where: { examarchiveStatus: ExamarchiveStatus.pending } }],
    history: true,
    keep: keeping.office,
  },
)
export type Examarchive = Row<typeof Examarchive>

declare module '#engine' {
  interface Entities {
    examarchive: typeof Examarchive
  }
}
