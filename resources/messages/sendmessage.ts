import { changedShape, resource, through } from '#engine'
import { Sendmessage } from '../../schemas/messages/sendmessage.ts'

export const sendmessage = resource(Sendmessage, {
  path: '/blade-sendMessage/sendmessage',
  route: '/send/message',
  columns: [
    'sendId',
    'name',
    'phone',
    { field: 'content', width: 320 },
    'segments',
    { field: 'msgStatus', as: 'tag' },
    { field: 'errMsg', as: 'sentence' },
    'retryNum',
    'sendTime',
  ],
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
