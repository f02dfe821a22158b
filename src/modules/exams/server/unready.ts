import { type RawBuilder, sql } from 'kysely'
import { examReminders, stageReminders } from '#resources/exams/reminders'
import {
  EnableStatus,
  ExamStatus,
  ExamUnready,
  PublicityKind,
  PublicityStatus,
  ReduceDecision,
  ReleaseStatus,
  SeatStatus,
} from '#schemas/dictionaries'
import type { MeasureContext } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Lists of what the exam has come to; the others are of what was before it. */
const afterExam = [
  PublicityKind.scores,
  PublicityKind.shortlist,
  PublicityKind.examination,
  PublicityKind.hiring,
] as const

const stages = (db: Live) => db.selectFrom('examinationitem as i')
const exams = (db: Live) => db.selectFrom('examination as e')

/** Stages and exams in which something is not done that others wait for. */
export const undone = {
  seatsOpen: (db: Live) => stages(db).where('i.needSeat', '=', 1).where('i.seatStatus', '<>', SeatStatus.locked),
  ticketsHeld: (db: Live) =>
    stages(db).where('i.needTicket', '=', 1).where('i.ticketRelease', '<>', ReleaseStatus.released),
  resultsHeld: (db: Live, now: Date) =>
    stages(db).where('i.resultRelease', '<>', ReleaseStatus.released).where('i.endTime', '<', now),
  reductionOpen: (db: Live) =>
    exams(db).where(({ exists, selectFrom }) =>
      exists(
        selectFrom('postreduction as p')
          .select('p.id')
          .whereRef('p.examId', '=', 'e.id')
          .where(eb => eb.or([eb('p.decision', '=', ReduceDecision.pending), eb('p.confirmTime', 'is', null)])),
      ),
    ),
  listMissing: (db: Live) =>
    exams(db).where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('publicity as p')
            .select('p.id')
            .leftJoin('publicity as former', 'former.id', 'p.replaces')
            .whereRef('p.examId', '=', 'e.id')
            .where('p.publicityStatus', '=', PublicityStatus.released)
            // A correction is of the kind of what it corrects. Lists of before the exam are others, and so are those that are over by then.
            .where(eb => eb.fn.coalesce('former.publicityKind', 'p.publicityKind'), 'in', afterExam)
            .where(eb => eb.or([eb('e.publicityStart', 'is', null), eb('p.endTime', '>', eb.ref('e.publicityStart'))])),
        ),
      ),
    ),
}

const hour = 3_600_000

/**
 * What an exam `t` should have ready by now and has not, the first of it: from the hours before its beginning at which managers are
 * reminded of it.
 */
export function unready({ app, person, now }: MeasureContext): RawBuilder<number | null> {
  const db = liveAs(app, person)
  const begins = (time: RawBuilder<unknown>, { reminds: { steps } }: { reminds: { steps: readonly number[] } }) =>
    sql<boolean>`${time} <= ${new Date(now.getTime() + Math.max(...steps) * hour)}::timestamptz`
  const ofExam = sql<boolean>`i."examId" = t.id AND i."itemStatus" = ${sql.lit(EnableStatus.enabled)}`
  const isExam = sql<boolean>`e.id = t.id`
  const tickets = sql`(CASE WHEN i."needTicket" = 1 THEN coalesce(i."ticketStartTime", t."ticketStartTime") END)`
  const { seatsNotLocked, ticketsNotReleased, resultsNotReleased } = stageReminders
  const { reductionNotConfirmed, listNotReady } = examReminders
  const seats = undone.seatsOpen(db).where(ofExam).where(begins(tickets, seatsNotLocked))
  const held = undone.ticketsHeld(db).where(ofExam).where(begins(tickets, ticketsNotReleased))
  const results = undone.resultsHeld(db, now).where(ofExam)
  const cuts = undone.reductionOpen(db).where(isExam)
  const lists = undone.listMissing(db).where(isExam)
  return sql<number | null>`(CASE WHEN t."examStatus" <> ${sql.lit(ExamStatus.released)} THEN NULL
    WHEN EXISTS ${cuts.where(begins(sql`e."reduceStartTime"`, reductionNotConfirmed)).select('e.id')} THEN ${sql.lit(ExamUnready.reduction)}
    WHEN EXISTS ${seats.select('i.id')} THEN ${sql.lit(ExamUnready.seats)}
    WHEN EXISTS ${held.select('i.id')} THEN ${sql.lit(ExamUnready.tickets)}
    WHEN EXISTS ${results.where(begins(sql`t."resultTime"`, resultsNotReleased)).select('i.id')} THEN ${sql.lit(ExamUnready.results)}
    WHEN EXISTS ${lists.where(begins(sql`e."publicityStart"`, listNotReady)).select('e.id')} THEN ${sql.lit(ExamUnready.list)}
  END)`
}
