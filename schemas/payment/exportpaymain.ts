import { dateTime, entity, file, filled, integer, money, optional, type Row, ref, state, text } from '#engine'
import { taskStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Exportpaymain = entity(
  'exportpaymain',
  '缴费导出批次',
  {
    batchNo: filled(text('批次号', { maxLength: 32, unique: true })),
    examId: ref('考试', 'examination'),
    itemId: optional(ref('考试项目', 'examinationitem', { within: 'examId' })),
    startTime: dateTime('缴费起'),
    endTime: dateTime('缴费止'),
    totalNum: filled(integer('笔数', { minimum: 0 })),
    totalAmount: filled(money('收款合计')),
    refundAmount: filled(money('退款合计')),
    file: filled(optional(file('导出文件'))),
    sha256: filled(optional(text('文件摘要', { maxLength: 64 }))),
    rowsDigest: filled(optional(text('明细总摘要', { maxLength: 64 }))),
    exportUser: filled(ref('导出人', 'user')),
    exportTime: filled(dateTime('导出时间')),
    exportStatus: state('状态', taskStatus),
  },
  { label: 'batchNo', keep: keeping.office },
)
export type Exportpaymain = Row<typeof Exportpaymain>

declare module '#engine' {
  interface Entities {
    exportpaymain: typeof Exportpaymain
  }
}
