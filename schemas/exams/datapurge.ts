import {
  date,
  dateTime,
  entity,
  file,
  filled,
  hidden,
  integer,
  json,
  optional,
  type Row,
  ref,
  state,
  text,
} from '#engine'
import { PurgeStatus, purgeStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What was counted, and what became of it. */
const counts = {
  rowNum: filled(integer('应清除条数', { minimum: 0, default: 0 })),
  fileNum: filled(integer('应清除文件数', { minimum: 0, default: 0 })),
  fileKB: filled(integer('文件大小(KB)', { minimum: 0, default: 0 })),
  doneNum: filled(integer('已清除条数', { minimum: 0, default: 0 })),
  doneFileNum: filled(integer('已清除文件数', { minimum: 0, default: 0 })),
  idsHash: filled(optional(text('主键清单摘要', { maxLength: 64 }))),
}

/** The erasure of what need not be kept of an exam any longer: counted, announced, confirmed by a second person, done, and recorded. */
export const Datapurge = entity(
  'datapurge',
  '资料清除',
  {
    examId: ref('考试', 'examination'),
    purgeStatus: state('状态', purgeStatus),
    dueDate: filled(date('清除日期')),
    ...counts,
    planUser: filled(optional(ref('计划人', 'user'))),
    planTime: filled(optional(dateTime('计划时间'))),
    confirmUser: filled(optional(ref('确认人', 'user'))),
    confirmTime: filled(optional(dateTime('确认时间'))),
    /** Statistics, seats and sums as they were before: they do not change. */
    figures: hidden(filled(optional(json<Readonly<Record<string, string>>>('清除前统计')))),
    cancelReason: filled(optional(text('取消原因', { maxLength: 200 }))),
    endTime: filled(optional(dateTime('完成时间'))),
    pdfFile: filled(optional(file('清除记录(PDF)'))),
    jsonFile: filled(optional(file('清除记录(JSON)'))),
    jsonHash: filled(optional(text('清除记录摘要', { maxLength: 64 }))),
  },
  {
    label: 'examId',
    uniques: [
      { fields: ['examId'], where: { purgeStatus: [PurgeStatus.draft, PurgeStatus.planned, PurgeStatus.running] } },
    ],
    keep: keeping.office,
  },
)
export type Datapurge = Row<typeof Datapurge>

declare module '#engine' {
  interface Entities {
    datapurge: typeof Datapurge
  }
}
