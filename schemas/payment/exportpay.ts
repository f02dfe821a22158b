import { dateTime, dict, entity, filled, flag, money, optional, type Row, ref, text } from '#engine'
import { recruitUnit } from '../dictionaries.ts'

export const Exportpay = entity(
  'exportpay',
  '缴费导出明细',
  {
    mainId: filled(ref('批次', 'exportpaymain')),
    payRecordId: filled(ref('缴费记录', 'payrecord')),
    orderNo: filled(text('订单号', { maxLength: 32 })),
    transactionId: filled(optional(text('渠道订单号', { maxLength: 64 }))),
    name: filled(text('姓名', { maxLength: 20 })),
    unit: filled(optional(dict('单位', recruitUnit))),
    amount: filled(money('金额')),
    refundAmount: filled(money('退款')),
    payTime: filled(dateTime('缴费时间')),
    isInvoice: filled(flag('已开票')),
    digest: filled(optional(text('明细摘要', { maxLength: 64 }))),
  },
  { label: 'orderNo', indexes: [['mainId', 'payTime']] },
)
export type Exportpay = Row<typeof Exportpay>

declare module '#engine' {
  interface Entities {
    exportpay: typeof Exportpay
  }
}
