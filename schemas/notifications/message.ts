import { dateTime, entity, filled, optional, type Row, ref, text } from '#engine'
import { keeping } from '../keeping.ts'

/** An event as one person has it in the inbox. */
export const Message = entity(
  'message',
  '消息',
  {
    eventId: filled(ref('业务事件', 'event', { onRemove: 'with' })),
    userId: filled(ref('用户', 'user', { onRemove: 'with' })),
    code: filled(text('事件', { maxLength: 60 })),
    subjectId: filled(text('业务主键', { maxLength: 20 })),
    messageTime: filled(dateTime('时间')),
    /** By when it can be acted on. */
    until: filled(optional(dateTime('截止时间'))),
    readTime: filled(optional(dateTime('阅读时间'))),
    /** Since when nothing is to be done about it. */
    doneTime: filled(optional(dateTime('处理时间'))),
  },
  {
    label: 'code',
    uniques: [['eventId', 'userId']],
    indexes: [
      ['userId', 'readTime'],
      ['subjectId', 'code'],
      ['code', 'until'],
    ],
    about: 'userId',
    purpose: '告知您报名和考试事项的进展',
    keep: { ...keeping.messages, then: 'erase' },
  },
)
export type Message = Row<typeof Message>

declare module '#engine' {
  interface Entities {
    message: typeof Message
  }
}
