import { cases, resource, when, wide } from '#engine'
import { SendStatus, SendType } from '../../schemas/dictionaries.ts'
import { Send } from '../../schemas/messages/send.ts'
import { arranged, byExam } from '../scopes.ts'
import { sendActions } from './send-actions.ts'

export const send = resource(Send, {
  path: '/blade-send/send',
  route: '/send/list',
  columns: [
    { field: 'title', with: ['sendNo', 'examId'], width: 260 },
    { field: 'sendType', width: 120 },
    { field: 'sendStatus', as: 'tag', width: 100 },
    { field: 'num', card: true, width: 80 },
    { field: 'successNum', width: 90 },
    { field: 'failNum', width: 90 },
    { field: 'sendTime', width: 120 },
    { field: 'amount', with: ['segNum'], width: 100 },
    { field: 'templateId', folded: true },
    { field: 'planTime', folded: true },
  ],
  totals: ['segNum', 'amount'],
  find: ['title', 'sendNo'],
  views: {
    草稿: { sendStatus: SendStatus.draft },
    待发: { sendStatus: [SendStatus.unpaid, SendStatus.queued] },
    待支付: { sendStatus: SendStatus.unpaid },
    已发送: { sendStatus: [SendStatus.sending, SendStatus.done] },
    有失败: { sendStatus: SendStatus.partlyFailed },
    已取消: { sendStatus: SendStatus.cancelled },
  },
  todos: { 待支付: { label: '待支付的发送', needs: 'send_pay' } },
  main: ['resume', 'manage'],
  empty: { text: '还没有发送', next: { 新建发送: 'add', 从名单发送: '/examine/signup?examId=:examId' } },
  search: ['sendNo', 'title', 'examId', 'sendType', 'sendStatus', 'sendTime', 'createTime'],
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
