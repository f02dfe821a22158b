import { resource, text, view } from '#engine'
import { InvoiceStatus, PayState } from '../../schemas/dictionaries.ts'
import { Payrecord } from '../../schemas/payment/payrecord.ts'
import { byExam, money } from '../scopes.ts'
import { exemptActions } from './payrecord-exempt.ts'
import { invoiceActions } from './payrecord-invoice.ts'

export const payrecord = resource(Payrecord, {
  path: '/blade-payrecord/payrecord',
  route: '/pay/record',
  can: ['view', 'edit', 'export'],
  instead: {
    add: '缴费记录由发布缴费（exampay/releasePay）生成，不能新增',
    remove: '缴费记录不能删除；尚无人缴费时由撤回缴费（exampay/deletePay）一并撤销',
  },
  totals: ['amount'],
  columns: [
    'examId',
    'itemId',
    'name',
    'idCard',
    'phone',
    'unit',
    'code',
    'amount',
    { field: 'payState', as: 'tag' },
    'payTime',
    'channel',
    'isInvoice',
    { field: 'invoiceStatus', as: 'tag' },
    'invoiceTitle',
    'invoiceNo',
  ],
  search: [
    'examId',
    'itemId',
    'userId',
    'name',
    'idCard',
    'unit',
    'code',
    'payState',
    'payTime',
    'channel',
    'isInvoice',
    'invoiceStatus',
    'createTime',
  ],
  owner: {
    field: 'userId',
    where: {},
    fields: [
      'examId',
      'itemId',
      'signupId',
      'name',
      'unit',
      'code',
      'amount',
      'payState',
      'payTime',
      'channel',
      'exemptReason',
      'isInvoice',
      'invoiceStatus',
      'invoiceType',
      'invoiceTitle',
      'taxNo',
      'invoiceEmail',
      'invoiceNo',
      'invoiceFile',
    ],
  },
  scope: byExam('examId', money),
  actions: {
    ...exemptActions,
    offlinePay: {
      label: '线下登记',
      call: 'POST offlinePay?id',
      when: { payState: PayState.due },
      ask: { remark: text('凭证说明', { maxLength: 100 }) },
      code: 'offline',
    },
    reopen: {
      label: '重新开放',
      call: 'POST reopen?id',
      when: { payState: PayState.closed },
      confirm: '确定重新开放该缴费记录?',
    },
    ...invoiceActions,
  },
})

/** What is asked for, what is issued, what was reversed: with what stands on the invoice. */
export const invoices = view(payrecord, 'invoice', {
  title: '票据',
  code: 'pay_invoice',
  route: '/pay/invoice',
  tabs: { invoiceStatus: [InvoiceStatus.asked, InvoiceStatus.issued, InvoiceStatus.reversed] },
  columns: [
    'examId',
    'name',
    'amount',
    'payTime',
    'invoiceType',
    'invoiceTitle',
    'taxNo',
    'invoiceEmail',
    'invoiceNo',
    'invoiceFile',
  ],
  search: ['examId', 'name', 'idCard', 'payTime'],
  buttons: ['applyInvoice', 'confirmInvoice', 'redInvoice', 'exportInvoice', 'importInvoice'],
})
