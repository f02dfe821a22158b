import { events, text } from '#engine'
import type {} from '../audiences.ts'
import { result } from './result.ts'
import { resultappeal } from './resultappeal.ts'

/** What candidates are told of their own results. */
export const resultEvents = events(result, {
  corrected: {
    label: '成绩更正',
    to: ['owner'],
    data: { item: text('环节') },
    by: { sms: 'must', mail: true, wechat: 'list' },
    text: {
      zh: '您在{exam}{item}的成绩已更正，请登录查看。',
      en: 'Your result in {item} of {exam} was corrected. Sign in to see it.',
    },
    opens: '/signup/score',
  },
})

/** What is told of requests for a recheck. */
export const appealEvents = events(resultappeal, {
  filed: {
    label: '复核申请',
    to: ['owner', 'exam.managers'],
    text: {
      zh: '已收到{exam}的成绩复核申请，等待处理。',
      en: 'A request to recheck a result of {exam} was received and waits to be handled.',
    },
    opens: '/signup/score',
  },
  answered: {
    label: '复核答复',
    to: ['owner'],
    fields: ['reply'],
    by: { sms: true, mail: true, wechat: 'result' },
    text: {
      zh: '您在{exam}的成绩复核已有答复，请登录查看。',
      en: 'Your recheck in {exam} is answered. Sign in to read it.',
    },
    opens: '/signup/score',
    settles: ['resultappeal.filed'],
  },
})
