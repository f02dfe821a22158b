import { ReduceBase } from '#schemas/dictionaries/sign-up'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { type ActWindows, type Bound, choicePeriod, signEnd } from '../../exams/rules/act-windows.ts'

/** Where payment is what counts, counting begins when it is over. */
const counting: Bound = {
  at: facts => {
    const end = signEnd(facts)
    const { reduceBase, payEndTime } = facts.exam
    return reduceBase === ReduceBase.paid && payEndTime && end && payEndTime > end ? payEndTime : end
  },
  refusal: (time, { exam }) =>
    refuseSaying(
      'row.wrongState',
      exam.reduceBase === ReduceBase.paid
        ? `缴费${time}截止，截止后才能处理岗位核减`
        : `报名${time}截止，截止后才能处理岗位核减`,
    ),
}

const choiceOver: Bound = {
  at: choicePeriod.until.at,
  refusal: time => refuseSaying('reduction.choiceClosed', `改报已于${time}截止`),
}

/** When posts are reduced, and when candidates choose another one. */
export const reductionWindows = {
  plan: { from: counting },
  confirm: {
    until: {
      at: choicePeriod.until.at,
      refusal: () => refuse('exams.timesInvalid', { 说明: '改报结束时间须晚于现在' }),
    },
  },
  list: { until: choiceOver, unset: () => refuse('reduction.choiceClosed') },
  choose: {
    from: {
      at: choicePeriod.from.at,
      refusal: time => refuseSaying('reduction.choiceClosed', `改报${time}开始`),
    },
    until: choiceOver,
    unset: () => refuse('reduction.choiceClosed'),
  },
} as const satisfies ActWindows
