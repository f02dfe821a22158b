import { resource, text, through } from '#engine'
import { PurgeStatus } from '../../schemas/dictionaries.ts'
import { Datapurge } from '../../schemas/exams/datapurge.ts'

export const datapurge = resource(Datapurge, {
  path: '/blade-exam/datapurge',
  route: '/exam/purge',
  can: ['view', 'add', 'export'],
  derived: { blocks: text('不能清除的原因') },
  columns: [
    { field: 'examId', with: ['exam.examCode'], width: 210 },
    { field: 'purgeStatus', as: 'tag', with: ['cancelReason'], width: 120 },
    { field: 'dueDate', card: true, width: 110 },
    { field: 'rowNum', card: true, width: 110 },
    { field: 'fileNum', width: 120 },
    { field: 'blocks', width: 170 },
    { field: 'planUser', with: ['planTime'], width: 110 },
    { field: 'confirmUser', with: ['confirmTime'], folded: true },
    { field: 'fileKB', folded: true },
    { field: 'doneNum', folded: true },
    { field: 'doneFileNum', folded: true },
    { field: 'endTime', folded: true },
    { field: 'pdfFile', folded: true },
    { field: 'jsonFile', folded: true },
    { field: 'idsHash', folded: true },
  ],
  form: ['examId'],
  views: {
    全部: {},
    待告知: { purgeStatus: PurgeStatus.draft },
    等我确认: { purgeStatus: PurgeStatus.planned, planUser: { not: '$caller' } },
    清除中: { purgeStatus: PurgeStatus.running },
    已清除: { purgeStatus: PurgeStatus.done },
  },
  todos: { 等我确认: { label: '待确认的清除', needs: 'datapurge_confirm', since: 'planTime' } },
  main: ['plan', 'confirm', 'view'],
  empty: { text: '没有到期的资料', next: { 新增: 'add' } },
  search: ['examId', 'purgeStatus', 'dueDate', 'createTime'],
  children: { datapurgeline: { label: '清除明细', by: 'purgeId' } },
  // Rows of an exam by appointment cannot be written once it is archived, which is when data are erased.
  scope: through('examId'),
  transitions: {
    plan: {
      label: '告知考生',
      call: 'POST plan?id',
      when: { purgeStatus: PurgeStatus.draft },
      confirm: '考生将收到通知，30天后由另一人确认才能清除，确定?',
      guard: '有到期的资料，没有未了结的退款、复核、异议，没有冻结',
      set: { purgeStatus: PurgeStatus.planned, planUser: '$caller', planTime: '$now' },
    },
    confirm: {
      label: '确认清除',
      call: 'POST confirm?id',
      when: { purgeStatus: PurgeStatus.planned },
      second: 'planUser',
      ask: { examCode: text('考试编号', { maxLength: 50, help: '清除后不能恢复，请输入这场考试的编号' }) },
      guard: '告知已满30天，没有未了结的退款、复核、异议，没有冻结，考试编号一致',
      set: { purgeStatus: PurgeStatus.running, confirmUser: '$caller', confirmTime: '$now' },
      danger: true,
    },
    cancel: {
      label: '取消清除',
      call: 'POST cancel?id',
      when: { purgeStatus: [PurgeStatus.draft, PurgeStatus.planned] },
      set: { purgeStatus: PurgeStatus.cancelled, cancelReason: '$reason' },
      reason: text('取消原因', { maxLength: 200 }),
      code: 'plan',
    },
    finish: {
      label: '清除完成',
      when: { purgeStatus: PurgeStatus.running },
      set: { purgeStatus: PurgeStatus.done, endTime: '$now' },
    },
  },
  actions: {
    recount: {
      label: '重新试算',
      call: 'POST recount?id',
      when: { purgeStatus: PurgeStatus.draft },
      code: 'plan',
    },
    resume: {
      label: '继续清除',
      call: 'POST resume?id',
      when: { purgeStatus: PurgeStatus.running },
      code: 'confirm',
    },
  },
})
