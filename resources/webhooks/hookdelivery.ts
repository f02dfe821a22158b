import { numberedShape, resource, wide } from '#engine'
import { HookDeliveryStatus } from '../../schemas/dictionaries.ts'
import { Hookdelivery } from '../../schemas/webhooks/hookdelivery.ts'

const { waiting, sending, delivered, givenUp } = HookDeliveryStatus

export const hookdelivery = resource(Hookdelivery, {
  path: '/blade-develop/hookdelivery',
  route: '/develop/hookdelivery',
  can: ['view'],
  columns: [
    { field: 'code', as: 'events', with: ['messageId'], width: 210 },
    { field: 'deliveryStatus', as: 'tag', width: 90 },
    { field: 'hookId', width: 150 },
    { field: 'httpStatus', width: 90 },
    { field: 'answer', width: 180 },
    { field: 'sentTime', width: 120, card: true },
    { field: 'goAt', width: 120 },
    { field: 'tries', folded: true },
    { field: 'ms', folded: true },
    { field: 'isReplay', folded: true },
    { field: 'examId', folded: true },
    { field: 'subjectId', folded: true },
    { field: 'body', folded: true },
    { field: 'doneTime', folded: true },
    { field: 'createTime', folded: true },
  ],
  views: {
    未送达: { deliveryStatus: givenUp },
    在途: { deliveryStatus: [waiting, sending] },
    已送达: { deliveryStatus: delivered },
    全部: {},
  },
  search: ['hookId', 'code', 'deliveryStatus', 'messageId', 'subjectId', 'examId', 'createTime'],
  empty: { text: '没有推送记录' },
  scope: wide('administrators set up what other systems are told; nobody is appointed to that'),
  transitions: {
    replay: {
      label: '重放',
      on: 'rows',
      call: 'POST replay?ids',
      when: { deliveryStatus: [delivered, givenUp] },
      guard: '推送已启用',
      set: { deliveryStatus: waiting, isReplay: 1, waits: 0, goAt: '$now', doneTime: null },
      confirm: '将以原编号再次推送，确定?',
      skipped: '正在推送',
    },
  },
  actions: {
    replayFailed: {
      label: '重放全部未送达',
      on: 'toolbar',
      call: 'POST replayFailed',
      confirm: '将再次推送所有已启用推送的未送达记录，确定?',
      answer: numberedShape,
      code: 'replay',
    },
  },
})
