import { dateTime, reminders, text } from '#engine'
import type {} from '../audiences.ts'
import type {} from '../deadlines.ts'
import type {} from '../populations.ts'
import { signup } from './signup.ts'

/** What candidates are reminded of before they lose their place. */
export const signupReminders = reminders(signup, {
  draftEnds: {
    label: '报名尚未提交',
    who: 'drafts',
    before: 'signEnd',
    steps: [24, 3],
    most: 2,
    stops: ['signup.submitted', 'signup.left'],
    to: ['owner'],
    data: { until: dateTime('报名截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '您在{exam}的报名尚未提交，{until}截止，请登录完成。',
      en: 'Your application for {exam} is not submitted yet. Sign-up ends {until}; sign in to complete it.',
    },
    opens: '/signup/form/:examId',
  },
  correctionEnds: {
    label: '报名待修改',
    who: 'returned',
    before: 'modifyEnd',
    steps: [24, 3],
    most: 2,
    stops: ['signup.resubmitted', 'signup.passed', 'signup.refused', 'signup.reviewUndone', 'signup.left'],
    to: ['owner'],
    data: { until: dateTime('补正截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '您在{exam}的报名待修改，请在{until}前登录重新提交，逾期不再受理。',
      en: 'Your application for {exam} waits for your corrections. Submit it again before {until}.',
    },
    opens: '/signup/form/:examId',
  },
  choiceEnds: {
    label: '尚未改报',
    who: 'choosing',
    before: 'reduceEnd',
    steps: [24, 3, 1],
    most: 3,
    stops: ['signup.chosen', 'signup.takenOff', 'signup.choiceLapsed', 'signup.left', 'signup.struck'],
    to: ['owner'],
    data: { until: dateTime('改报截止') },
    by: { sms: 'must', wechat: 'todo' },
    text: {
      zh: '您在{exam}的岗位已取消，改报{until}截止，请尽快登录选择。',
      en: 'Your position in {exam} is cancelled. Sign in and choose another before {until}.',
    },
    opens: '/signup/mySignup/:id',
  },
  confirmationEnds: {
    label: '入围尚未确认',
    who: 'toConfirm',
    before: 'confirmEnd',
    steps: [24, 3],
    most: 2,
    stops: ['signup.confirmed', 'signup.declined', 'signup.struck'],
    to: ['owner'],
    data: { item: text('环节'), until: dateTime('确认截止') },
    by: { sms: true, wechat: 'todo' },
    text: {
      zh: '您入围{exam}{item}尚未确认，{until}截止，逾期视为放弃。',
      en: 'You are shortlisted for {item} of {exam} and have not confirmed. Sign in before {until}; no answer means you decline.',
    },
    opens: '/signup/score',
  },
})
