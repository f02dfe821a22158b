import { sql } from 'kysely'
import type { DeadlineName } from '#engine'
import '#resources/deadlines'
import { EnableStatus, ExampayStatus, ExamStatus, PromotionStatus, ReleaseStatus } from '#schemas/dictionaries'
import type { QuietHours } from '../../../platform/channels/quiet.ts'
import { readQuietHours } from '../../../platform/channels/quiet-hours.ts'
import type { Live } from '../../../platform/database/live.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import type { WorkCalendar } from '../../publicity/rules/work-days.ts'
import { workCalendar } from '../../publicity/server/calendar.ts'
import type { Countdown } from '../rules/due.ts'

/** A time that is counted back from, and the rows that it is of. */
export interface Deadline extends Countdown {
  /** The exam, the stage or, as '0', the tenant that it is of. */
  readonly scopeId: string
  readonly examId: string | null
  /** Name of the stage; null where it is of an exam as a whole. */
  readonly itemName: string | null
}

/** When it is asked for, with the work days and the quiet hours of the tenant. */
export interface Moment {
  readonly now: Date
  readonly calendar: WorkCalendar
  readonly quiet: QuietHours
}

/** The moment for the tenant of a handle. */
export async function momentOf(db: Live, now: Date): Promise<Moment> {
  return { now, calendar: await workCalendar(db), quiet: await readQuietHours(db) }
}

/** Where it is asked for: one exam, or all of the tenant. */
type Where = Moment & { readonly examId?: string | undefined }

const hour = 3_600_000
const day = 24 * hour

type Time = Date | null

const exams = (db: Live, { examId }: Where) =>
  db
    .selectFrom('examination as e')
    .where('e.examStatus', '=', ExamStatus.released)
    .$if(examId !== undefined, query => query.where('e.id', '=', examId ?? ''))

const stages = (db: Live, where: Where) =>
  exams(db, where)
    .innerJoin('examinationitem as i', 'i.examId', 'e.id')
    .where('i.itemStatus', '=', EnableStatus.enabled)
    .select(['i.id as scopeId', 'e.id as examId', 'i.itemName'])

type ExamTime =
  | 'signStartTime'
  | 'signEndTime'
  | 'modifyEndTime'
  | 'examineEndTime'
  | 'reduceStartTime'
  | 'reduceEndTime'
  | 'publicityStart'

/** A time of the exams themselves. */
const ofExam =
  (end: ExamTime, from?: ExamTime): Find =>
  async (db, where) => {
    const rows = await exams(db, where)
      .select(['e.id as scopeId', 'e.id as examId', sql<null>`null`.as('itemName')])
      .select([`e.${end} as end`, from ? (`e.${from} as from` as const) : sql<Time>`null::timestamptz`.as('from')])
      .execute()
    return timed(rows)
  }

interface Row {
  scopeId: string
  examId: string | null
  itemName: string | null
  end: Time
  from?: Time
  until?: Time
}

/** Those that have a time. */
const timed = (rows: readonly Row[]): Deadline[] =>
  rows.flatMap(({ end, until, from, ...row }) =>
    end ? [{ ...row, end, until: until ?? end, from: from ?? null }] : [],
  )

/** Finds all the deadlines of a name, whatever the time. */
type Find = (db: Live, where: Where) => Promise<Deadline[]>

const midnight = (time: Date): Date => new Date(`${wireDay(time)}T00:00:00+08:00`)

/** Days within which there is a work day. */
const farthest = 30

/** Nine o'clock of the work days: today's, of which nobody is reminded once the day's work is over, and the next one's. */
function mornings({ now, calendar }: Moment): Required<Pick<Row, 'end' | 'until'>>[] {
  const today = midnight(now).getTime()
  return Array.from({ length: farthest }, (_, i) => new Date(today + i * day))
    .filter(one => !calendar.isOff(wireDay(one)))
    .map(one => ({ end: new Date(one.getTime() + 9 * hour), until: new Date(one.getTime() + 17 * hour) }))
    .slice(0, 2)
}

