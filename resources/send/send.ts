import { resource } from '#engine'
import { Send } from '../../schemas/send/send.ts'
import { sendActions } from './send-actions.ts'

export const send = resource(Send, {
  path: '/blade-send/send',
  route: '/send/list',
  columns: [
    { field: 'sendNo', width: 230 },
    { field: 'title', width: 200 },
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
  form: [
    'title',
    'examId',
    'sendType',
    'templateId',
    { field: 'packageId', when: { sendType: [1, 3] } },
    'planTime',
    'remark',
  ],
  actions: sendActions,
})
