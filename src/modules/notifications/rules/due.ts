import { isQuiet, type QuietHours, quietStart } from '../../../platform/channels/quiet.ts'
import { nightEnd } from './quiet.ts'

const minute = 60_000
const hour = 60 * minute
/** What would be due in a night and cannot wait for its end is due this long before the night begins. */
const early = 30 * minute

/** A time that reminders count back from. */
export interface Countdown {
  /** What the steps are counted back from. */
  readonly end: Date
  /** After that nobody is reminded any more. */
  readonly until: Date
  /** Before that nobody can do anything about it; null where that has no beginning. */
  readonly from: Date | null
}

/** When it is asked for, and when nobody is to be disturbed. */
interface Around {
  readonly now: Date
  readonly quiet: QuietHours
}

/** A step with the time in which it is due: from `at`, before `end`. */
export interface DueStep {
  /** Hours before the end. */
  readonly step: number
  readonly at: Date
  readonly end: Date
}

/** Moves what is due in a night to its end, where that leaves an hour to act; else to the evening before. */
function byDay(at: Date, until: Date, hours: QuietHours): Date {
  if (!isQuiet(at, hours)) return at
  const end = nightEnd(at, until, hours)
  return isQuiet(end, hours) ? new Date(quietStart(at, hours).getTime() - early) : end
}

const latest = (one: Date, other: Date | null): Date => (other && other > one ? other : one)

/**
 * When people are reminded of what ends: at each step until the next one is due. A step that is due no earlier than the next one has
 * no time of its own and is left out.
 * @param steps hours before the end
 */
export function dueSteps({ end, until, from }: Countdown, steps: readonly number[], hours: QuietHours): DueStep[] {
  const all = [...new Set(steps)]
    .sort((a, b) => b - a)
    .map(step => ({ step, at: latest(byDay(new Date(end.getTime() - step * hour), until, hours), from) }))
  return all.map((one, i) => ({ ...one, end: all[i + 1]?.at ?? until })).filter(one => one.at < one.end)
}

/** The step that is due now; undefined where none is. */
export const stepNow = (countdown: Countdown, steps: readonly number[], { now, quiet }: Around): DueStep | undefined =>
  dueSteps(countdown, steps, quiet).find(one => one.at <= now && now < one.end)

/** When people are reminded next; undefined where they are not any more. */
export const nextStep = (countdown: Countdown, steps: readonly number[], { now, quiet }: Around): DueStep | undefined =>
  dueSteps(countdown, steps, quiet).find(one => one.at > now)
