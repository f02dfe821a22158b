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
  form: {
    基本信息: ['examId', 'itemName', 'itemType', 'subject', 'startTime', 'endTime', 'place', 'sort'],
    人员与收费: [
      { field: 'candidateRule', span: 24 },
      'needPay',
      { field: 'fee', when: { needPay: 1 } },
      'needSeat',
      'needTicket',
      { field: 'ticketStartTime', when: { needTicket: 1 } },
      { field: 'ticketEndTime', when: { needTicket: 1 } },
    ],
    成绩: ['fullScore', 'passScore', 'weight'],
  },
  exam: 'examId',
  actions: {
    enable: { label: '启用', call: 'POST enable?id', when: { itemStatus: 0 }, set: { itemStatus: 1 } },
    disable: { label: '停用', call: 'POST disable?id', when: { itemStatus: 1 }, confirm: '确定停用该项目?' },
  },
})
