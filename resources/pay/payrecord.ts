import { dict, optional, ref, resource, text } from '#engine'
import { importMode } from '../../schemas/dictionaries.ts'
import { Payrecord } from '../../schemas/pay/payrecord.ts'

const mode = dict('导入方式', importMode, { default: 1 })

/** Everything about invoices is one right. */
const invoiceActions = {
  applyInvoice: {
    label: '申请开票',
    call: 'POST applyInvoice?id',
    when: { payState: 1, invoiceStatus: [0, 1, 3] },
    input: ['invoiceType', 'invoiceTitle', 'taxNo', 'invoiceEmail'],
    code: 'invoice',
  },
  confirmInvoice: {
    label: '确认开票',
    call: 'POST confirmInvoice?id',
    when: { payState: 1, invoiceStatus: [0, 1] },
    ask: { invoiceNo: text('票据号码', { maxLength: 50 }) },
    input: ['invoiceFile'],
    code: 'invoice',
  },
  redInvoice: {
    label: '红冲',
    call: 'POST redInvoice?id',
    when: { invoiceStatus: 2 },
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
  importInvoice: {
    label: '导入票据号',
    on: 'toolbar',
    call: 'POST importInvoice',
    upload: '.xlsx',
    ask: { mode },
    code: 'invoice',
  },
} as const

/** A list of people who need not pay. */
const listActions = {
  exemptTemplate: {
    label: '下载免缴模板',
    on: 'toolbar',
    call: 'GET exemptTemplate',
    download: true,
    code: 'importExempt',
  },
  importExempt: {
    label: '导入免缴名单',
    on: 'toolbar',
    call: 'POST importExempt',
    upload: '.xlsx',
    ask: { itemId: ref('考试项目', 'examinationitem'), mode },
  },
} as const

export const payrecord = resource(Payrecord, {
  path: '/blade-payrecord/payrecord',
  route: '/pay/record',
  can: ['view', 'export'],
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
  owner: 'userId',
  exam: 'examId',
  actions: {
    exempt: {
      label: '免缴',
      call: 'POST exempt?id',
      when: { payState: 0 },
      ask: { exemptReason: text('免缴原因') },
      input: ['exemptFile'],
    },
    offlinePay: {
      label: '线下登记',
      call: 'POST offlinePay?id',
      when: { payState: 0 },
      ask: { remark: text('凭证说明', { maxLength: 100 }) },
      code: 'offline',
    },
    reopen: { label: '重新开放', call: 'POST reopen?id', when: { payState: 5 }, confirm: '确定重新开放该缴费记录?' },
    ...listActions,
    ...invoiceActions,
  },
})
