import { numberedShape, resource, text, view } from '#engine'
import { PicState } from '../../schemas/dictionaries.ts'
import { Ticketnotice } from '../../schemas/tickets/ticketnotice.ts'
import { arranged, byExam } from '../scopes.ts'

export const ticketnotice = resource(Ticketnotice, {
  path: '/blade-ticketNotice/ticketnotice',
  route: '/ticket/notice',
  calls: { list: 'GET list' },
  can: ['view', 'export'],
  columns: [
    { field: 'name', with: ['ticketNo'], width: 190 },
    { field: 'ticket.roomNo', with: ['ticket.seatNo', 'itemId', 'examId'], width: 200 },
    { field: 'picState', as: 'tag', with: ['picRemark'], width: 130 },
    { field: 'sureTime', width: 124 },
    { field: 'downNum', with: ['lastDownTime'], card: true, width: 130 },
    { field: 'type', width: 120 },
    { field: 'firstDownTime', folded: true },
  ],
  find: ['name', 'ticketNo'],
  views: {
    全部: {},
    待核验: { picState: PicState.uploaded },
    不合格: { picState: PicState.rejected },
    已下载: { downNum: { atLeast: 1 } },
  },
  todos: { 待核验: { label: '待核验的材料', needs: 'ticketnotice_check', since: 'updateTime' } },
  main: ['view'],
  empty: { text: '发布准考证后这里有记录' },
  search: ['examId', 'itemId', 'signupId', 'name', 'ticketNo', 'type', 'picState', 'createTime'],
  owner: {
    field: 'userId',
    where: {},
    fields: [
      'examId',
      'itemId',
      'signupId',
      'jkm',
      'xcm',
      'hsjcbg',
      'type',
      'picState',
      'picRemark',
      'sureTime',
      'downNum',
      'firstDownTime',
      'lastDownTime',
    ],
  },
  scope: byExam('examId', arranged),
  transitions: {
    picPass: {
      label: '合格',
      call: 'POST picPass?ids',
      on: 'rows',
      when: { picState: [PicState.uploaded, PicState.rejected] },
      set: { picState: PicState.verified, picRemark: null },
      code: 'check',
    },
    picFail: {
      label: '不合格',
      call: 'POST picFail?ids',
      on: 'rows',
      when: { picState: [PicState.uploaded, PicState.verified] },
      ask: { picRemark: text('不合格原因') },
      set: { picState: PicState.rejected },
      code: 'check',
      danger: true,
    },
  },
  actions: {
    remind: {
      label: '提醒未下载',
      on: 'toolbar',
      call: 'POST remind',
      input: ['examId', 'itemId'],
      confirm: '通知只发给该项目还没有下载准考证的考生，下载后自动消失。',
      answer: numberedShape,
    },
  },
})

/** Pictures that candidates handed in before the download, for whoever checks nothing else. */
export const ticketMaterials = view(ticketnotice, 'material', {
  title: '材料核验',
  code: 'ticket_material',
  route: '/ticket/material',
  tabs: { picState: [PicState.uploaded, PicState.rejected, PicState.verified] },
  columns: [
    'name',
    { field: 'ticketNo', width: 190 },
    'jkm',
    'xcm',
    'hsjcbg',
    { field: 'ticket.unit', width: 240 },
    'ticket.code',
    'picRemark',
    'sureTime',
    'itemId',
  ],
  search: ['itemId', 'name', 'ticketNo', 'ticket.unit', 'sureTime'],
  can: ['view'],
  buttons: ['picPass', 'picFail'],
})
