import { sheet, text } from '#engine'
import { Examination } from '../../schemas/exams/examination.ts'
import { Payrecord } from '../../schemas/payment/payrecord.ts'

const { examName } = Examination.properties

/** Invoices that are asked for; the sheet comes back with their numbers. */
export const invoiceSheet = sheet(Payrecord, {
  title: '待开票',
  version: 'invoice-1',
  key: ['id'],
  extra: { id: text('记录编号', { help: '用于对应缴费记录，请勿修改' }), examName },
  columns: [
    { field: 'id', width: 24 },
    { field: 'examName', title: '考试', role: 'shown', width: 32 },
    { field: 'name', role: 'shown', width: 12 },
    { field: 'payTime', role: 'shown', width: 20 },
    { field: 'amount', title: '金额(元)', role: 'shown', width: 12 },
    { field: 'invoiceType', role: 'shown', width: 10 },
    { field: 'invoiceTitle', role: 'shown', width: 32 },
    { field: 'taxNo', role: 'shown', width: 24 },
    { field: 'invoiceEmail', role: 'shown', width: 28 },
    { field: 'invoiceNo', required: true, width: 24 },
  ],
})
