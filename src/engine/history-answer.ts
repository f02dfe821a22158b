import { json, text } from './field.ts'
import { group, list } from './shape.ts'

/** One field that changed: its values as they were kept, and the names of the rows that references lead to. */
export const historyChangeShape = group({
  field: text('字段'),
  from: json('变更前'),
  to: json('变更后'),
  fromName: text('变更前名称'),
  toName: text('变更后名称'),
})

/** One entry of the history of a row: who did what to it, when and why. */
export const historyEntryShape = group({
  id: text('编号'),
  act: text('操作'),
  actName: text('操作名称'),
  reason: text('原因'),
  userId: text('操作人'),
  userName: text('操作人姓名'),
  time: text('时间'),
  changes: list(historyChangeShape),
})
