import { dateTime, events, money } from '#engine'
import type {} from '../audiences.ts'
import { payorder } from './payorder.ts'
import { payrecord } from './payrecord.ts'
import { payrefund } from './payrefund.ts'
import { reconciliation } from './reconciliation.ts'

const told = { sms: true, mail: true } as const
const must = { sms: 'must', mail: true } as const

/** What candidates are told of what they owe and have paid, and finance of receipts that are wanted. */
export const payrecordEvents = events(payrecord, {
  opened: {
    label: '缴费通知',
    to: ['owner'],
    fields: ['amount'],
    data: { until: dateTime('缴费截止') },
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '{exam}请在{until}前登录缴费{amount}元，逾期视为放弃。',
      en: '{exam}: pay ¥{amount} before {until}; unpaid counts as withdrawing.',
    },
    opens: '/signup/examPay',
  },
  reopened: {
    label: '缴费重新开放',
    to: ['owner'],
    fields: ['amount'],
    data: { until: dateTime('缴费截止') },
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '{exam}缴费重新开放，请在{until}前登录缴费{amount}元。',
      en: '{exam}: payment is open again; pay ¥{amount} before {until}.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.closed', 'payrecord.opened'],
  },
  urged: {
    label: '催缴',
    to: ['owner'],
    fields: ['amount'],
    data: { until: dateTime('缴费截止') },
    by: { sms: true, mail: true, wechat: 'todo' },
    text: {
      zh: '您在{exam}尚未缴费，请在{until}前登录缴费{amount}元，逾期视为放弃。',
      en: '{exam}: you have not paid yet. Pay ¥{amount} before {until}; unpaid counts as withdrawing.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.opened', 'payrecord.reopened'],
  },
  exempted: {
    label: '免缴',
    to: ['owner'],
    by: { ...told, wechat: 'result' },
    text: {
      zh: '您在{exam}的报名费已免缴，无需支付。',
      en: 'Your fee for {exam} is waived; you need not pay.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.opened', 'payrecord.reopened', 'payrecord.urged'],
  },
  closed: {
    label: '缴费截止未缴',
    to: ['owner'],
    by: { sms: false, mail: true },
    text: {
      zh: '{exam}缴费已截止，您未缴费，视为放弃。',
      en: '{exam}: payment has ended and you had not paid, which counts as withdrawing.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.opened', 'payrecord.reopened', 'payrecord.urged'],
  },
  paid: {
    label: '缴费成功',
    to: ['owner'],
    fields: ['amount'],
    by: { sms: false, mail: true, wechat: 'result' },
    text: {
      zh: '已收到您{exam}的报名费{amount}元，可登录申请票据。',
      en: 'We have your fee of ¥{amount} for {exam}. You can request a receipt.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.opened', 'payrecord.reopened', 'payrecord.urged', 'payrecord.closed'],
  },
  invoiced: {
    label: '票据已开具',
    to: ['owner'],
    fields: ['invoiceNo'],
    by: { sms: false, mail: true, wechat: 'result' },
    text: {
      zh: '您在{exam}的电子票据已开具，请登录下载。',
      en: 'Your receipt for {exam} is ready to download.',
    },
    opens: '/signup/examPay',
    settles: ['payrecord.invoiceAsked'],
  },
  invoiceAsked: {
    label: '考生申请票据',
    to: ['finance.invoices'],
    text: { zh: '{exam}有考生申请票据。', en: '{exam}: a candidate requests a receipt.' },
    opens: '/pay/invoice',
  },
})

/** What payers are told of money that does not count. */
export const payorderEvents = events(payorder, {
  odd: {
    label: '多付或错付',
    to: ['owner'],
    fields: ['paidAmount'],
    by: { ...told, wechat: 'result' },
    text: {
      zh: '您多付的{paidAmount}元将原路退回，无需操作。',
      en: '¥{paidAmount} that you paid too much will be returned; you need do nothing.',
    },
    opens: '/signup/examPay',
  },
  oddFound: {
    label: '异常订单',
    to: ['finance'],
    fields: ['orderNo', 'paidAmount'],
    by: { mail: true },
    text: {
      zh: '订单{orderNo}异常，涉及{paidAmount}元，请核对。',
      en: 'Order {orderNo} needs attention: ¥{paidAmount}.',
    },
    opens: '/pay/order',
  },
})

/** What payers and finance are told of refunds. */
export const payrefundEvents = events(payrefund, {
  asked: {
    label: '退款待批准',
    to: ['finance'],
    fields: ['amount', 'reason'],
    text: {
      zh: '退款申请待您批准：{amount}元，{reason}。',
      en: 'A refund of ¥{amount} waits for your approval: {reason}.',
    },
    opens: '/pay/refund',
  },
  started: {
    label: '退款已提交',
    to: ['owner'],
    fields: ['amount'],
    text: {
      zh: '{exam}退款{amount}元已提交，到账以渠道为准。',
      en: '{exam}: a refund of ¥{amount} is under way.',
    },
    opens: '/signup/examPay',
    settles: ['payrefund.asked'],
  },
  done: {
    label: '退款成功',
    to: ['owner'],
    fields: ['amount'],
    by: { ...told, wechat: 'result' },
    text: {
      zh: '您在{exam}的{amount}元已原路退回，请留意到账。',
      en: '¥{amount} for {exam} was returned the way it came.',
    },
    opens: '/signup/examPay',
    settles: ['payrefund.asked', 'payrefund.started', 'payrefund.failed'],
  },
  failed: {
    label: '退款未成功',
    to: ['owner'],
    fields: ['amount'],
    by: { mail: false },
    text: {
      zh: '{exam}退款{amount}元未成功，工作人员将与您联系。',
      en: '{exam}: your refund of ¥{amount} did not go through; staff will contact you.',
    },
    opens: '/signup/examPay',
    settles: ['payrefund.started'],
  },
  stuck: {
    label: '退款异常',
    to: ['finance'],
    fields: ['amount', 'refundNo', 'errMsg'],
    by: { mail: true },
    text: {
      zh: '退款单{refundNo}（{amount}元）未成功：{errMsg}。',
      en: 'Refund {refundNo} (¥{amount}) did not go through: {errMsg}.',
    },
    opens: '/pay/refund',
  },
  rejected: {
    label: '退款驳回',
    to: ['creator'],
    fields: ['amount', 'errMsg'],
    text: {
      zh: '您申请的退款{amount}元被驳回：{errMsg}。',
      en: 'The refund of ¥{amount} you asked for was rejected: {errMsg}.',
    },
    opens: '/pay/refund',
    settles: ['payrefund.asked'],
  },
})

/** What finance is told of the books of a day. */
export const reconciliationEvents = events(reconciliation, {
  differs: {
    label: '对账有差异',
    to: ['finance'],
    fields: ['billDate', 'diffNum'],
    data: { amount: money('差额') },
    by: { mail: true },
    text: {
      zh: '{billDate}对账有{diffNum}笔差异，差额{amount}元。',
      en: 'The books of {billDate} differ in {diffNum} lines, ¥{amount}.',
    },
    opens: '/pay/reconciliation',
  },
})
