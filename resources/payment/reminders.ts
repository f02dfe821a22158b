import { dateTime, reminders } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { payrecord } from './payrecord.ts'

/** What candidates are reminded of before a fee can no longer be paid. */
export const payrecordReminders = reminders(payrecord, {
  paymentEnds: {
    label: '尚未缴费',
    who: 'unpaid',
    before: 'payEnd',
    steps: [24, 3],
    most: 2,
    stops: ['payrecord.paid', 'payrecord.exempted', 'payrecord.closed'],
    to: ['owner'],
    fields: ['amount'],
    data: { until: dateTime('缴费截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '{exam}缴费将于{until}截止，请登录缴费{amount}元，逾期视为放弃。',
      en: '{exam}: payment ends {until}. Sign in and pay ¥{amount}; unpaid counts as withdrawing.',
    },
    opens: '/signup/examPay',
  },
})
