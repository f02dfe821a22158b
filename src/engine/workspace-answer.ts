import { dateTime, json, text } from './field.ts'
import { historyEntryShape } from './history-answer.ts'
import { count, group, id, list, maybe, openGroup, sometimes, truth, type Wire } from './shape.ts'

/** What ends next: the field that holds the time, what people call it, and the time. */
export const deadlineShape = group({ field: text('字段'), label: text('名称'), at: dateTime('时间') })
/** What ends next, as pages have it. */
export type Deadline = Wire<typeof deadlineShape>

/** What the call `GET workspace?id` answers: the header of the row, and the lines of today that have work. */
export const workspaceShape = group({
  /** The fields of the header, and those that decide what is shown. */
  row: openGroup({ id: text('编号') }),
  label: text('名称'),
  line: maybe(json('时间安排')),
  today: list(
    group({
      title: text('事项'),
      count: count('条数'),
      oldest: maybe(dateTime('最早时间')),
      /** Of how many of them a field says what; none where the line names no field. */
      parts: list(group({ title: text('名称'), count: count('条数') })),
    }),
  ),
  /** The rows that come day after day, and the days on which some came; nothing where there is no such line, or it is not for the caller. */
  trend: maybe(
    group({
      count: count('条数'),
      days: list(group({ day: text('日期'), count: count('条数') })),
      today: text('今天'),
      /** Numbers of the caller's lists that stand below it. */
      numbers: list(group({ title: text('名称'), count: count('数量') })),
    }),
  ),
})

/** One entry of what has been changed around the row of a workspace: of which row, and what was done to it. */
export const workspaceEntryShape = group({
  ...historyEntryShape.of,
  /** The resource that the row belongs to. */
  resource: text('资源'),
  /** What its rows are called. */
  title: text('资源名称'),
  rowId: id('行'),
  /** What the row is called. */
  label: text('名称'),
})

/** One thing that a row needs before its next step, as the call of a workspace's checks answers it. */
export const checkLineShape = group({
  key: text('代码'),
  label: text('要求'),
  ok: truth('是否满足'),
  msg: text('缺少的内容'),
  /** What is worth a thought and hinders nothing. */
  advice: sometimes(truth('仅为建议')),
  /** The row that is to be mended, on the page where the thing is mended. */
  row: sometimes(id('要修改的行')),
  /** The field that is to be filled in there. */
  field: sometimes(text('要填写的字段')),
})
