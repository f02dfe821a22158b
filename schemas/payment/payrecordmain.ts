import { entity, filled, integer, money, optional, type Row, ref, state, text } from '#engine'
import { paymainStatus } from '../dictionaries.ts'

export const Payrecordmain = entity(
  'payrecordmain',
  '缴费批次',
  {
    examId: filled(ref('考试', 'examination')),
    itemId: filled(ref('考试项目', 'examinationitem', { within: 'examId' })),
    exampayId: filled(ref('缴费设置', 'exampay')),
    mainName: filled(text('批次名称', { maxLength: 100 })),
    totalNum: filled(optional(integer('应缴人数', { minimum: 0 }))),
    paidNum: filled(optional(integer('已缴人数', { minimum: 0 }))),
    exemptNum: filled(optional(integer('免缴人数', { minimum: 0 }))),
    totalAmount: filled(optional(money('应缴金额'))),
    paidAmount: filled(optional(money('实缴金额'))),
    refundAmount: filled(optional(money('退款金额'))),
    mainStatus: state('批次状态', paymainStatus),
  },
  { label: 'mainName' },
)
export type Payrecordmain = Row<typeof Payrecordmain>

declare module '#engine' {
  interface Entities {
    payrecordmain: typeof Payrecordmain
  }
}