const ticketStart = (db: Live, where: Where) =>
  stages(db, where)
    .where('i.needTicket', '=', 1)
    .select(eb => [
      eb.fn.coalesce('i.ticketStartTime', 'e.ticketStartTime').as('from'),
      eb.fn.coalesce('i.ticketEndTime', 'e.ticketEndTime').as('end'),
    ])
    .execute()

/** Each of the deadlines. */
const finds: Readonly<Record<DeadlineName, Find>> = {
  signEnd: ofExam('signEndTime', 'signStartTime'),
  modifyEnd: ofExam('modifyEndTime'),
  examineEnd: ofExam('examineEndTime'),
  reduceStart: ofExam('reduceStartTime'),
  reduceEnd: ofExam('reduceEndTime', 'reduceStartTime'),
  publicityStart: ofExam('publicityStart'),
  payEnd: async (db, where) =>
    timed(
      await stages(db, where)
        .innerJoin('exampay as p', 'p.itemId', 'i.id')
        .where('p.payStatus', '=', ExampayStatus.released)
        .select(['p.endTime as end', 'p.startTime as from'])
        .execute(),
    ),
  ticketStart: async (db, where) =>
    timed((await ticketStart(db, where)).map(row => ({ ...row, end: row.from, from: null }))),
  ticketEnd: async (db, where) => timed(await ticketStart(db, where)),
  stageDay: async (db, where) => {
    const rows = await stages(db, where).where('i.needTicket', '=', 1).select('i.startTime').execute()
    return timed(rows.map(({ startTime, ...row }) => ({ ...row, end: midnight(startTime) })))
  },
  resultStart: async (db, where) => timed(await stages(db, where).select('e.resultTime as end').execute()),
  resultLook: async (db, where) => {
    const rows = await stages(db, where)
      .where('i.resultRelease', '=', ReleaseStatus.released)
      .select(['e.resultTime', 'e.appealEndTime as until'])
      .select(eb =>
        eb
          .selectFrom('result as r')
          .select(one => one.fn.min('r.releaseTime').as('first'))
          .whereRef('r.itemId', '=', 'i.id')
          .where('r.resultStatus', '=', ReleaseStatus.released)
          .as('first'),
      )
      .execute()
    return timed(
      rows.map(({ resultTime, first, until, ...row }) => {
        const shown = Math.max(resultTime?.getTime() ?? 0, first?.getTime() ?? 0)
        return { ...row, until, end: first && until ? new Date(shown + 3 * day) : null }
      }),
    )
  },
  confirmEnd: async (db, where) => {
    const open = stages(db, where).where('i.resultRelease', '=', ReleaseStatus.released)
    // Whoever moves up has an end of the own.
    const promoted = open
      .innerJoin('promotion as m', 'm.itemId', 'i.id')
      .where('m.promotionStatus', '=', PromotionStatus.done)
      .clearSelect()
      .select(['m.id as scopeId', 'e.id as examId', 'i.itemName', 'm.until as end'])
    const rows = await Promise.all([open.select('i.confirmEndTime as end').execute(), promoted.execute()])
    return timed(rows.flat())
  },
  workMorning: async (db, where) => {
    const rows = await exams(db, where).select(['e.id as scopeId', 'e.id as examId']).execute()
    return timed(mornings(where).flatMap(times => rows.map(row => ({ ...row, itemName: null, ...times }))))
  },
  officeMorning: async (_, where) =>
    timed(mornings(where).map(times => ({ scopeId: '0', examId: null, itemName: null, ...times }))),
}

/** The deadlines of a name that are not over, of one exam or of all of the tenant. */
export async function deadlinesOf(db: Live, name: DeadlineName, where: Where): Promise<Deadline[]> {
  return (await finds[name](db, where)).filter(one => one.until > where.now)
}
