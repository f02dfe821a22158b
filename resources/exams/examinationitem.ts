import { json, resource } from '#engine'
import { Examinationitem } from '../../schemas/exams/examinationitem.ts'
import { byExam, settings } from '../scopes.ts'
import { stageActions, stageTransitions } from './examinationitem-actions.ts'

export const examinationitem = resource(Examinationitem, {
  path: '/blade-item/examinationitem',
  route: '/exam/examinationitem',
  derived: { moves: json('下一步') },
  columns: [
    { field: 'itemName', width: 130 },
    { field: 'examId', width: 200 },
    { field: 'itemStatus', as: 'move', width: 140 },
    { field: 'payRelease', as: 'move', width: 180 },
    { field: 'seatStatus', as: 'move', width: 180 },
    { field: 'ticketRelease', as: 'move', width: 180 },
    { field: 'resultRelease', as: 'move', width: 180 },
    'itemType',
    'subject',
    'startTime',
    'endTime',
    'needPay',
    'fee',
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
  scope: byExam('examId', settings),
  transitions: stageTransitions,
  actions: stageActions,
})
