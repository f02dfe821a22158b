import type { Deadline } from '#engine'
import type { Phase } from '#resources/exams/standing'
import { ExamStatus } from '#schemas/dictionaries/exam'

/** Where `now` stands to a window; `unset` when neither end is set. */
export type WindowState = 'unset' | 'before' | 'open' | 'closed'

export type Moment = Date | null | undefined

/**
 * Windows are half-open, `[start, end)`: at `start` it is open, at `end` closed. A missing end never closes and a
 * missing start is always begun. `graceSeconds` lengthens the end.
 */
export function windowState(start: Moment, end: Moment, now: Date, graceSeconds = 0): WindowState {
  if (!start && !end) return 'unset'
  if (start && now < start) return 'before'
  return end && now.getTime() >= end.getTime() + graceSeconds * 1000 ? 'closed' : 'open'
}

/** What the phases of an exam are read from: its state, its switches and its windows. */
export interface ExamTimes {
  /** 0 draft, 1 released, 2 closed, 3 archived. */
  examStatus: number
  allowAdjust?: number | null
  needPay?: number | null
  graceSeconds?: number | null
  signStartTime?: Moment
  signEndTime?: Moment
  modifyEndTime?: Moment
  examineEndTime?: Moment
  reduceStartTime?: Moment
  reduceEndTime?: Moment
  payStartTime?: Moment
  payEndTime?: Moment
  ticketStartTime?: Moment
  ticketEndTime?: Moment
  examStartTime?: Moment
  examEndTime?: Moment
  resultTime?: Moment
  resultEndTime?: Moment
  appealEndTime?: Moment
  publicityStart?: Moment
  publicityEnd?: Moment
}

/** From when and until when a list of an exam is on public notice, `[start, end)`. */
export interface PublicPeriod {
  start: Date
  end: Date
}

/** What the standing of an exam is read from: its times, and the periods of its lists that were released. */
export interface ExamStanding extends ExamTimes {
  lists: readonly PublicPeriod[]
}

interface Window {
  phase: Phase
  start: keyof ExamTimes | null
  end: keyof ExamTimes
  /** What people call its end. */
  deadline: string
  asked?: (exam: ExamTimes) => boolean
}

const windows: readonly Window[] = [
  { phase: '报名中', start: 'signStartTime', end: 'signEndTime', deadline: '报名截止' },
  { phase: '审核中', start: 'signStartTime', end: 'examineEndTime', deadline: '审核截止' },
  {
    phase: '改报中',
    start: 'reduceStartTime',
    end: 'reduceEndTime',
    deadline: '改报截止',
    asked: exam => exam.allowAdjust === 1,
  },
  {
    phase: '缴费中',
    start: 'payStartTime',
    end: 'payEndTime',
    deadline: '缴费截止',
    asked: exam => exam.needPay === 1,
  },
  { phase: '待考', start: 'examineEndTime', end: 'examStartTime', deadline: '考试开始' },
  { phase: '准考证下载中', start: 'ticketStartTime', end: 'ticketEndTime', deadline: '准考证下载截止' },
  { phase: '考试中', start: 'examStartTime', end: 'examEndTime', deadline: '考试结束' },
  { phase: '待公布成绩', start: 'examEndTime', end: 'resultTime', deadline: '成绩公布' },
  { phase: '成绩公布', start: 'resultTime', end: 'resultEndTime', deadline: '成绩查询截止' },
  { phase: '公示中', start: 'publicityStart', end: 'publicityEnd', deadline: '公示结束' },
]

/** A public notice: of a list, or `planned` by the times of the exam. */
interface Notice {
  start: Date
  end: Moment
  planned: boolean
}

/**
 * The public notice that counts at a moment: of the list that is public and ends first, else of what comes next, else of what was the
 * last. What the exam has planned is one until a list is out that is public at that time.
 */
export function noticeOf(
  { lists, publicityStart, publicityEnd }: Omit<ExamStanding, 'examStatus'>,
  now: Date,
): Notice | null {
  const isDue = publicityStart && !lists.some(({ end }) => end > publicityStart)
  const all: Notice[] = lists.map(one => ({ ...one, planned: false }))
  if (isDue) all.push({ start: publicityStart, end: publicityEnd, planned: true })
  all.sort((a, b) => a.start.getTime() - b.start.getTime())
  const open = all.filter(({ start, end, planned }) => !planned && windowState(start, end, now) === 'open')
  const [first] = open.toSorted((a, b) => Number(a.end) - Number(b.end))
  return first ?? all.find(({ end }) => !end || end > now) ?? all.at(-1) ?? null
}

