import { dateTime, entity, filled, flag, hidden, integer, json, optional, type Row, ref, state, text } from '#engine'
import { taskStatus } from '../dictionaries.ts'

export const Exporttask = entity(
  'exporttask',
  '导出任务',
  {
    title: filled(optional(text('名称', { maxLength: 100 }))),
    bizType: filled(text('业务', { maxLength: 30 })),
    params: filled(json('条件')),
    rowNum: filled(optional(integer('行数', { minimum: 0 }))),
    totalNum: filled(optional(integer('总行数', { minimum: 0 }))),
    fileId: filled(optional(ref('文件', 'attach'))),
    sensitive: filled(flag('含敏感信息')),
    reason: filled(optional(text('用途'))),
    inBackground: filled(flag('后台导出')),
    failReason: filled(optional(text('失败原因', { maxLength: 255 }))),
    endTime: filled(optional(dateTime('完成时间'))),
    keepUntil: filled(optional(dateTime('文件保留至'))),
    downTime: filled(optional(dateTime('下载于'))),
    downNum: filled(optional(integer('下载次数', { minimum: 0 }))),
    mark: hidden(filled(optional(text('条件摘要', { maxLength: 64 })))),
    taskStatus: state('状态', taskStatus),
  },
  { label: 'title' },
)
export type Exporttask = Row<typeof Exporttask>

declare module '#engine' {
  interface Entities {
    exporttask: typeof Exporttask
  }
}
