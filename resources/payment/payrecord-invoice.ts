import { optional, ref, text } from '#engine'
import { InvoiceStatus, PayState } from '../../schemas/dictionaries.ts'
import { importModeField } from './import-mode.ts'

/** Everything about invoices is one right. */
export const invoiceActions = {
  applyInvoice: {
    label: '申请开票',
    call: 'POST applyInvoice?id',
    still: true,
    when: { payState: PayState.paid, invoiceStatus: [InvoiceStatus.none, InvoiceStatus.asked, InvoiceStatus.reversed] },
    input: ['invoiceType', 'invoiceTitle', 'taxNo', 'invoiceEmail'],
    code: 'invoice',
  },
  confirmInvoice: {
    label: '确认开票',
    call: 'POST confirmInvoice?id',
    still: true,
    when: { payState: PayState.paid, invoiceStatus: [InvoiceStatus.none, InvoiceStatus.asked] },
    ask: { invoiceNo: text('票据号码', { maxLength: 50 }) },
    input: ['invoiceFile'],
    code: 'invoice',
  },
  redInvoice: {
    label: '红冲',
    call: 'POST redInvoice?id',
    still: true,
    when: { invoiceStatus: InvoiceStatus.issued },
    confirm: '红冲后票据作废，考生可重新申请，确定红冲?',
    code: 'invoice',
    danger: true,
  },
  exportInvoice: {
    label: '导出待开票',
    on: 'toolbar',
    call: 'GET exportInvoice?examId',
    ask: { examId: optional(ref('考试', 'examination')) },
    download: true,
    code: 'invoice',
  },
  exportAsked: {
    label: '导出待开票',
    on: 'rows',
    call: 'GET exportAsked?ids',
    single: false,
    when: { payState: PayState.paid, invoiceStatus: InvoiceStatus.asked },
    download: true,
    code: 'invoice',
  },
  importInvoice: {
    label: '导入票据号',
    on: 'toolbar',
    call: 'POST importInvoice',
    still: true,
    upload: '.xlsx',
    ask: { mode: importModeField },
    code: 'invoice',
  },
} as const
