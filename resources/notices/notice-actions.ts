import { NoticeStatus } from '../../schemas/dictionaries.ts'
import { pinTransitions } from './pin-transitions.ts'

/** What is done with a notice: shown to its writer, followed by its readers. */
export const noticeActions = {
  preview: { label: '预览', call: 'GET preview?id', open: '/notice/preview/:id', code: 'view' },
  reading: {
    label: '阅读情况',
    call: 'GET reading?id',
    when: { noticeStatus: [NoticeStatus.released, NoticeStatus.recalled] },
    open: '/notice/read?noticeId=:id',
  },
} as const

/** A notice is released and taken back, and stands above the others or among them. */
export const noticeTransitions = {
  release: {
    label: '发布',
    call: 'POST release?id',
    when: { noticeStatus: [NoticeStatus.draft, NoticeStatus.recalled] },
    set: { noticeStatus: NoticeStatus.released },
    confirm: '确定发布?',
  },
  recall: {
    label: '撤回',
    call: 'POST recall?id',
    when: { noticeStatus: NoticeStatus.released },
    set: { noticeStatus: NoticeStatus.recalled },
    confirm: '撤回后考生不再看到，确定撤回?',
    danger: true,
  },
  ...pinTransitions,
} as const
