import { cases, resource, text, when, wide } from '#engine'
import { DeliveryState } from '../../schemas/dictionaries.ts'
import { Delivery } from '../../schemas/notifications/delivery.ts'
import { arranged, byExam } from '../scopes.ts'

export const delivery = resource(Delivery, {
  path: '/blade-send/delivery',
  route: '/send/delivery',
  can: ['view', 'export'],
  columns: [
    { field: 'event', with: ['examId'], width: 220 },
    { field: 'channel', width: 80 },
    { field: 'userId', with: ['address'], width: 180 },
    { field: 'deliveryState', as: 'tag', with: ['errMsg'], width: 200 },
    { field: 'sendTime', card: true, width: 120 },
    { field: 'tryNum', folded: true },
    { field: 'code', folded: true },
    { field: 'resendReason', folded: true },
  ],
  derived: { event: text('事件') },
  views: {
    全部: {},
    待发: { deliveryState: [DeliveryState.waiting, DeliveryState.underWay] },
    已受理: { deliveryState: DeliveryState.taken },
    未送达: { deliveryState: [DeliveryState.failed, DeliveryState.unknown] },
    近7天未送达: {
      deliveryState: [DeliveryState.failed, DeliveryState.unknown],
      sendTime: { since: '$today-7' },
    },
    未发送: { deliveryState: [DeliveryState.cancelled, DeliveryState.late] },
  },
  todos: { 近7天未送达: { label: '近七日未送达的邮件和微信', needs: 'delivery_resend', since: 'sendTime' } },
  find: ['address', 'code'],
  main: ['resend', 'view'],
  empty: { text: '还没有投递' },
  search: ['examId', 'code', 'channel', 'deliveryState', 'createTime'],
  scope: cases(
    when({ examId: { not: null } }, byExam('examId', arranged)),
    when({ examId: null }, wide('what is told without an exam belongs to the tenant')),
  ),
  transitions: {
    resend: {
      label: '重发',
      call: 'POST resend?id',
      when: { deliveryState: [DeliveryState.failed, DeliveryState.unknown] },
      set: {
        deliveryState: DeliveryState.waiting,
        goAt: '$now',
        tryNum: 0,
        resendReason: '$reason',
        resendUser: '$caller',
      },
      reason: text('重发原因', { maxLength: 200, help: '结果不明的消息对方可能已经收到' }),
    },
  },
})
