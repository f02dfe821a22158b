import { events, text } from '#engine'
import type {} from '../audiences.ts'
import { notice } from './notice.ts'

/** What readers are told of notices that they have to confirm. */
export const noticeEvents = events(notice, {
  mustSure: {
    label: '有通知须确认',
    to: ['notice.readers'],
    fields: ['title'],
    data: { need: text('确认要求') },
    phrases: {
      need: {
        ticket: { zh: '，未确认不能下载准考证', en: '; without it the admission ticket cannot be downloaded' },
        plain: { zh: '，请登录阅读并确认', en: '' },
      },
    },
    by: { sms: false, mail: false, wechat: 'schedule' },
    text: {
      zh: '{exam}有通知须确认：《{title}》{need}。',
      en: '{exam}: please read and confirm “{title}”{need}.',
    },
    opens: '/signup/notice/:id',
    settles: ['notice.recalled'],
    hold: 1,
  },
  recalled: {
    label: '须确认的通知已撤回',
    to: ['notice.told'],
    fields: ['title'],
    text: {
      zh: '{exam}通知《{title}》已撤回，无需确认。',
      en: '{exam}: “{title}” was taken back; you need not confirm it.',
    },
    opens: '/signup/notice/:id',
    settles: ['notice.mustSure'],
    corrects: true,
  },
})
