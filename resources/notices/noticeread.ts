import { dict, group, id, numberedShape, ref, resource, through } from '#engine'
import { remindWhom } from '../../schemas/dictionaries.ts'
import { Noticeread } from '../../schemas/notices/noticeread.ts'

export const noticeread = resource(Noticeread, {
  path: '/blade-noticeRead/noticeread',
  title: '阅读情况',
  route: '/notice/read',
  can: ['view', 'export'],
  instead: {
    add: '阅读记录在读者打开公告（readNotice）时产生，不能新增',
    edit: '阅读记录由读者本人产生，不能修改',
    remove: '阅读记录是已送达的凭据，不能删除',
  },
  columns: ['noticeId', 'examId', 'name', 'readTime'],
  search: ['noticeId', 'examId', 'userId', 'name', 'createTime'],
  scope: through('noticeId'),
  actions: {
    remind: {
      label: '短信提醒',
      on: 'toolbar',
      call: 'POST remind',
      input: ['noticeId'],
      ask: { templateId: ref('短信模板', 'sms'), whom: dict('提醒对象', remindWhom) },
      answer: group({ id: id('消息发送'), ...numberedShape.of }),
    },
  },
})
