import { entity, filled, flag, integer, json, optional, type Row, ref, state, text } from '#engine'
import { taskStatus } from '../dictionaries.ts'

export const Exporttask = entity(
  'exporttask',
  '导出任务',
  {
    bizType: filled(text('业务', { maxLength: 30 })),
    params: filled(json('条件')),
    rowNum: filled(optional(integer('行数', { minimum: 0 }))),
    fileId: filled(optional(ref('文件', 'attach'))),
    sensitive: filled(flag('含敏感信息')),
    reason: filled(optional(text('用途'))),
    taskStatus: state('状态', taskStatus),
  },
  { label: 'bizType' },
)
export type Exporttask = Row<typeof Exporttask>
