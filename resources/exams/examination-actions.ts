import { optional, text } from '#engine'
import { ExamStatus } from '../../schemas/dictionaries.ts'

/**
 * An exam is released, closed and archived. When it is closed, sign-up, corrections, payment and download stop at once; the data
 * stays.
 */
export const examTransitions = {
  releaseExam: {
    label: '发布',
    call: 'POST releaseExam?id,reason',
    open: '/exam/:id?checks',
    confirm: '发布后考生即可报名，确定发布?',
    when: { examStatus: [ExamStatus.draft, ExamStatus.closed] },
    guard: '发布检查的各项都已满足',
    set: {
      examStatus: ExamStatus.released,
      releaseTime: '$now',
      releaseUser: '$caller',
      reopenReason: '$reason',
    },
    reason: optional(text('重新发布原因', { maxLength: 200 })),
    askWhen: { examStatus: ExamStatus.closed },
    code: 'release',
  },
  closeExam: {
    label: '关闭',
    call: 'POST closeExam?id,reason',
    when: { examStatus: ExamStatus.released },
    set: { examStatus: ExamStatus.closed, closeTime: '$now', closeUser: '$caller', closeReason: '$reason' },
    reason: text('关闭原因'),
    code: 'close',
    danger: true,
  },
  archive: {
    label: '归档',
    call: 'POST archive?id',
    open: '/exam/:id/archive',
    when: { examStatus: ExamStatus.closed },
    guard: '归档检查的各项都已满足',
    set: { examStatus: ExamStatus.archived, archiveTime: '$now', archiveUser: '$caller' },
  },
} as const

/** What else is done with an exam as a whole. */
export const examActions = {
  copyExam: {
    label: '复制',
    call: 'POST copyExam?id,newName,shiftDays',
    open: '/exam/new?from=:id',
    code: 'copy',
  },
  preview: { label: '报名表', call: 'GET getFormInfo?id', open: '/exam/form/:id' },
  look: { label: '预览', call: 'GET getPreview?id', open: '/exam/preview/:id', code: 'preview' },
  allot: {
    label: '考场编排',
    call: 'GET getAllotInfo?id',
    open: '/ticket/allot?examId=:id',
    when: { examStatus: [ExamStatus.released, ExamStatus.closed] },
  },
} as const
