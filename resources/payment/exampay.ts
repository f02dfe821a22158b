import { resource } from '#engine'
import { ExampayStatus } from '../../schemas/dictionaries.ts'
import { Exampay } from '../../schemas/payment/exampay.ts'
import { byExam, money } from '../scopes.ts'

export const exampay = resource(Exampay, {
  path: '/blade-examPay/exampay',
  route: '/pay/exampay',
  columns: [
    'examId',
    'itemId',
    'payName',
    'amount',
    'startTime',
    'endTime',
    { field: 'payStatus', as: 'tag' },
    'releaseTime',
  ],
  search: ['examId', 'itemId', 'payName', 'payStatus', 'createTime'],
  scope: byExam('examId', money),
  // One that was released is recalled.
  removable: { when: { payStatus: ExampayStatus.draft } },
  actions: {
    releasePay: {
      label: '发布缴费',
      call: 'POST releasePay?id',
      when: { payStatus: ExampayStatus.draft },
      confirm: '发布后为每位应缴考生生成缴费记录，确定发布?',
      code: 'release',
    },
    deletePay: {
      label: '撤回缴费',
      call: 'POST deletePay?id',
      when: { payStatus: ExampayStatus.released },
      confirm: '撤回后未缴费记录将删除，确定撤回?',
      code: 'recall',
      danger: true,
    },
  },
})
