import { dateTime, group, list, text, type Wire, words } from '#engine'

/** What an exam is doing now; several at once where its windows overlap. */
export const phaseShape = words(
  '阶段',
  '未开始报名',
  '报名中',
  '审核中',
  '改报中',
  '缴费中',
  '待考',
  '准考证下载中',
  '考试中',
  '待公布成绩',
  '成绩公布',
  '公示中',
  '已关闭',
  '已结束',
)

/** A window of an exam, and whether it is open now. */
export const windowShape = group({
  phase: phaseShape,
  start: dateTime('开始时间'),
  end: dateTime('结束时间'),
  /** The fields that hold its beginning and its end. */
  fields: list(text('字段')),
  state: words('状态', 'before', 'open', 'closed'),
})

/** A phase by its word. */
export type Phase = Wire<typeof phaseShape>
/** A window as pages have it. */
export type ExamWindow = Wire<typeof windowShape>
