import { resource, text, through } from '#engine'
import { ExamarchiveStatus } from '../../schemas/dictionaries.ts'
import { Examarchive } from '../../schemas/exams/examarchive.ts'

const pending = { examarchiveStatus: ExamarchiveStatus.pending } as const

export const examarchive = resource(Examarchive, {
  path: '/blade-exam/examarchive',
  route: '/exam/full-archive',
  can: ['view', 'export'],
  columns: [
    { field: 'examId', with: ['exam.examCode'], width: 210 },
    { field: 'examarchiveStatus', as: 'tag', with: ['dropReason'], width: 160 },
    { field: 'reason', width: 220 },
    { field: 'askUser', card: true, with: ['createTime'], width: 140 },
    { field: 'confirmUser', with: ['confirmTime'], width: 140 },
  ],
  views: {
    全部: {},
    等我确认: { ...pending, askUser: { not: '$caller' } },
    待确认: pending,
    已确认: { examarchiveStatus: ExamarchiveStatus.confirmed },
  },
  todos: { 等我确认: { label: '待确认的完整归档包', needs: 'examarchive_confirm' } },
  main: ['confirm', 'view'],
  empty: { text: '还没有人申请完整归档包，请在考试的归档页面提出' },
  find: ['reason'],
  search: ['examId', 'examarchiveStatus', 'askUser', 'createTime'],
  sort: '-createTime',
  scope: through('examId'),
  transitions: {
    confirm: {
      label: '确认生成',
      call: 'POST confirm?id',
      when: pending,
      second: 'askUser',
      confirm: '归档包内有证件号码等完整信息和全部附件，生成后由提出人下载，确定?',
      guard: '提出人仍可归档这场考试，磁盘空间足够',
      set: { examarchiveStatus: ExamarchiveStatus.confirmed, confirmUser: '$caller', confirmTime: '$now' },
    },
    drop: {
      label: '不生成',
      call: 'POST drop?id',
      when: pending,
      set: { examarchiveStatus: ExamarchiveStatus.dropped, dropReason: '$reason' },
      reason: text('不生成的原因', { maxLength: 200 }),
      code: 'confirm',
      danger: true,
    },
  },
})
