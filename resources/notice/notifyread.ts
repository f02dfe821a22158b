import { resource, through } from '#engine'
import { Notifyread } from '../../schemas/notice/notifyread.ts'

export const notifyread = resource(Notifyread, {
  path: '/blade-notifyRead/notifyread',
  title: '通知确认记录',
  can: ['view', 'export'],
  columns: ['noticeId', 'name', 'readTime', 'sureTime', 'sureState'],
  search: ['noticeId', 'userId', 'name', 'sureState', 'createTime'],
  scope: through('noticeId'),
})
