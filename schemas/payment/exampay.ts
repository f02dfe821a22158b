import { dateTime, entity, filled, money, optional, type Row, ref, state, text } from '#engine'
import { exampayStatus } from '../dictionaries.ts'

export const Exampay = entity(
  'exampay',
  '考试缴费设置',
  {
    examId: ref('考试', 'examination'),
    itemId: ref('考试项目', 'examinationitem', { within: 'examId', unique: true }),
    payName: text('缴费名称', { maxLength: 100 }),
    amount: money('金额', { minimum: 1 }),
    startTime: dateTime('缴费开始'),
    endTime: dateTime('缴费结束'),
    exemptRule: optional(text('减免说明', { maxLength: 500 })),
    payStatus: state('状态', exampayStatus),
    releaseTime: filled(optional(dateTime('发布时间'))),
    basis: optional(text('收费依据')),
  },
  { label: 'payName', history: true },
)
export type Exampay = Row<typeof Exampay>

declare module '#engine' {
  interface Entities {
    exampay: typeof Exampay
  }
}
