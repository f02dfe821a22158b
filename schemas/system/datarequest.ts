import { date, dateTime, dict, entity, filled, longText, optional, type Row, ref, state, text } from '#engine'
import { RequestStatus, requestKind, requestStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** What a candidate, or somebody of the family of one who has died, asks of the data that are kept. */
export const Datarequest = entity(
  'datarequest',
  '个人信息请求',
  {
    userId: ref('考生', 'user'),
    name: filled(text('姓名', { maxLength: 20 })),
    requestKind: dict('请求', requestKind),
    content: longText('说明', { maxLength: 1000, help: '写明涉及哪些信息和理由' }),
    requestStatus: state('状态', requestStatus),
    dueDate: filled(date('办理期限')),
    answer: filled(optional(text('答复', { maxLength: 500 }))),
    handleUser: filled(optional(ref('经办人', 'user'))),
    handleTime: filled(optional(dateTime('办理时间'))),
    confirmUser: filled(optional(ref('复核人', 'user'))),
    confirmTime: filled(optional(dateTime('复核时间'))),
  },
  {
    label: 'name',
    uniques: [
      {
        fields: ['userId', 'requestKind'],
        where: { requestStatus: [RequestStatus.asked, RequestStatus.accepted, RequestStatus.refusing] },
      },
    ],
    about: 'userId',
    personal: ['name'],
    purpose: '答复您对个人信息的请求',
    keep: keeping.requests,
  },
)
export type Datarequest = Row<typeof Datarequest>

declare module '#engine' {
  interface Entities {
    datarequest: typeof Datarequest
  }
}
