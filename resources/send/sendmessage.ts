import { resource } from '#engine'
import { Sendmessage } from '../../schemas/send/sendmessage.ts'

export const sendmessage = resource(Sendmessage, {
  path: '/blade-sendMessage/sendmessage',
  route: '/send/message',
  columns: [
    'name',
    'phone',
    'content',
    'segments',
    { field: 'msgStatus', as: 'tag' },
    'errMsg',
    'retryNum',
    'sendTime',
  ],
  search: ['sendId', 'name', 'phone', 'msgStatus', 'createTime'],
})
