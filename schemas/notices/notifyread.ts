import { dateTime, dict, entity, filled, optional, type Row, ref, text } from '#engine'
import { sureState } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Notifyread = entity(
  'notifyread',
  '通知阅读/确认记录',
  {
    noticeId: filled(ref('通知', 'notice')),
    userId: filled(ref('用户', 'user')),
    name: filled(optional(text('姓名', { maxLength: 20 }))),
    readTime: filled(optional(dateTime('阅读时间'))),
    sureTime: filled(optional(dateTime('确认时间'))),
    sureState: filled(dict('确认状态', sureState)),
  },
  {
    label: 'noticeId',
    uniques: [['noticeId', 'userId']],
    about: 'userId',
    personal: ['name'],
    purpose: '记录通知是否已读、已确认',
    keep: keeping.messages,
  },
)
export type Notifyread = Row<typeof Notifyread>

declare module '#engine' {
  interface Entities {
    notifyread: typeof Notifyread
  }
}
