import { dict, ref, resource, through } from '#engine'
import { remindWhom } from '../../schemas/dictionaries.ts'
import { Noticeread } from '../../schemas/notice/noticeread.ts'

export const noticeread = resource(Noticeread, {
  path: '/blade-noticeRead/noticeread',
  title: '阅读情况',
  route: '/notice/read',
  can: ['view', 'export'],
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
    },
  },
})
