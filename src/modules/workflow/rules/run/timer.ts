import { FlowProblem } from '../problem.ts'
import { limits } from './limits.ts'

/** When a timer goes off for the first time, and how it goes on. */
export interface Schedule {
  readonly due: Date
  readonly again: { readonly left: number; readonly every: number } | null
}

const duration =
  /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:[.,]\d+)?S)?)?$/i
const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

const wrong = (text: string) => new FlowProblem(`时间不正确：${text.slice(0, 50)}`)

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/**
 * The moment an ISO 8601 duration after another; months and years are those of the calendar.
 * @throws FlowProblem
 */
function addDuration(from: Date, text: string): Date {
  const parts = duration.exec(text.trim())
  if (!parts) throw wrong(text)
  const [years, months, weeks, days, hours, minutes, seconds] = parts.slice(1).map(one => Number(one ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const at = new Date(from)
  if (years > 0 || months > 0) {
    const dayOfMonth = at.getUTCDate()
    at.setUTCDate(1)
    at.setUTCMonth(at.getUTCMonth() + 12 * years + months)
    // The 31st of a month that has fewer days is its last one.
    const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
    at.setUTCDate(Math.min(dayOfMonth, last))
  }
  const time = at.getTime() + (7 * weeks + days) * day + hours * hour + minutes * minute + seconds * second
  if (!(time < 253_402_300_800_000)) throw wrong(text)
  return new Date(time)
}

/**
 * An ISO 8601 date or time; without a zone that of Shanghai.
 * @throws FlowProblem
 */
function readMoment(text: string): Date {
  const found = date.exec(text.trim())
  if (!found) throw wrong(text)
  const iso = text.trim().replace(' ', 'T')
  const whole = iso.length === 10 ? `${iso}T00:00:00` : iso
  const at = new Date(found[1] ? whole : `${whole}+08:00`)
  if (Number.isNaN(at.getTime())) throw wrong(text)
  return at
}

/**
 * The moment something is due: a date, or a duration from now.
 * @throws FlowProblem
 */
export const readDue = (text: string, now: Date): Date =>
  /^p/i.test(text.trim()) ? addDuration(now, text) : readMoment(text)

/**
 * When a timer goes off. One whose date has passed goes off at once.
 * @param kind how the text is meant
 * @throws FlowProblem for a text that is none, and for a timer that is shorter or repeats more often than is allowed
 */
export function scheduleOf(kind: 'duration' | 'date' | 'cycle', text: string, now: Date): Schedule {
  if (kind === 'date') return { due: readMoment(text), again: null }
  const [, times, every] = kind === 'cycle' ? (/^R(\d*)\/(.+)$/i.exec(text.trim()) ?? []) : ['', '1', text]
  if (every === undefined) throw wrong(text)
  const due = addDuration(now, every)
  const wait = due.getTime() - now.getTime()
  if (wait < limits.timer) throw new FlowProblem(`定时不能短于${limits.timer / second}秒`)
  if (!times || Number(times) < 1 || Number(times) > limits.repeats)
    throw new FlowProblem(`定时最多重复${limits.repeats}次`)
  return { due, again: Number(times) > 1 ? { left: Number(times) - 1, every: wait } : null }
}
