import { type Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type ExamTimes, type Moment, type WindowState, windowState } from './exam-phase.ts'

/** What decides when an act may be done: the exam, for acts on a stage its times, and for payment the times of the fee. */
export interface ActFacts {
  exam: Partial<ExamTimes> & { reduceBase?: number | null }
  stage?: { itemName: string; startTime: Date; endTime: Date; confirmEnd?: Moment }
  fee?: { startTime: Moment; endTime: Moment }
}

/** One end of a period. Where its moment is not set, that end is open. */
interface End {
  at: (facts: ActFacts) => Moment
}

/** From when and until when something holds, `[from, until)`. */
export interface Period {
  from?: End
  until?: End
}

/** One end of a window, and the refusal of what lies beyond it; `time` is its moment as text. */
export interface Bound extends End {
  refusal: (time: string, facts: ActFacts) => Refusal
}

/** From when and until when an act may be done, and how it is refused at other times. */
export interface ActWindow {
  from?: Bound
  until?: Bound
  /** The refusal where one of the moments is not set; without it nothing is refused then. */
  unset?: () => Refusal
}

/** The acts of a module with their windows. */
export type ActWindows = Readonly<Record<string, ActWindow>>

/** What candidates do may come late by the seconds of grace: clocks of two machines differ. */
export const withGrace = (end: Moment, { exam }: ActFacts): Moment =>
  end && new Date(end.getTime() + (exam.graceSeconds ?? 0) * 1000)

/** The end of sign-up, with the seconds of grace. */
export const signEnd = (facts: ActFacts): Moment => withGrace(facts.exam.signEndTime, facts)

/** When candidates whose post has been reduced choose another one. */
export const choicePeriod = {
  from: { at: ({ exam }) => exam.reduceStartTime },
  until: { at: ({ exam }) => exam.reduceEndTime },
} as const satisfies Period

/** When candidates see their results. */
export const resultPeriod = {
  from: { at: ({ exam }) => exam.resultTime },
  until: { at: ({ exam }) => exam.resultEndTime },
} as const satisfies Period

/**
 * Acts on exams with their windows, `[from, until)`. A module whose acts depend on times has such a table in its `rules/act-windows.ts`, the one place
 * that says when its acts are too early or too late, and in which words. Calls ask it before anything else, pages before
 * anything is typed. What stands against an act apart from the time (states, tickets, people) is said where the act is done.
 */
export const examWindows = {
  release: {
    until: {
      at: ({ exam }) => exam.signEndTime,
      refusal: () => refuse('exams.timesInvalid', { 说明: '报名结束时间已过，请修改' }),
    },
  },
  archive: {
    from: {
      at: ({ exam }) => exam.publicityEnd,
      refusal: time => refuseSaying('row.wrongState', `公示${time}结束，结束前不能归档`),
    },
  },
} as const satisfies ActWindows

/** Where the present stands to a period; `unset` when it has neither end. */
export function stateOf({ from, until }: Period, facts: ActFacts, now: Date): WindowState {
  return windowState(from?.at(facts), until?.at(facts), now)
}

/** Why an act is too early or too late now; null when it is in time. */
export function untimely(act: ActWindow, facts: ActFacts, now: Date): Refusal | null {
  const { from, until, unset } = act
  if (unset && ((from && !from.at(facts)) || (until && !until.at(facts)))) return unset()
  const state = stateOf(act, facts, now)
  if (state === 'before') return from?.refusal(wireTime(from.at(facts) ?? null), facts) ?? null
  return state === 'closed' ? (until?.refusal(wireTime(until.at(facts) ?? null), facts) ?? null) : null
}

/** Whether an act is neither too early nor too late. */
export const isTimely = (act: ActWindow, facts: ActFacts, now: Date): boolean => untimely(act, facts, now) === null

/** The moments between which an act may be done, `[from, until)`; null where nothing bounds it. */
export function windowOf({ from, until }: Period, facts: ActFacts): { from: Date | null; until: Date | null } {
  return { from: from?.at(facts) ?? null, until: until?.at(facts) ?? null }
}

/** Refuses an act that is too early or too late. @throws the refusal that its window has for it */
export function checkTimely(act: ActWindow, facts: ActFacts, now: Date): void {
  const refusal = untimely(act, facts, now)
  if (refusal) throw refusal
}

/** Before a stage has ended its results are early: they need a reason and a second person. */
export const isEarly = ({ endTime }: { endTime: Date }, now: Date): boolean => now < endTime
