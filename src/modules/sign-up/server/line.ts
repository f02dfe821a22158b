import type { Selectable } from 'kysely'
import type { Wire } from '#engine'
import { ExamineMode, ExamineStatus, PayState, ReduceState, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import type { ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import type { LiveDatabase } from '../../../platform/database/live.ts'
import { type Moment, noticeOf } from '../../exams/rules/exam-phase.ts'
import type { stationShape } from '../contract.ts'
import type { ListedExam } from './exam-page.ts'
import type { Step, StepFacts } from './next-step.ts'

/** A station on the way of a sign-up; its moment is a date until it is sent. */
export type Station = Omit<Wire<typeof stationShape>, 'time'> & { time: Date | null }
type Kind = Station['station']

/** A stage of an exam, as far as the way to it matters. */
export type StageRow = Pick<
  Selectable<LiveDatabase['examinationitem']>,
  'examId' | 'itemName' | 'startTime' | 'endTime' | 'needTicket'
>

/** More stages than these are one station: a phone has room for eight. */
const STAGES = 2
const STATIONS = 8

/** A place on the way with its window. */
interface Stop {
  station: Kind
  name: string
  from: Moment
  until: Moment
}

/** Where somebody stands: `ended` by what the reason says; `time` is until when, or when it goes on. */
interface Place {
  stop: Stop
  reason?: string
  time?: Moment
}

const named = (station: Exclude<Kind, 'STAGE'>, from: Moment, until: Moment): Stop => {
  const name = {
    SIGN: '报名',
    EXAMINE: '审核',
    CHOOSE_POST: '改报',
    PAY: '缴费',
    TICKET: '准考证',
    SCORE: '成绩',
    PUBLICITY: '公示',
  }[station]
  return { station, name, from, until }
}

function stageStops(stages: readonly StageRow[]): Stop[] {
  const stops = stages.map(
    ({ itemName, startTime, endTime }): Stop => ({
      station: 'STAGE',
      name: itemName,
      from: startTime,
      until: endTime,
    }),
  )
  if (stops.length <= STAGES) return stops
  const ends = stages.map(one => one.endTime.getTime())
  return [{ station: 'STAGE', name: '考试', from: stages[0]?.startTime, until: new Date(Math.max(...ends)) }]
}

/** The stations that an exam has for this person, in the order of their days. */
function stopsOf(exam: ListedExam, signup: SignupRow, stages: readonly StageRow[], now: Date): Stop[] {
  const before = [
    named('SIGN', exam.signStartTime, exam.signEndTime),
    named('EXAMINE', exam.signStartTime, exam.examineEndTime),
  ]
  if (signup.reduceState !== ReduceState.none)
    before.push(named('CHOOSE_POST', exam.reduceStartTime, exam.reduceEndTime))
  if (exam.needPay === 1) before.push(named('PAY', exam.payStartTime, exam.payEndTime))
  const exams = stageStops(stages)
  const notice = noticeOf(exam, now)
  const lastDay = exams.at(-1)?.until ?? exam.examEndTime
  const after = [
    ...(stages.some(one => one.needTicket === 1)
      ? [named('TICKET', exam.ticketStartTime, exam.ticketEndTime ?? lastDay)]
      : []),
    ...exams,
    named('SCORE', exam.resultTime, exam.resultEndTime),
    ...(notice ? [named('PUBLICITY', notice.start, notice.end)] : []),
  ]
  // What has no day yet comes last, in the order in which it stands here.
  const day = ({ from }: Stop): number => from?.getTime() ?? Number.MAX_SAFE_INTEGER
  const all = [...before, ...after.toSorted((a, b) => day(a) - day(b))]
  return all.length > STATIONS ? all.filter(one => one.station !== 'PUBLICITY') : all
}

/** Why a sign-up goes no further than its review or the choice of another position; undefined where it does. */
function endBeforeFee({ nextStep }: Step, exam: ExamRow, signup: SignupRow): [Kind, string] | undefined {
  const { signStatus, examine, reviewStatus, reduceState } = signup
  if (signStatus === SignStatus.withdrawn) return ['SIGN', '已放弃报名']
  if (signStatus === SignStatus.draft) return nextStep === 'FILL' ? undefined : ['SIGN', '未在报名截止前提交']
  if (examine === ExamineStatus.rejected && nextStep !== 'FIX') return ['EXAMINE', signup.examineRemark || '未通过审核']
  if (examine === ExamineStatus.returned && nextStep !== 'FIX') return ['EXAMINE', '未在补正截止前修改']
  const isSecond = exam.examineMode === ExamineMode.firstAndSecond && examine === ExamineStatus.approved
  if (isSecond && reviewStatus === ReviewStatus.rejected) return ['EXAMINE', signup.reviewRemark || '复审未通过']
  if (reduceState === ReduceState.givenUp) return ['CHOOSE_POST', '已放弃改报']
  if (reduceState === ReduceState.overdue) return ['CHOOSE_POST', '逾期未改报']
  return undefined
}

/** The station that the next step is done at; undefined where the day decides. */
const doneAt: Partial<Record<Step['nextStep'], Kind>> = {
  FILL: 'SIGN',
  FIX: 'EXAMINE',
  CHOOSE_POST: 'CHOOSE_POST',
  PAY: 'PAY',
  SURE: 'TICKET',
  UPLOAD: 'TICKET',
  TICKET: 'TICKET',
  CONFIRM: 'SCORE',
  SCORE: 'SCORE',
}

/** The station at which a sign-up waits for others. */
function waitingAt(exam: ExamRow, signup: SignupRow): Kind | undefined {
  const isReviewed =
    signup.examine === ExamineStatus.approved &&
    (exam.examineMode !== ExamineMode.firstAndSecond || signup.reviewStatus === ReviewStatus.approved)
  if (!isReviewed) return 'EXAMINE'
  const isMoving = ([ReduceState.choosing, ReduceState.pending, ReduceState.rejected] as number[]).includes(
    signup.reduceState,
  )
  return isMoving ? 'CHOOSE_POST' : undefined
}

const settled: readonly number[] = [PayState.paid, PayState.exempt, PayState.refunding, PayState.refunded]

/** The first station of the days that are not over; undefined when all of them are. */
function placeByDay(stops: readonly Stop[], signup: SignupRow, now: Date): Place | undefined {
  for (const stop of stops) {
    if (stop.station === 'SIGN' || stop.station === 'EXAMINE' || stop.station === 'CHOOSE_POST') continue
    const isPast = Boolean(stop.until && stop.until <= now)
    if (stop.station === 'PAY') {
      if (settled.includes(signup.payState)) continue
      if (isPast || signup.payState === PayState.closed) return { stop, reason: '未在截止前缴费' }
      return { stop, time: stop.from }
    }
    if (!isPast) return { stop, time: stop.from }
  }
  return undefined
}

function placeOf(
  stops: readonly Stop[],
  { exam, signup, step }: { exam: ExamRow; signup: SignupRow; step: Step },
  leftShortlist: string,
  now: Date,
): Place | undefined {
  const at = (kind: Kind | undefined): Stop | undefined => stops.find(one => one.station === kind)
  const end = endBeforeFee(step, exam, signup) ?? (leftShortlist ? (['SCORE', leftShortlist] as const) : undefined)
  const ended = end ? at(end[0]) : undefined
  if (end && ended) return { stop: ended, reason: end[1] }
  const acting = at(doneAt[step.nextStep])
  if (acting) return { stop: acting, time: step.deadline }
  const waiting = at(waitingAt(exam, signup))
  const isChoosing = signup.reduceState === ReduceState.choosing || signup.reduceState === ReduceState.rejected
  const begins = isChoosing ? exam.reduceStartTime : step.deadline
  const place = waiting ? { stop: waiting, time: begins } : placeByDay(stops, signup, now)
  // Wherever somebody had come to.
  if (signup.signStatus !== SignStatus.disqualified) return place
  const stop = place?.stop ?? stops.at(-1)
  return stop && { stop, reason: signup.cancelReason || '已取消资格' }
}

/**
 * The way of a sign-up through its exam, station by station: what is done, where it stands (or ended, with the reason), and
 * what is to come with its day. At most one station is `here` or `ended`.
 * @param stages those of the exam, in the order of their days
 * @param known whether a result may be seen, and how a shortlist was left
 */
export function lineOf(
  { exam, signup, stages, step }: { exam: ListedExam; signup: SignupRow; stages: readonly StageRow[]; step: Step },
  known: Pick<StepFacts, 'hasScore' | 'leftShortlist'>,
  now: Date,
): Station[] {
  const stops = stopsOf(exam, signup, stages, now)
  const place = placeOf(stops, { exam, signup, step }, known.leftShortlist, now)
  const here = place ? stops.indexOf(place.stop) : stops.length
  return stops.map((stop, i) => {
    const { station, name } = stop
    const reason = i === here ? (place?.reason ?? '') : ''
    if (i === here) return { station, name, state: reason ? 'ended' : 'here', time: place?.time ?? null, reason }
    const isOver =
      station === 'STAGE' ? Boolean(stop.until && stop.until <= now) : station === 'SCORE' && known.hasScore
    const isAhead = i > here || (station === 'STAGE' && !isOver)
    // After the end nothing comes any more.
    if (isAhead && !isOver)
      return { station, name, state: 'ahead', time: place?.reason ? null : (stop.from ?? null), reason }
    return { station, name, state: 'done', time: null, reason }
  })
}
