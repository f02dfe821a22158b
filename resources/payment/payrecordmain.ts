import { resource } from '#engine'
import { Payrecordmain } from '../../schemas/payment/payrecordmain.ts'
import { byExam, money } from '../scopes.ts'

export const payrecordmain = resource(Payrecordmain, {
  path: '/blade-payrecordmain/payrecordmain',
  route: '/pay/main',
  can: ['view', 'remove', 'export'],
  instead: {
    add: '缴费批次由发布缴费（exampay/releasePay）生成，不能新增',
    edit: '缴费批次的数字由系统汇总，不能修改；要改期限请修改缴费设置（exampay/submit）',
  },
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
