import { cases, resource, when, wide } from '#engine'
import { SendStatus, SendType } from '../../schemas/dictionaries.ts'
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
  editable: { sendStatus: SendStatus.draft },
  form: [
    'title',
    'examId',
    'sendType',
    { field: 'templateId', when: { sendType: [SendType.sms, SendType.smsAndInbox] } },
    { field: 'content', span: 24, when: { sendType: SendType.inbox } },
    { field: 'packageId', when: { sendType: [SendType.sms, SendType.smsAndInbox] } },
    'planTime',
    'remark',
  ],
  actions: sendActions,
})
