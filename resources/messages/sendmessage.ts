import { changedShape, resource, text, through } from '#engine'
import { MsgStatus } from '../../schemas/dictionaries.ts'
import { Sendmessage } from '../../schemas/messages/sendmessage.ts'

export const sendmessage = resource(Sendmessage, {
  path: '/blade-sendMessage/sendmessage',
  route: '/send/message',
  columns: [
    { field: 'sendId', with: ['send.examId'], width: 120 },
    { field: 'name', with: ['phone'], width: 130 },
    { field: 'content', width: 280 },
    { field: 'segments', width: 70 },
    { field: 'msgStatus', as: 'tag', with: ['errMsg'], width: 180 },
    { field: 'retryNum', width: 70 },
    { field: 'sendTime', width: 120 },
    { field: 'resendReason', folded: true },
  ],
  totals: ['segments'],
  views: {
    全部: {},
    待发: { msgStatus: [MsgStatus.queued, MsgStatus.sending] },
    暂缓: { msgStatus: MsgStatus.held },
    成功: { msgStatus: MsgStatus.sent },
    失败: { msgStatus: MsgStatus.failed },
    近7天未送达: { msgStatus: MsgStatus.failed, sendTime: { since: '$today-7' } },
  },
  todos: { 近7天未送达: { label: '近七日未送达的短信', needs: 'sendmessage_resend', since: 'sendTime' } },
  // What the program sends is called after its event.
  search: ['send.title', 'send.examId', 'sendId', 'name', 'phone', 'msgStatus', 'sendTime', 'createTime'],
  scope: through('sendId'),
  form: ['sendId', 'name', 'phone', 'params'],
  actions: {
    resend: {
      label: '重发失败',
      on: 'rows',
      call: 'POST resend?ids',
      single: { msgStatus: MsgStatus.failed },
      answer: changedShape,
      ask: { reason: text('重发原因', { maxLength: 200, help: '失败的短信最多重发三次，不重复扣费' }) },
    },
  },
})
