import { changedShape, resource, through } from '#engine'
import { MsgStatus } from '../../schemas/dictionaries.ts'
import { Sendmessage } from '../../schemas/messages/sendmessage.ts'

export const sendmessage = resource(Sendmessage, {
  path: '/blade-sendMessage/sendmessage',
  route: '/send/message',
  columns: [
    { field: 'sendId', width: 120 },
    { field: 'name', with: ['phone'], width: 130 },
    { field: 'content', width: 280 },
    { field: 'segments', width: 70 },
    { field: 'msgStatus', as: 'tag', with: ['errMsg'], width: 180 },
    { field: 'retryNum', width: 70 },
    { field: 'sendTime', width: 120 },
  ],
  views: {
    全部: {},
    待发: { msgStatus: [MsgStatus.queued, MsgStatus.sending] },
    暂缓: { msgStatus: MsgStatus.held },
    成功: { msgStatus: MsgStatus.sent },
    失败: { msgStatus: MsgStatus.failed },
    近7天未送达: { msgStatus: MsgStatus.failed, sendTime: { since: '$today-7' } },
  },
  todos: { 近7天未送达: { label: '近七日未送达的短信', needs: 'sendmessage_resend', since: 'sendTime' } },
  search: ['sendId', 'name', 'phone', 'msgStatus', 'createTime'],
  scope: through('sendId'),
  form: ['sendId', 'name', 'phone', 'params'],
  actions: {
    resend: {
      label: '重发失败',
      on: 'rows',
      call: 'POST resend?ids',
      answer: changedShape,
      confirm: '失败的短信最多重发三次，不重复扣费，确定重发?',
    },
  },
})