/** An exam with the public notice of now in place of the one that was planned. */
function withNotice(exam: ExamStanding, now: Date, isPlan = false): ExamTimes {
  const notice = noticeOf(exam, now)
  const [publicityStart, publicityEnd] =
    notice && (isPlan || !notice.planned) ? [notice.start, notice.end] : [null, null]
  return { ...exam, publicityStart, publicityEnd }
}

const at = (exam: ExamTimes, field: keyof ExamTimes | null): Date | null => {
  const value = field === null ? null : exam[field]
  return value instanceof Date ? value : null
}

/** A phase holds only where its beginning is set: a window nobody has planned is not running. */
function isOpen(exam: ExamTimes, window: Window, now: Date): boolean {
  const start = at(exam, window.start)
  const end = at(exam, window.end)
  const grace = window.end === 'signEndTime' ? (exam.graceSeconds ?? 0) : 0
  const unbounded = !end && window.phase !== '成绩公布'
  if (!start || unbounded || window.asked?.(exam) === false) return false
  return windowState(start, end, now, grace) === 'open'
}

/** The phases an exam is in, several at once where windows overlap; a draft has none. Nothing of it is stored. */
export function phasesOf(of: ExamStanding, now: Date): Phase[] {
  const exam = withNotice(of, now)
  if (exam.examStatus === ExamStatus.draft) return []
  if (exam.examStatus === ExamStatus.closed) return ['已关闭']
  if (exam.examStatus === ExamStatus.archived) return ['已结束']
  if (windowState(exam.signStartTime, null, now) === 'before') return ['未开始报名']
  const open = windows.filter(window => isOpen(exam, window, now)).map(window => window.phase)
  return open.length > 0 ? open : ['已结束']
}

/** An end that is coming, with its instant. */
interface Ending extends Omit<Deadline, 'at'> {
  at: Date
}

/** The nearest end of an open window, or the opening of sign-up while that is still ahead; null when nothing is. */
export function nextDeadline(exam: ExamStanding, now: Date): Ending | null {
  return deadlinesOf(exam, now)[0] ?? null
}

/** The ends of all open windows, the nearest first; only the opening of sign-up while that is still ahead. */
export function deadlinesOf(of: ExamStanding, now: Date): Ending[] {
  const exam = withNotice(of, now)
  if (exam.examStatus !== ExamStatus.released) return []
  const start = exam.signStartTime
  if (start && now < start) return [{ field: 'signStartTime', label: '报名开始', at: start }]
  const ends = windows
    .filter(window => isOpen(exam, window, now))
    .flatMap(window => {
      const end = at(exam, window.end)
      return end && end > now ? [{ field: window.end, label: window.deadline, at: end }] : []
    })
  return ends.sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** A window that was planned, with where now stands to it. */
interface Stage {
  phase: Phase
  start: Date
  end: Date
  /** The fields that hold its beginning and its end. */
  fields: readonly string[]
  state: Exclude<WindowState, 'unset'>
}

/**
 * The windows of an exam whose beginning and end are set, in the order of their days; those nobody asked for are none. Nothing is on
 * public notice before a list is, and its times are those of the list.
 */
export function stagesOf(of: ExamStanding, now: Date): Stage[] {
  const exam = withNotice(of, now, true)
  const isPlan = noticeOf(of, now)?.planned === true
  const planned = windows.flatMap(window => {
    const [start, end] = [at(exam, window.start), at(exam, window.end)]
    if (!start || !end || end <= start || window.asked?.(exam) === false) return []
    const isNotice = window.phase === '公示中'
    const known = windowState(start, end, now)
    const state = isNotice && isPlan && known === 'open' ? 'before' : known
    const fields = isNotice && !isPlan ? [] : [window.start, window.end].filter(field => field !== null)
    return state === 'unset' ? [] : [{ phase: window.phase, start, end, fields, state }]
  })
  return planned.sort((a, b) => a.start.getTime() - b.start.getTime())
}

/** Where an exam stands: its phases and the nearest deadline. */
export const standingOf = (exam: ExamStanding, now: Date) => ({
  phases: phasesOf(exam, now),
  deadline: nextDeadline(exam, now),
})
