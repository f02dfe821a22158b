import { integer, text } from '#engine'
import { ExamStatus } from '../../schemas/dictionaries.ts'

/** A released exam is closed: sign-up, corrections, payment and download stop at once; the data stays. */
export const examTransitions = {
  closeExam: {
    label: '关闭',
    call: 'POST closeExam?id,reason',
    when: { examStatus: ExamStatus.released },
    set: { examStatus: ExamStatus.closed, closeTime: '$now', closeReason: '$reason' },
    reason: text('关闭原因'),
    code: 'close',
    danger: true,
  },
} as const

/** What else is done with an exam as a whole, from its copy to its archive. */
export const examActions = {
  copyExam: {
    label: '复制',
    call: 'POST copyExam?id,newName,shiftDays',
    code: 'copy',
    ask: { newName: text('新考试名称', { maxLength: 100 }), shiftDays: integer('日期顺延天数', { default: 365 }) },
  },
  releaseExam: {
    label: '发布',
    call: 'POST releaseExam?id',
    open: '/exam/release/:id',
    when: { examStatus: [ExamStatus.draft, ExamStatus.closed] },
    code: 'release',
  },
  archive: {
    label: '归档',
    call: 'POST archive?id',
    open: '/exam/archive/:id',
    when: { examStatus: ExamStatus.closed },
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
