import { resource } from '#engine'
import { Examinationitem } from '../../schemas/exam/examinationitem.ts'

export const examinationitem = resource(Examinationitem, {
  path: '/blade-item/examinationitem',
  route: '/exam/examinationitem',
  columns: [
    'examId',
    'itemName',
    'itemType',
    'subject',
    'startTime',
    'endTime',
    'needPay',
    'fee',
    { field: 'itemStatus', as: 'tag' },
    { field: 'seatStatus', as: 'tag' },
    { field: 'ticketRelease', as: 'tag' },
    { field: 'payRelease', as: 'tag' },
    { field: 'resultRelease', as: 'tag' },
  ],
  search: ['examId', 'itemName', 'itemType', 'itemStatus', 'createTime'],
  sort: 'sort',
  exam: 'examId',
  actions: {
    enable: { label: '启用', call: 'POST enable?id', when: { itemStatus: 0 }, set: { itemStatus: 1 } },
    disable: { label: '停用', call: 'POST disable?id', when: { itemStatus: 1 }, confirm: '确定停用该项目?' },
  },
})
