import { dateTime, dict, entity, filled, flag, integer, optional, type Row, ref, richText, state, text } from '#engine'
import { notice, noticeScope, noticeStatus, noticeType } from '../dictionaries.ts'

export const Notice = entity('notice', '公告/通知', {
  title: text('标题', { maxLength: 200 }),
  category: dict('公告类别', notice),
  noticeType: dict('类型', noticeType),
  examId: optional(ref('关联考试', 'examination')),
  scope1: dict('发布范围', noticeScope),
  scope2: optional(text('范围对象')),
  content: richText('内容'),
  releaseTime: dateTime('发布时间'),
  endTime: optional(dateTime('撤下时间')),
  needSure: flag('须确认'),
  isTop: flag('置顶'),
  noticeStatus: state('状态', noticeStatus),
  readNum: filled(optional(integer('已读数', { minimum: 0 }))),
  sureNum: filled(optional(integer('已确认数', { minimum: 0 }))),
})
export type Notice = Row<typeof Notice>
