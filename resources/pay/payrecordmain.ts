import { resource } from '#engine'
import { Payrecordmain } from '../../schemas/pay/payrecordmain.ts'
import { byExam, money } from '../scopes.ts'

export const payrecordmain = resource(Payrecordmain, {
  path: '/blade-payrecordmain/payrecordmain',
  route: '/pay/main',
  can: ['view', 'remove', 'export'],
  columns: [
    'examId',
    'itemId',
    'mainName',
    'totalNum',
    'paidNum',
    'exemptNum',
    'totalAmount',
    'paidAmount',
    'refundAmount',
    { field: 'mainStatus', as: 'tag' },
  ],
  search: ['examId', 'itemId', 'mainName', 'mainStatus', 'createTime'],
  scope: byExam('examId', money),
})
