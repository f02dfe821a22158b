import { resource, text } from '#engine'
import { Ticketnotice } from '../../schemas/ticket/ticketnotice.ts'
import { arranged, byExam } from '../scopes.ts'

export const ticketnotice = resource(Ticketnotice, {
  path: '/blade-ticketNotice/ticketnotice',
  route: '/ticket/notice',
  calls: { list: 'GET list' },
  can: ['view', 'export'],
  columns: [
    'examId',
    'itemId',
    'name',
    'ticketNo',
    'type',
    { field: 'picState', as: 'tag' },
    'picRemark',
    'sureTime',
    'downNum',
    'firstDownTime',
    'lastDownTime',
  ],
  search: ['examId', 'itemId', 'signupId', 'name', 'ticketNo', 'type', 'picState', 'createTime'],
  owner: {
    field: 'userId',
    where: {},
    fields: [
      ...(['examId', 'itemId', 'signupId', 'jkm', 'xcm', 'hsjcbg', 'type', 'picState', 'picRemark'] as const),
      ...(['sureTime', 'downNum', 'firstDownTime', 'lastDownTime'] as const),
    ],
  },
  scope: byExam('examId', arranged),
  actions: {
    picPass: {
      label: '合格',
      call: 'POST picPass?ids',
      on: 'rows',
      when: { picState: [2, 4] },
      set: { picState: 3, picRemark: null },
      code: 'check',
    },
    picFail: {
      label: '不合格',
      call: 'POST picFail?ids',
      on: 'rows',
      when: { picState: [2, 3] },
      ask: { picRemark: text('不合格原因') },
      set: { picState: 4 },
      code: 'check',
      danger: true,
    },
    remind: {
      label: '提醒未下载',
      on: 'toolbar',
      call: 'POST remind',
      input: ['examId', 'itemId'],
      confirm: '通知只发给该项目还没有下载准考证的考生，下载后自动消失。',
    },
  },
})
