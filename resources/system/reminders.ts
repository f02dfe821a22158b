import { integer, reminders } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { user } from './user.ts'

/** What staff are reminded of beyond single exams. */
export const userReminders = reminders(user, {
  booksDiffer: {
    label: '对账有差异未处理',
    who: 'differing',
    before: 'officeMorning',
    steps: [0],
    to: ['owner'],
    data: { num: integer('件数') },
    by: { mail: true },
    text: {
      zh: '{num}件缴费事项待处理：对账有差异。',
      en: 'Days whose books differ and wait to be settled: {num}.',
    },
    opens: '/pay/reconciliation',
  },
  answersOverdue: {
    label: '异议和复核已超期',
    who: 'overdueAnswers',
    before: 'officeMorning',
    steps: [0],
    to: ['owner'],
    data: { num: integer('件数') },
    by: { mail: true },
    text: {
      zh: '{num}件异议或复核申请已超期未答复。',
      en: 'Objections and rechecks that are late: {num}.',
    },
    opens: '/publicity/objection',
  },
  requestsDue: {
    label: '个人信息请求即将到期',
    who: 'lateRequests',
    before: 'officeMorning',
    steps: [0],
    to: ['owner'],
    data: { num: integer('件数') },
    by: { mail: true },
    text: {
      zh: '{num}件个人信息请求即将到期或已超期。',
      en: 'Requests about personal data that are about to be late, or are late: {num}.',
    },
    opens: '/system/datarequest',
  },
})
