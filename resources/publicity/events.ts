import { dateTime, events, optional } from '#engine'
import type {} from '../audiences.ts'
import { objection } from './objection.ts'
import { publicity } from './publicity.ts'

/** What is told of public notices to those who are on them, or were on one that was corrected, and to the managers of the exam. */
export const publicityEvents = events(publicity, {
  started: {
    label: '公示开始',
    to: ['list.people', 'exam.managers'],
    fields: ['title'],
    data: { until: optional(dateTime('公示截止')) },
    otherwise: { until: { zh: '公示期满', en: 'the end of its period' } },
    by: { sms: false, mail: true, wechat: 'list' },
    text: {
      zh: '{exam}公示中：{title}，{until}止，如有异议可在网站提出。',
      en: '{exam}: “{title}” is on public notice until {until}; objections on the site.',
    },
    opens: '/public/publicity/:id',
    informs: true,
  },
  changed: {
    label: '公示更正或撤回',
    to: ['list.people', 'exam.managers'],
    fields: ['title', 'withdrawReason'],
    by: { sms: true, mail: true, wechat: 'list' },
    text: {
      zh: '{exam}公示有变更，请以网站最新公示为准。',
      en: '{exam}: a public notice was corrected or withdrawn; the latest on the site counts.',
    },
    opens: '/public/publicity/:id',
    settles: ['publicity.started'],
  },
})

/** What managers are told of objections, and whoever objects of the answer. */
export const objectionEvents = events(objection, {
  filed: {
    label: '收到异议',
    to: ['exam.managers', 'administrators'],
    fields: ['receipt'],
    data: { until: dateTime('答复截止') },
    by: { mail: true },
    text: {
      zh: '{exam}收到异议，编号{receipt}，{until}前答复。',
      en: '{exam}: an objection was received, number {receipt}; answer it before {until}.',
    },
    opens: '/publicity/objection',
  },
  received: {
    label: '异议受理编号',
    to: ['objector'],
    fields: ['receipt'],
    data: { until: dateTime('答复截止') },
    by: { sms: 'must' },
    text: {
      zh: '已收到您的异议，编号{receipt}，{until}前答复，凭编号可在网站查询。',
      en: 'We have your objection, number {receipt}; it is answered before {until}. Follow it on the site.',
    },
    opens: '/public/objection',
  },
  answered: {
    label: '异议已答复',
    to: ['objector'],
    fields: ['receipt'],
    by: { sms: 'must' },
    text: {
      zh: '您的异议（编号{receipt}）已有答复，请凭编号在网站查询。',
      en: 'Your objection {receipt} is answered; read it on the site with its number.',
    },
    opens: '/public/objection',
    settles: ['objection.filed'],
  },
})
