import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type ActWindows, signEnd } from '../../exams/rules/act-windows.ts'

/** When candidates change their sign-ups. */
export const signupWindows = {
  submit: {
    from: { at: ({ exam }) => exam.signStartTime, refusal: 时间 => refuse('signup.notStarted', { 时间 }) },
    until: {
      at: signEnd,
      refusal: (_, { exam }) => refuse('signup.closed', { 时间: wireTime(exam.signEndTime ?? null) }),
    },
  },
  withdraw: {
    until: {
      at: signEnd,
      refusal: (_, { exam }) =>
        refuseSaying('signup.notWithdrawable', `报名已于${wireTime(exam.signEndTime ?? null)}截止，不能再撤回修改`),
    },
  },
  correct: {
    until: {
      at: ({ exam }) => exam.modifyEndTime,
      refusal: time => refuseSaying('signup.correctionClosed', `补正已于${time}截止`),
    },
  },
  adjust: {
    until: {
      at: ({ exam }) => exam.reduceStartTime ?? exam.signEndTime,
      refusal: () => refuse('signup.notEditable', { 状态: '已进入改报' }),
    },
  },
} as const satisfies ActWindows
