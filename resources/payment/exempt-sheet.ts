import { sheet } from '#engine'
import { Payrecord } from '../../schemas/payment/payrecord.ts'

/** People of a stage who need not pay; one proof stands for the whole list. */
export const exemptSheet = sheet(Payrecord, {
  title: '免缴名单',
  version: 'payexempt-1',
  fixed: ['itemId', 'exemptFile'],
  key: ['idCard'],
  columns: [
    { field: 'idCard', width: 24 },
    { field: 'name', role: 'same', required: true, width: 14, differs: '姓名与缴费记录不符' },
    { field: 'exemptReason', required: true, width: 40, help: '例如：城乡低保家庭' },
  ],
})
