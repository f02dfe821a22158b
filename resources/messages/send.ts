import { cases, resource, when, wide } from '#engine'
import { Send } from '../../schemas/messages/send.ts'
import { arranged, byExam } from '../scopes.ts'
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
  scope: cases(
    when({ examId: { not: null } }, byExam('examId', arranged)),
    when({ examId: null }, wide('a sending without an exam belongs to the tenant')),
  ),
  editable: { sendStatus: 0 },
  form: [
    'title',
    'examId',
    'sendType',
    { field: 'templateId', when: { sendType: [1, 3] } },
    { field: 'content', span: 24, when: { sendType: 2 } },
    { field: 'packageId', when: { sendType: [1, 3] } },
    'planTime',
    'remark',
  ],
  actions: sendActions,
})
