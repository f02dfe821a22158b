import { resource } from '#engine'
import { Exportpaymain } from '../../schemas/pay/exportpaymain.ts'

export const exportpaymain = resource(Exportpaymain, {
  path: '/blade-exportpaymain/exportpaymain',
  route: '/pay/export',
  can: ['view', 'export'],
  columns: [
    'batchNo',
    'examId',
    'itemId',
    'startTime',
    'endTime',
    'totalNum',
    'totalAmount',
    'refundAmount',
    'exportUser',
    'exportTime',
    { field: 'exportStatus', as: 'tag' },
  ],
  search: ['batchNo', 'examId', 'itemId', 'exportStatus', 'createTime'],
  exam: 'examId',
})
