import { dateTime, reminders, text } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { result } from './result.ts'

/** What candidates are reminded of while a recheck can still be requested. */
export const resultReminders = reminders(result, {
  notLookedAt: {
    label: '成绩尚未查询',
    who: 'unseen',
    before: 'resultLook',
    steps: [0],
    most: 1,
    to: ['owner'],
    data: { item: text('环节'), until: dateTime('复核截止') },
    by: { wechat: 'list' },
    text: {
      zh: '{exam}{item}成绩可查询，复核截至{until}。',
      en: '{item} of {exam}: your result can be seen. Requests for a recheck until {until}.',
    },
    opens: '/signup/score',
  },
})
