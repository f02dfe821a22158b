import { resource, through } from '#engine'
import { Notifyread } from '../../schemas/notices/notifyread.ts'

export const notifyread = resource(Notifyread, {
  path: '/blade-notifyRead/notifyread',
  title: '通知确认记录',
  can: ['view', 'export'],
  instead: {
    add: '确认记录在读者确认通知（sureNotify）时产生，不能新增',
    edit: '确认记录由读者本人产生，不能修改',
    remove: '确认记录是已送达的凭据，不能删除',
  },
  columns: ['noticeId', 'name', 'readTime', 'sureTime', 'sureState'],
  search: ['noticeId', 'userId', 'name', 'sureState', 'createTime'],
  scope: through('noticeId'),
})
