import { dateTime, integer, reminders } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { examination } from './examination.ts'
import { examinationitem } from './examinationitem.ts'
import { examuser } from './examuser.ts'

const waiting = { num: integer('件数'), hours: integer('最早已等小时') }
const reviews = {
  to: ['owner'],
  data: waiting,
  by: { mail: false, wechat: 'schedule' },
  text: {
    zh: '{num}份报名待您审核，最早已等{hours}小时。',
    en: 'Applications that wait for your review: {num}. The oldest has waited for {hours} hours.',
  },
} as const

/** What staff are reminded of in their part of an exam. */
export const examuserReminders = reminders(examuser, {
  reviewWaits: {
    label: '待初审（每个工作日）',
    who: 'reviewing',
    before: 'workMorning',
    steps: [0],
    ...reviews,
    opens: '/examine/list',
  },
  reviewEnds: {
    label: '待初审（审核截止前）',
    who: 'reviewing',
    before: 'examineEnd',
    steps: [24, 3],
    ...reviews,
    opens: '/examine/list',
  },
  recheckWaits: {
    label: '待复审（每个工作日）',
    who: 'rechecking',
    before: 'workMorning',
    steps: [0],
    ...reviews,
    opens: '/examine/review',
  },
  recheckEnds: {
    label: '待复审（审核截止前）',
    who: 'rechecking',
    before: 'examineEnd',
    steps: [24, 3],
    ...reviews,
    opens: '/examine/review',
  },
  moneyWaits: {
    label: '缴费事项待处理',
    who: 'lateMoney',
    before: 'workMorning',
    steps: [0],
    to: ['owner'],
    data: {
      num: integer('件数'),
      refunds: integer('退款'),
      invoices: integer('票据'),
      orders: integer('异常订单'),
    },
    by: { mail: true },
    text: {
      zh: '{num}件缴费事项待处理：退款{refunds}，票据{invoices}，异常订单{orders}。',
      en: 'Payment matters that wait: {num} (refunds {refunds}, receipts {invoices}, odd orders {orders}).',
    },
    opens: '/exam/:examId',
  },
  answersDue: {
    label: '复核和异议即将到期',
    who: 'lateAnswers',
    before: 'workMorning',
    steps: [0],
    to: ['owner'],
    data: { num: integer('件数') },
    by: { mail: true },
    text: {
      zh: '{num}件申请即将到期或已超期。',
      en: 'Requests that are about to be late, or are late: {num}.',
    },
    opens: '/exam/:examId',
  },
})

const ready = {
  to: ['exam.managers'],
  most: 1,
  data: { until: dateTime('开始时间') },
  by: { sms: true, mail: true },
} as const

/** What managers are reminded of while a stage is not ready for what is about to begin. */
export const stageReminders = reminders(examinationitem, {
  seatsNotLocked: {
    ...ready,
    label: '座位尚未锁定',
    who: 'seatsOpen',
    before: 'ticketStart',
    steps: [48],
    fields: ['itemName'],
    text: {
      zh: '{exam}{itemName}准考证下载将于{until}开始，座位尚未锁定。',
      en: '{exam} {itemName}: ticket download begins {until} and the seats are not locked.',
    },
    opens: '/ticket/allot',
  },
  ticketsNotReleased: {
    ...ready,
    label: '准考证尚未发布',
    who: 'ticketsHeld',
    before: 'ticketStart',
    steps: [24],
    fields: ['itemName'],
    text: {
      zh: '{exam}{itemName}准考证下载将于{until}开始，尚未发布。',
      en: '{exam} {itemName}: ticket download begins {until} and the tickets are not released.',
    },
    opens: '/ticket/allot',
  },
  resultsNotReleased: {
    ...ready,
    label: '成绩尚未发布',
    who: 'resultsHeld',
    before: 'resultStart',
    steps: [2],
    fields: ['itemName'],
    text: {
      zh: '{exam}{itemName}成绩查询将于{until}开始，尚未就绪。',
      en: '{exam} {itemName}: results can be looked up from {until} and are not released.',
    },
    opens: '/exam/:examId',
  },
})

/** What managers are reminded of while an exam is not ready for what is about to begin. */
export const examReminders = reminders(examination, {
  reductionNotConfirmed: {
    ...ready,
    label: '核减尚未确认',
    who: 'reductionOpen',
    before: 'reduceStart',
    steps: [24],
    text: {
      zh: '{exam}改报将于{until}开始，核减尚未确认。',
      en: '{exam}: reselection begins {until} and the reductions are not confirmed.',
    },
    opens: '/reduction/post',
  },
  listNotReady: {
    ...ready,
    label: '公示名单尚未就绪',
    who: 'listMissing',
    before: 'publicityStart',
    steps: [24],
    text: {
      zh: '{exam}公示将于{until}开始，名单尚未就绪。',
      en: '{exam}: the public notice begins {until} and its list is not ready.',
    },
    opens: '/exam/:examId',
  },
})
