import { integer, text } from '#engine'
import { ExamStatus } from '../../schemas/dictionaries.ts'

/** What is done with an exam as a whole, from its copy to its archive. */
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
  closeExam: {
    label: '关闭',
    call: 'POST closeExam?id,reason',
    ask: { reason: text('关闭原因') },
    when: { examStatus: ExamStatus.released },
    code: 'close',
    danger: true,
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
