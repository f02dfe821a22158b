import { type ExamTimes, type Moment, windowState } from './exam-phase.ts'
import { Refusal, type RefusalCode, refusals, refuse } from './refusal.ts'
import { wireTime } from './wire.ts'

/** What decides when an act may be done: the exam, and for acts on a stage its times. */
export interface ActFacts {
  exam: ExamTimes & { reduceBase?: number | null }
  stage?: { itemName: string; startTime: Date; endTime: Date }
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
}

/** A refusal with a sentence of its own. */
const said = (code: RefusalCode, text: string): Refusal => new Refusal(code, refusals[code][0], text)

/** Corrections of the clock between two machines count for the end of sign-up. */
const signEnd = ({ exam }: ActFacts): Moment =>
  exam.signEndTime && new Date(exam.signEndTime.getTime() + (exam.graceSeconds ?? 0) * 1000)

const signOver: Bound = {
  at: signEnd,
  refusal: time => said(29009, `报名${time}截止，截止后才能编排座位`),
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
    return reduceBase === 2 && payEndTime && end && payEndTime > end ? payEndTime : end
  },
  refusal: (time, { exam }) =>
    said(
      29009,
      exam.reduceBase === 2 ? `缴费${time}截止，截止后才能处理岗位核减` : `报名${time}截止，截止后才能处理岗位核减`,
    ),
}

/**
 * Acts of an exam with their windows, `[from, until)`: the one place that says when something is too early or too late, and
 * in which words. Calls ask it before anything else, pages before anything is typed. What stands against an act apart from
 * the time (states, tickets, people) is said where the act is done.
 */
export const actWindows = {
  'signup.submit': {
    from: { at: ({ exam }) => exam.signStartTime, refusal: 时间 => refuse(22001, { 时间 }) },
    until: { at: signEnd, refusal: (_, { exam }) => refuse(22002, { 时间: wireTime(exam.signEndTime ?? null) }) },
  },
  'signup.correct': { until: { at: ({ exam }) => exam.modifyEndTime, refusal: () => refuse(22040) } },
  review: { until: { at: ({ exam }) => exam.examineEndTime, refusal: () => refuse(22033) } },
  'reduction.plan': { from: counting },
  'reduction.list': { until: { at: ({ exam }) => exam.reduceEndTime, refusal: () => refuse(23003) } },
  'reduction.choose': {
    from: { at: ({ exam }) => exam.reduceStartTime, refusal: () => refuse(23003) },
    until: { at: ({ exam }) => exam.reduceEndTime, refusal: () => refuse(23003) },
  },
  'seats.plan': {
    from: signOver,
    until: stageOver((time, name) => said(29009, `「${name}」已于${time}结束，不能再编排座位`)),
  },
  'ticket.release': {
    until: stageOver((time, name) => said(29009, `「${name}」已于${time}结束，不能再发布准考证`)),
  },
  'result.enter': {
    from: stageBegun((time, name) => said(29009, `「${name}」${time}才开考，开考前不能录入成绩`)),
  },
  'result.release': {
    from: stageBegun((time, name) => said(29009, `「${name}」${time}才开考，开考前不能发布成绩`)),
  },
} as const satisfies Record<string, ActWindow>

/** An act of the table. */
export type Act = keyof typeof actWindows

/** Why an act is too early or too late now; null when it is in time. */
export function untimely(act: Act, facts: ActFacts, now: Date): Refusal | null {
  const { from, until }: ActWindow = actWindows[act]
  const [start, end] = [from?.at(facts), until?.at(facts)]
  const state = windowState(start, end, now)
  if (state === 'before') return from?.refusal(wireTime(start ?? null), facts) ?? null
  return state === 'closed' ? (until?.refusal(wireTime(end ?? null), facts) ?? null) : null
}

/** Refuses an act that is too early or too late. @throws the refusal that {@link actWindows} has for it */
export function checkTimely(act: Act, facts: ActFacts, now: Date): void {
  const refusal = untimely(act, facts, now)
  if (refusal) throw refusal
}

/** Before a stage has ended its results are early: they need a reason and a second person. */
export const isEarly = ({ endTime }: { endTime: Date }, now: Date): boolean => now < endTime
