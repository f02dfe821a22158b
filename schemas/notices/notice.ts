import { dateTime, dict, entity, filled, flag, integer, optional, type Row, ref, richText, state, text } from '#engine'
import {
  NoticeScope,
  NoticeType,
  notice,
  noticeFilter,
  noticeScope,
  noticeStatus,
  noticeType,
} from '../dictionaries.ts'

export const Notice = entity(
  'notice',
  '公告/通知',
  {
    title: text('标题', { maxLength: 200 }),
    category: dict('公告类别', notice),
    noticeType: dict('类型', noticeType, { default: NoticeType.announcement }),
    examId: optional(ref('关联考试', 'examination', { help: '发布给指定考试的考生时必选' })),
    scope1: dict('发布范围', noticeScope, { default: NoticeScope.everyone }),
    /** Ids of exams for `scope1` 2, of stages for 3. */
    scope2: optional(text('范围对象', { pattern: '^[0-9]{1,20}(,[0-9]{1,20})*$' })),
    /** The sending whose receivers it is for, each with a text of their own: `scope1` 6, never written by hand. */
    sendId: filled(optional(ref('发送订单', 'send', { unique: true }))),
    scopeState: optional(dict('考生状态', noticeFilter, { help: '只给处于该状态的考生看，状态变了就不再显示' })),
    content: richText('内容'),
    releaseTime: dateTime('发布时间', { help: '将来的时间即定时发布', default: '$now' }),
    endTime: optional(dateTime('撤下时间')),
    needSure: flag('须确认', { help: '考生必须确认后才能下载准考证；只用于通知' }),
    isTop: flag('置顶'),
    noticeStatus: state('状态', noticeStatus),
    readNum: filled(optional(integer('已读数', { minimum: 0 }))),
    sureNum: filled(optional(integer('已确认数', { minimum: 0 }))),
  },
  { history: true },
)
export type Notice = Row<typeof Notice>

declare module '#engine' {
  interface Entities {
    notice: typeof Notice
  }
}
