import { events } from '#engine'
import type {} from '../audiences.ts'
import { hook } from './hook.ts'

/** What administrators are told of addresses that other systems do not answer at. */
export const hookEvents = events(hook, {
  disabled: {
    label: '推送自动停用',
    to: ['administrators'],
    fields: ['name', 'offReason'],
    by: { mail: true },
    text: {
      zh: '推送“{name}”连续失败，已停用。',
      en: 'Webhook “{name}” kept failing and is switched off.',
    },
    opens: '/develop/hook',
  },
})
