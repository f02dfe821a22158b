import { resource } from '#engine'
import { Send } from '../../schemas/send/send.ts'

export const send = resource(Send, {
  path: '/blade-send/send',
  route: '/send/list',
  columns: [
    'sendNo',
    'title',
    'examId',
    'sendType',
    'templateId',
    'num',
    'segNum',
    'amount',
    'successNum',
    'failNum',
    'planTime',
    'sendTime',
    { field: 'sendStatus', as: 'tag' },
  ],
  search: ['sendNo', 'title', 'examId', 'sendType', 'sendStatus', 'createTime'],
})
