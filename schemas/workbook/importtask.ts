import { dict, entity, file, filled, integer, optional, type Row, state } from '#engine'
import { importBiz, importMode, taskStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Importtask = entity(
  'importtask',
  '导入任务',
  {
    // A resource whose rows come in by workbook stands here by its name, also one that the dictionary does not know.
    bizType: filled(dict('业务', importBiz, { enforced: false })),
    fileId: filled(file('原文件')),
    mode: filled(dict('方式', importMode)),
    totalNum: filled(optional(integer('总行数', { minimum: 0 }))),
    okNum: filled(optional(integer('成功', { minimum: 0 }))),
    errNum: filled(optional(integer('失败', { minimum: 0 }))),
    errFile: filled(optional(file('错误明细'))),
    taskStatus: state('状态', taskStatus),
  },
  { label: 'bizType', keep: keeping.workbooks },
)
export type Importtask = Row<typeof Importtask>

declare module '#engine' {
  interface Entities {
    importtask: typeof Importtask
  }
}
