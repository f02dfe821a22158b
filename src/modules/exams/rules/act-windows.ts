import { ReduceBase } from '#schemas/dictionaries/sign-up'
import { type Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type ExamTimes, type Moment, type WindowState, windowState } from './exam-phase.ts'

/** What decides when an act may be done: the exam, for acts on a stage its times, and for payment the times of the fee. */
export interface ActFacts {
  exam: Partial<ExamTimes> & { reduceBase?: number | null }
  stage?: { itemName: string; startTime: Date; endTime: Date }
  fee?: { startTime: Moment; endTime: Moment }
}

/** One end of a window: the moment, and what is said beyond it. Without a moment nothing is refused. */
interface Bound {
  at: (facts: ActFacts) => Moment
  refusal: (time: string, facts: ActFacts) => Refusal
}

/** From when and until when an act may be done. */
interface ActWindow {
  from?: Bound
  until?: Bound
  /** What is said where one of the moments is not set; without it nothing is refused then. */
  unset?: () => Refusal
}

/** What candidates do may come late by the seconds of grace: clocks of two machines differ. */
const withGrace = (end: Moment, { exam }: ActFacts): Moment =>
  end && new Date(end.getTime() + (exam.graceSeconds ?? 0) * 1000)

const signEnd = (facts: ActFacts): Moment => withGrace(facts.exam.signEndTime, facts)

/** A fee says when it is paid; before there is one, its exam. */
const payStart = ({ exam, fee }: ActFacts): Moment => (fee ? fee.startTime : exam.payStartTime)
const payEnd = ({ exam, fee }: ActFacts): Moment => (fee ? fee.endTime : exam.payEndTime)

/** Whoever stands at the door may take notes from a day before a stage begins until a day after its end. */
const doorMargin = 24 * 3600_000
const shifted = (time: Moment, by: number): Moment => time && new Date(time.getTime() + by)
const doorFrom = ({ stage }: ActFacts): Moment => shifted(stage?.startTime, -doorMargin)
const doorUntil = ({ stage }: ActFacts): Moment => shifted(stage?.endTime, doorMargin)
const minute = (time: Moment): string => wireTime(time ?? null).slice(0, 16)
const doorOpen = (facts: ActFacts): Refusal =>
  refuse('tickets.checkInClosed', { 时间: `${minute(doorFrom(facts))} – ${minute(doorUntil(facts))}` })

const signOver: Bound = {
  at: signEnd,
  refusal: time => refuseSaying('row.wrongState', `报名${time}截止，截止后才能编排座位`),
}
const stageOver = (refusal: (time: string, name: string) => Refusal): Bound => ({
  at: ({ stage }) => stage?.endTime,
  refusal: (time, { stage }) => refusal(time, stage?.itemName ?? ''),
})
const stageBegun = (refusal: (time: string, name: string) => Refusal): Bound => ({
  at: ({ stage }) => stage?.startTime,
  refusal: (time, { stage }) => refusal(time, stage?.itemName ?? ''),
})

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

/**
 * Acts of an exam with their windows, `[from, until)`: the one place that says when something is too early or too late, and
 * in which words. Calls ask it before anything else, pages before anything is typed. What stands against an act apart from
 * the time (states, tickets, people) is said where the act is done.
 */
