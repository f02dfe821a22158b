import { dateTime, reminders, text } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { examinationticket } from './examinationticket.ts'

const stops = ['examinationticket.voided', 'examinationticket.reissued'] as const

/** What candidates are reminded of before their test. */
export const ticketReminders = reminders(examinationticket, {
  noticeUnconfirmed: {
    label: '通知尚未确认',
    who: 'unconfirmed',
    before: 'ticketEnd',
    steps: [24],
    most: 1,
    stops,
    to: ['owner'],
    data: { until: dateTime('下载截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '{exam}有通知尚未确认，未确认不能下载准考证，请登录确认。',
      en: '{exam}: a notice waits for you to confirm it; without that your ticket cannot be downloaded.',
    },
    opens: '/signup/ticket',
  },
  picturesMissing: {
    label: '准考证材料未齐',
    who: 'lackingPictures',
    before: 'ticketEnd',
    steps: [24],
    most: 1,
    stops,
    to: ['owner'],
    data: { until: dateTime('下载截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '{exam}准考证还缺材料，请在{until}前登录上传，否则不能下载。',
      en: '{exam}: your ticket needs papers. Upload them before {until}, or it cannot be downloaded.',
    },
    opens: '/signup/ticket',
  },
  notDownloaded: {
    label: '准考证尚未下载',
    who: 'notDownloaded',
    before: 'ticketEnd',
    steps: [24],
    most: 1,
    stops,
    to: ['owner'],
    data: { until: dateTime('下载截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '您的{exam}准考证尚未下载，请在{until}前登录下载打印。',
      en: 'You have not downloaded your ticket for {exam}. Download and print it before {until}.',
    },
    opens: '/signup/ticket',
  },
  examTomorrow: {
    label: '明日开考',
    who: 'examinees',
    before: 'stageDay',
    steps: [7],
    most: 1,
    stops,
    to: ['owner'],
    data: { item: text('环节'), time: text('到达时间', { maxLength: 5 }), site: text('考点', { maxLength: 12 }) },
    by: { sms: true, wechat: 'schedule' },
    text: {
      zh: '{exam}{item}明日开考，{time}前到{site}，带身份证和准考证。',
      en: '{item} of {exam} is tomorrow. Be at {site} by {time} with your identity card and ticket.',
    },
    opens: '/signup/ticket',
  },
})
