import { dateTime, entity, filled, optional, type Row, ref, text } from '#engine'
import { keeping } from '../keeping.ts'

export const Noticeread = entity(
  'noticeread',
  '公告阅读记录',
  {
    noticeId: filled(ref('公告', 'notice')),
    examId: filled(optional(ref('考试', 'examination'))),
    userId: filled(ref('用户', 'user')),
    name: filled(optional(text('姓名', { maxLength: 20 }))),
    readTime: filled(dateTime('阅读时间')),
    readIp: filled(optional(text('IP', { maxLength: 64 }))),
  },
  {
    label: 'name',
    uniques: [['noticeId', 'userId']],
    about: 'userId',
    personal: ['name'],
    purpose: '记录公告是否已读',
    keep: keeping.messages,
  },
)
export type Noticeread = Row<typeof Noticeread>

declare module '#engine' {
  interface Entities {
    noticeread: typeof Noticeread
  }
}
