import { dateTime, events, optional } from '#engine'
import type {} from '../audiences.ts'
import { examinationticket } from './examinationticket.ts'
import { ticketnotice } from './ticketnotice.ts'

const must = { sms: 'must', mail: true } as const

/** What candidates are told of their own tickets. */
export const ticketEvents = events(examinationticket, {
  voided: {
    label: '准考证作废',
    to: ['owner'],
    fields: ['voidReason'],
    by: { ...must, wechat: 'schedule' },
    urgent: true,
    text: {
      zh: '您在{exam}的准考证已作废，原因请登录查看，疑问请致电{phone}。',
      en: 'Your admission ticket for {exam} is void; sign in for the reason. Questions: {phone}.',
    },
    opens: '/signup/ticket',
  },
  reissued: {
    label: '准考证补发',
    to: ['owner'],
    by: { ...must, wechat: 'schedule' },
    urgent: true,
    text: {
      zh: '您在{exam}的准考证已重发，请登录重新下载，旧证无效。',
      en: 'Your admission ticket for {exam} was reissued. Download it again; the old one is void.',
    },
    opens: '/signup/ticket',
  },
})

/** What candidates are told of papers that a ticket asks for. */
export const ticketPaperEvents = events(ticketnotice, {
  refused: {
    label: '准考证材料不合格',
    to: ['owner'],
    fields: ['picRemark'],
    data: { until: optional(dateTime('下载截止')) },
    otherwise: { until: { zh: '考前', en: 'the examination' } },
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '您为{exam}准考证上传的材料不合格，请在{until}前登录重新上传。',
      en: 'The papers you uploaded for the ticket of {exam} were refused. Upload them again before {until}.',
    },
    opens: '/signup/ticket',
  },
  accepted: {
    label: '准考证材料合格',
    to: ['owner'],
    text: {
      zh: '您为{exam}准考证上传的材料已通过核验。',
      en: 'The papers you uploaded for the ticket of {exam} were accepted.',
    },
    opens: '/signup/ticket',
    settles: ['ticketnotice.refused'],
  },
})
