import { dateTime, events, optional, text } from '#engine'
import type {} from '../audiences.ts'
import { signup } from './signup.ts'

/** What becomes of a payment when somebody no longer takes part. */
const refund = {
  none: { zh: '', en: '' },
  back: { zh: '已缴费用将原路退回。', en: 'What you paid will be returned the way it came.' },
}

/** What comes after a review that was passed. */
const next = {
  wait: { zh: '请留意后续安排。', en: 'Watch for what comes next.' },
  pay: { zh: '请按时登录缴费。', en: 'Sign in and pay in time.' },
}

/** A time that nobody has named. */
const announced = { until: { zh: '规定时间', en: 'the time announced' } }

const sms = { sms: true, mail: true } as const
const must = { sms: 'must', mail: true } as const

/** What somebody who is out of an exam, or of the stages that a shortlist leads to, is not asked to do any more. */
const ofExam = [
  'payrecord.opened',
  'payrecord.reopened',
  'examinationitem.ticketsReleased',
  'examinationitem.placeChanged',
  'examinationticket.reissued',
  'ticketnotice.refused',
] as const

/** Fees, which whoever is no longer approved is not asked for any more. */
const fees = ['payrecord.opened', 'payrecord.reopened'] as const

/** What candidates are told of their sign-ups, from handing in to the shortlist. */
export const signupEvents = events(signup, {
  submitted: {
    label: '报名已提交',
    to: ['owner'],
    fields: ['signNo'],
    by: { sms: false, mail: true, wechat: 'result' },
    text: {
      zh: '已收到您在{exam}的报名，报名号{signNo}，请留意审核结果。',
      en: 'We have your application for {exam}, number {signNo}. You will hear of the review.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.left', 'signup.refused'],
  },
  resubmitted: {
    label: '修改后重新提交',
    to: ['owner'],
    text: {
      zh: '已收到您在{exam}修改后的报名，等待审核。',
      en: 'We have your corrected application for {exam}; it waits for review.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.returned'],
  },
  left: {
    label: '撤回或放弃报名',
    to: ['owner'],
    fields: ['signNo'],
    data: { act: text('操作'), refund: text('退费') },
    phrases: {
      act: {
        withdraw: { zh: '撤回', en: 'taken back your application for' },
        giveUp: { zh: '放弃', en: 'withdrawn from' },
      },
      refund,
    },
    by: { mail: true },
    text: {
      zh: '您已{act}在{exam}的报名（报名号{signNo}）。{refund}',
      en: 'You have {act} {exam} (number {signNo}). {refund}',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.submitted', 'signup.returned', 'signup.mustChoose', 'signup.passed'],
    ends: ofExam,
  },
  firstPassed: {
    label: '初审通过，等待复审',
    to: ['owner'],
    text: {
      zh: '您在{exam}的报名已通过初审，正在复审。',
      en: 'Your application for {exam} passed the first review; a second one follows.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.submitted', 'signup.resubmitted', 'signup.returned'],
    hold: 15,
    delays: true,
  },
  passed: {
    label: '审核通过',
    to: ['owner'],
    data: { next: text('后续') },
    phrases: { next },
    by: { ...sms, wechat: 'result' },
    text: { zh: '您在{exam}的报名已审核通过。{next}', en: 'Your application for {exam} is approved. {next}' },
    opens: '/signup/mySignup/:id',
    settles: ['signup.submitted', 'signup.resubmitted', 'signup.returned', 'signup.firstPassed'],
    hold: 15,
    delays: true,
    joins: fees,
  },
  returned: {
    label: '退回修改',
    to: ['owner'],
    fields: ['examineRemark'],
    data: { until: dateTime('补正截止') },
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '您在{exam}的报名被退回，请在{until}前登录修改并重新提交，逾期不再受理。',
      en: 'Your application for {exam} was returned. Correct it and submit it again before {until}.',
    },
    opens: '/signup/form/:examId',
    settles: ['signup.submitted', 'signup.resubmitted'],
    hold: 15,
    delays: true,
  },
  refused: {
    label: '审核不通过',
    to: ['owner'],
    fields: ['examineRemark', 'reviewRemark'],
    data: { again: text('再次报名') },
    phrases: {
      again: {
        no: { zh: '', en: '' },
        yes: { zh: '报名截止前可改报其他岗位。', en: 'Until sign-up ends you may apply for another position.' },
      },
    },
    by: { ...must, wechat: 'result' },
    text: {
      zh: '您在{exam}的报名未通过审核，原因请登录查看。{again}',
      en: 'Your application for {exam} was not approved; sign in for the reason. {again}',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.submitted', 'signup.resubmitted', 'signup.returned', 'signup.firstPassed'],
    hold: 15,
    delays: true,
  },
  reviewUndone: {
    label: '审核结果已撤销',
    to: ['owner'],
    by: { sms: false },
    text: {
      zh: '您在{exam}的审核结果已撤销，将重新审核，请等待通知。',
      en: 'The review of your application for {exam} was undone and will be made again.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.passed', 'signup.firstPassed', 'signup.returned', 'signup.refused'],
    ends: fees,
    corrects: true,
  },
  strikeNotice: {
    label: '拟取消资格',
    to: ['owner'],
    data: { reason: text('原因'), until: dateTime('陈述申辩截止') },
    by: must,
    text: {
      zh: '拟取消您在{exam}的资格，原因登录查看，{until}前可致电{phone}陈述申辩。',
      en: 'You are about to be disqualified from {exam}; sign in for the reason. You may state your case by phone before {until}: {phone}.',
    },
    opens: '/signup/mySignup/:id',
  },
  strikeDropped: {
    label: '不取消资格',
    to: ['owner'],
    by: must,
    text: {
      zh: '您在{exam}的资格不予取消，报名继续有效。',
      en: 'You are not disqualified from {exam}; your application stays valid.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.strikeNotice'],
    corrects: true,
  },
  struck: {
    label: '取消资格',
    to: ['owner'],
    fields: ['cancelReason'],
    by: { ...must, wechat: 'result' },
    text: {
      zh: '您在{exam}的资格已被取消，决定和理由请登录查看，异议请致电{phone}。',
      en: 'You were disqualified from {exam}. Sign in for the decision and reasons; questions: {phone}.',
    },
    opens: '/signup/mySignup/:id',
    settles: [
      'signup.strikeNotice',
      'signup.submitted',
      'signup.returned',
      'signup.passed',
      'signup.mustChoose',
      'signup.shortlisted',
      'signup.promoted',
    ],
    ends: ofExam,
  },
  restored: {
    label: '恢复资格',
    to: ['owner'],
    by: { ...must, wechat: 'result' },
    text: {
      zh: '您在{exam}的资格已恢复，请登录查看后续安排。',
      en: 'Your place in {exam} is restored. Sign in for what comes next.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.struck'],
  },
  shortlisted: {
    label: '入围',
    to: ['owner'],
    data: { item: text('环节'), next: text('后续'), until: optional(dateTime('确认截止')) },
    otherwise: announced,
    phrases: {
      next: {
        look: { zh: '请登录查看安排。', en: 'Sign in for the arrangements.' },
        confirm: {
          zh: '请在{until}前登录查看安排并确认。',
          en: 'Sign in and confirm before {until}; no answer means you decline.',
        },
      },
    },
    by: { ...must, wechat: 'list' },
    text: {
      zh: '您已入围{exam}{item}，{next}',
      en: 'You are shortlisted for {item} of {exam}. {next}',
    },
    opens: '/signup/score',
  },
  promoted: {
    label: '递补入围',
    to: ['owner'],
    data: { item: text('环节'), until: dateTime('确认截止') },
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '您已递补进入{exam}{item}，请在{until}前登录确认，逾期视为放弃。',
      en: 'You move up to the shortlist of {item} in {exam}. Confirm before {until}, or the place goes on.',
    },
    opens: '/signup/score',
    settles: ['signup.notShortlisted'],
  },
  confirmed: {
    label: '已确认入围',
    to: ['owner'],
    data: { item: text('环节') },
    text: {
      zh: '您已确认参加{exam}{item}的后续环节，请留意安排。',
      en: 'You have confirmed your place on the shortlist of {item} in {exam}. Watch for the arrangements.',
    },
    opens: '/signup/score',
    settles: ['signup.shortlisted', 'signup.promoted'],
  },
  declined: {
    label: '放弃入围',
    to: ['owner'],
    data: { item: text('环节'), act: text('操作') },
    phrases: {
      act: {
        decline: { zh: '已放弃', en: 'You have declined' },
        miss: { zh: '未按时确认，视为放弃', en: 'You did not answer in time, which counts as declining' },
      },
    },
    text: {
      zh: '您{act}{exam}{item}的入围资格。',
      en: '{act} your place on the shortlist of {item} in {exam}.',
    },
    opens: '/signup/score',
    settles: ['signup.shortlisted', 'signup.promoted'],
    ends: ofExam,
  },
  notShortlisted: {
    label: '未入围',
    to: ['owner'],
    data: { item: text('环节') },
    text: {
      zh: '您本次未入围{exam}{item}，成绩和排名可登录查询。',
      en: 'You are not shortlisted for {item} of {exam}; your result and rank can be seen.',
    },
    opens: '/signup/score',
  },
  mustChoose: {
    label: '岗位取消，须改报',
    to: ['owner'],
    data: { code: text('岗位代码'), until: optional(dateTime('改报截止')) },
    otherwise: announced,
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '{exam}岗位{code}已取消，请在{until}前登录改报或放弃，逾期视为放弃。',
      en: '{exam}: position {code} is cancelled. Choose another or decline before {until}; no answer means you decline.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.passed', 'signup.choicePassed'],
  },
  takenOff: {
    label: '移出改报名单',
    to: ['owner'],
    by: { sms: true, mail: true, wechat: 'result' },
    text: {
      zh: '您在{exam}的原岗位继续有效，无需改报。',
      en: 'Your position in {exam} stays valid; you need not choose another.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.mustChoose'],
  },
  chosen: {
    label: '已改报或放弃改报',
    to: ['owner'],
    data: { act: text('操作'), next: text('后续') },
    phrases: {
      act: {
        choose: { zh: '提交改报', en: 'chosen another position' },
        decline: { zh: '放弃改报', en: 'declined to choose another position' },
      },
      next: {
        review: { zh: '等待新单位审核。', en: 'The new employer will review it.' },
        ...refund,
      },
    },
    by: { mail: true },
    text: { zh: '您已在{exam}{act}。{next}', en: 'You have {act} in {exam}. {next}' },
    opens: '/signup/mySignup/:id',
    settles: ['signup.mustChoose', 'signup.choiceRefused'],
  },
  choicePassed: {
    label: '改报通过',
    to: ['owner'],
    fields: ['finalCode'],
    by: { ...sms, wechat: 'result' },
    text: {
      zh: '您在{exam}改报的岗位{finalCode}已通过审核。',
      en: 'Your new position {finalCode} in {exam} is approved.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.chosen'],
  },
  choiceRefused: {
    label: '改报未通过',
    to: ['owner'],
    data: { until: optional(dateTime('改报截止')) },
    otherwise: announced,
    by: { ...must, wechat: 'todo' },
    text: {
      zh: '您在{exam}的改报未通过，{until}前可登录再选，逾期视为放弃。',
      en: 'Your choice in {exam} was not approved. Choose again before {until}.',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.chosen'],
  },
  choiceLapsed: {
    label: '改报逾期',
    to: ['owner'],
    data: { refund: text('退费') },
    phrases: { refund },
    by: { ...sms, wechat: 'result' },
    text: {
      zh: '您在{exam}未按时改报，视为放弃。{refund}',
      en: 'You did not choose in time in {exam}, which counts as declining. {refund}',
    },
    opens: '/signup/mySignup/:id',
    settles: ['signup.mustChoose', 'signup.choiceRefused', 'signup.chosen'],
    ends: ofExam,
  },
})
