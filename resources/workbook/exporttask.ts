import { resource, text } from '#engine'
import { TaskStatus } from '../../schemas/dictionaries.ts'
import { Exporttask } from '../../schemas/workbook/exporttask.ts'

export const exporttask = resource(Exporttask, {
  path: '/blade-exam/exporttask',
  route: '/exam/exporttask',
  can: ['view'],
  /** What the list was filtered by, in words: `考试：春季招聘；岗位状态：正常`. */
  derived: { condition: text('条件') },
  columns: [
    { field: 'title', width: 220 },
    { field: 'taskStatus', as: 'tag', width: 110 },
    { field: 'rowNum', width: 150 },
    { field: 'createUser', with: ['createTime'], card: true, width: 150 },
    { field: 'keepUntil', width: 120 },
    { field: 'sensitive', width: 120 },
    { field: 'reason', width: 130 },
    { field: 'failReason', folded: true },
    { field: 'endTime', folded: true },
    { field: 'downTime', folded: true },
    { field: 'bizType', folded: true },
  ],
  views: {
    我的: { createUser: '$caller' },
    待下载: { createUser: '$caller', inBackground: 1, taskStatus: TaskStatus.done, downTime: null },
    可下载: { taskStatus: TaskStatus.done },
    处理中: { taskStatus: [TaskStatus.queued, TaskStatus.running] },
    失败: { taskStatus: TaskStatus.failed },
  },
  todos: { 待下载: { label: '可下载的导出', since: 'endTime' } },
  empty: { text: '导出的大文件在这里' },
  find: ['title'],
  search: ['title', 'taskStatus', 'createUser', 'bizType', 'createTime'],
})