export const actWindows = {
  'exam.release': {
    until: {
      at: ({ exam }) => exam.signEndTime,
      refusal: () => refuse('exams.timesInvalid', { 说明: '报名结束时间已过，请修改' }),
    },
  },
  'exam.archive': {
    from: {
      at: ({ exam }) => exam.publicityEnd,
      refusal: time => refuseSaying('row.wrongState', `公示${time}结束，结束前不能归档`),
    },
  },
  'signup.submit': {
    from: { at: ({ exam }) => exam.signStartTime, refusal: 时间 => refuse('signup.notStarted', { 时间 }) },
    until: {
      at: signEnd,
      refusal: (_, { exam }) => refuse('signup.closed', { 时间: wireTime(exam.signEndTime ?? null) }),
    },
  },
  'signup.withdraw': {
    until: {
      at: signEnd,
      refusal: (_, { exam }) =>
        refuseSaying('signup.notWithdrawable', `报名已于${wireTime(exam.signEndTime ?? null)}截止，不能再撤回修改`),
    },
  },
  'signup.correct': {
    until: {
      at: ({ exam }) => exam.modifyEndTime,
      refusal: time => refuseSaying('signup.correctionClosed', `补正已于${time}截止`),
    },
  },
  'signup.adjust': {
    until: {
      at: ({ exam }) => exam.reduceStartTime ?? exam.signEndTime,
      refusal: () => refuse('signup.notEditable', { 状态: '已进入改报' }),
    },
  },
  review: {
    until: {
      at: ({ exam }) => exam.examineEndTime,
      refusal: time => refuseSaying('review.closed', `审核已于${time}截止`),
    },
  },
  'reduction.plan': { from: counting },
  'reduction.confirm': {
    until: {
      at: ({ exam }) => exam.reduceEndTime,
      refusal: () => refuse('exams.timesInvalid', { 说明: '改报结束时间须晚于现在' }),
    },
  },
  'reduction.list': {
    until: {
      at: ({ exam }) => exam.reduceEndTime,
      refusal: time => refuseSaying('reduction.choiceClosed', `改报已于${time}截止`),
    },
    unset: () => refuse('reduction.choiceClosed'),
  },
  'reduction.choose': {
    from: {
      at: ({ exam }) => exam.reduceStartTime,
      refusal: time => refuseSaying('reduction.choiceClosed', `改报${time}开始`),
    },
    until: {
      at: ({ exam }) => exam.reduceEndTime,
      refusal: time => refuseSaying('reduction.choiceClosed', `改报已于${time}截止`),
    },
    unset: () => refuse('reduction.choiceClosed'),
  },
  'fee.release': { until: { at: payEnd, refusal: () => refuse('input.invalid', { 说明: '缴费结束时间已过' }) } },
  'fee.reopen': {
    until: { at: payEnd, refusal: time => refuseSaying('payment.closed', `缴费已于${time}截止，请先延长缴费结束时间`) },
  },
  pay: {
    from: { at: payStart, refusal: time => refuseSaying('payment.closed', `缴费${time}开始`) },
    until: {
      at: facts => withGrace(payEnd(facts), facts),
      refusal: (_, facts) => refuseSaying('payment.closed', `缴费已于${wireTime(payEnd(facts) ?? null)}截止`),
    },
  },
  'seats.plan': {
    from: signOver,
    until: stageOver((time, name) => refuseSaying('row.wrongState', `「${name}」已于${time}结束，不能再编排座位`)),
  },
  'ticket.release': {
    until: stageOver((time, name) => refuseSaying('row.wrongState', `「${name}」已于${time}结束，不能再发布准考证`)),
  },
  'ticket.download': {
    from: {
      at: ({ exam }) => exam.ticketStartTime,
      refusal: time => refuseSaying('tickets.downloadClosed', `准考证${time}开始下载`),
    },
    until: {
      at: ({ exam }) => exam.ticketEndTime,
      refusal: time => refuseSaying('tickets.downloadClosed', `准考证下载已于${time}结束`),
    },
  },
  'ticket.remind': {
    until: {
      at: ({ exam }) => exam.ticketEndTime,
      refusal: time => refuseSaying('tickets.downloadClosed', `准考证下载已于${time}结束`),
    },
  },
  'door.note': {
    from: { at: doorFrom, refusal: (_, facts) => doorOpen(facts) },
    until: { at: doorUntil, refusal: (_, facts) => doorOpen(facts) },
  },
  'door.rehearse': {
    until: { at: doorFrom, refusal: time => refuse('tickets.rehearsalOver', { 时间: time.slice(0, 16) }) },
  },
  'result.enter': {
    from: stageBegun((time, name) => refuseSaying('row.wrongState', `「${name}」${time}才开考，开考前不能录入成绩`)),
  },
  'result.release': {
    from: stageBegun((time, name) => refuseSaying('row.wrongState', `「${name}」${time}才开考，开考前不能发布成绩`)),
  },
  'result.view': {
    from: {
      at: ({ exam }) => exam.resultTime,
      refusal: time => refuseSaying('results.notReleased', `成绩${time}公布`),
    },
    until: {
      at: ({ exam }) => exam.resultEndTime,
      refusal: time => refuseSaying('results.notReleased', `成绩查询已于${time}结束`),
    },
  },
  'appeal.file': {
    until: {
      at: ({ exam }) => exam.appealEndTime,
      refusal: time => refuseSaying('results.appealClosed', `复核申请已于${time}截止`),
    },
    unset: () => refuseSaying('results.appealClosed', '本次考试不受理成绩复核申请'),
  },
} as const satisfies Record<string, ActWindow>

/** An act of the table. */
export type Act = keyof typeof actWindows

/** Where the present stands to the window of an act; `unset` when it has neither end. */
export function stateOf(act: Act, facts: ActFacts, now: Date): WindowState {
  const { from, until }: ActWindow = actWindows[act]
  return windowState(from?.at(facts), until?.at(facts), now)
}

/** Why an act is too early or too late now; null when it is in time. */
export function untimely(act: Act, facts: ActFacts, now: Date): Refusal | null {
  const { from, until, unset }: ActWindow = actWindows[act]
  if (unset && ((from && !from.at(facts)) || (until && !until.at(facts)))) return unset()
  const state = stateOf(act, facts, now)
  if (state === 'before') return from?.refusal(wireTime(from.at(facts) ?? null), facts) ?? null
  return state === 'closed' ? (until?.refusal(wireTime(until.at(facts) ?? null), facts) ?? null) : null
}

/** Whether an act is neither too early nor too late. */
export const isTimely = (act: Act, facts: ActFacts, now: Date): boolean => untimely(act, facts, now) === null

/** The moments between which an act may be done, `[from, until)`; null where nothing bounds it. */
export function windowOf(act: Act, facts: ActFacts): { from: Date | null; until: Date | null } {
  const { from, until }: ActWindow = actWindows[act]
  return { from: from?.at(facts) ?? null, until: until?.at(facts) ?? null }
}

/** Refuses an act that is too early or too late. @throws the refusal that {@link actWindows} has for it */
export function checkTimely(act: Act, facts: ActFacts, now: Date): void {
  const refusal = untimely(act, facts, now)
  if (refusal) throw refusal
}

/** Before a stage has ended its results are early: they need a reason and a second person. */
export const isEarly = ({ endTime }: { endTime: Date }, now: Date): boolean => now < endTime
