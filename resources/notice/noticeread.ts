import { resource } from '#engine'
import { Noticeread } from '../../schemas/notice/noticeread.ts'

export const noticeread = resource(Noticeread, {
  path: '/blade-noticeRead/noticeread',
  title: '阅读情况',
  route: '/notice/read',
  can: ['view', 'export'],
  columns: ['noticeId', 'examId', 'name', 'readTime'],
  search: ['noticeId', 'examId', 'userId', 'name', 'createTime'],
})
