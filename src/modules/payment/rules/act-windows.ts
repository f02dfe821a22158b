import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type ActFacts, type ActWindows, withGrace } from '../../exams/rules/act-windows.ts'
import type { Moment } from '../../exams/rules/exam-phase.ts'

/** A fee says when it is paid; before there is one, its exam. */
const payStart = ({ exam, fee }: ActFacts): Moment => (fee ? fee.startTime : exam.payStartTime)
const payEnd = ({ exam, fee }: ActFacts): Moment => (fee ? fee.endTime : exam.payEndTime)

/** When fees are released, opened once more, and paid. */
export const paymentWindows = {
  release: { until: { at: payEnd, refusal: () => refuse('input.invalid', { 说明: '缴费结束时间已过' }) } },
  reopen: {
    until: { at: payEnd, refusal: time => refuseSaying('payment.closed', `缴费已于${time}截止，请先延长缴费结束时间`) },
  },
  pay: {
    from: { at: payStart, refusal: time => refuseSaying('payment.closed', `缴费${time}开始`) },
    until: {
      at: facts => withGrace(payEnd(facts), facts),
      refusal: (_, facts) => refuseSaying('payment.closed', `缴费已于${wireTime(payEnd(facts) ?? null)}截止`),
    },
  },
} as const satisfies ActWindows
