import { resource, text } from '#engine'
import { Payrecord } from '../../schemas/pay/payrecord.ts'
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
      ...([
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
      ] as const),
      ...(['exemptReason', 'isInvoice', 'invoiceStatus', 'invoiceType', 'invoiceTitle', 'taxNo'] as const),
      ...(['invoiceEmail', 'invoiceNo', 'invoiceFile'] as const),
    ],
  },
  scope: byExam('examId', money),
  actions: {
    ...exemptActions,
    offlinePay: {
      label: '线下登记',
      call: 'POST offlinePay?id',
      when: { payState: 0 },
      ask: { remark: text('凭证说明', { maxLength: 100 }) },
      code: 'offline',
    },
    reopen: { label: '重新开放', call: 'POST reopen?id', when: { payState: 5 }, confirm: '确定重新开放该缴费记录?' },
    ...invoiceActions,
  },
})
