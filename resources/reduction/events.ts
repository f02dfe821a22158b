import { events } from '#engine'
import type {} from '../audiences.ts'
import { postreduction } from './postreduction.ts'

/** What candidates are told of positions that keep fewer places than were planned. */
export const reductionEvents = events(postreduction, {
  cut: {
    label: '岗位核减',
    to: ['position.live'],
    fields: ['code', 'beforeNum', 'afterNum'],
    by: { sms: false, mail: true, wechat: 'result' },
    text: {
      zh: '{exam}岗位{code}计划由{beforeNum}人核减为{afterNum}人，您的报名继续有效。',
      en: '{exam}: position {code} is cut from {beforeNum} to {afterNum} openings. Your application stays valid.',
    },
    opens: '/signup/mySignup',
  },
})
