import { group, pick, resource, text } from '#engine'
import { Exportpaymain } from '../../schemas/payment/exportpaymain.ts'
import { byExam, money } from '../scopes.ts'

export const exportpaymain = resource(Exportpaymain, {
  path: '/blade-exportpaymain/exportpaymain',
  route: '/pay/export',
  can: ['view', 'export'],
  instead: {
    add: '请新建批次（exportpaymain/create）',
    edit: '批次生成后不再变化，不能修改；有变化请新建批次（exportpaymain/create）',
    remove: '批次是财务留存的凭据，不能删除',
  },
  columns: [
    'batchNo',
    'examId',
    'itemId',
    'startTime',
    'endTime',
    'totalNum',
    'totalAmount',
    'refundAmount',
    'file',
    'sha256',
    'exportUser',
    'exportTime',
    { field: 'exportStatus', as: 'tag' },
  ],
  search: ['batchNo', 'examId', 'itemId', 'exportStatus', 'createTime'],
  scope: byExam('examId', money),
  children: { exportpay: { label: '明细', by: 'mainId' } },
  actions: {
    create: {
      label: '新建批次',
      on: 'toolbar',
      call: 'POST create',
      input: ['examId', 'itemId', 'startTime', 'endTime'],
      confirm: '生成后明细与文件不再变化',
      answer: group({ ...pick(Exportpaymain, 'batchNo').of, message: text('说明') }),
    },
    verify: { label: '校验摘要', call: 'POST verify?id', answer: group({ message: text('说明') }) },
  },
})
