import { sql } from 'kysely'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  PayState,
  PostStatus,
  ReduceState,
  ReviewStatus,
  SeatStatus,
  SignStatus,
  UnreadyReason,
} from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { ActFacts } from '../../exams/rules/act-windows.ts'
import { takenByRule } from '../../payment/server/payable.ts'

/** A stage and its exam, as far as seats, tickets and results ask. */
export async function stageOf(db: Live, itemId: string) {
  return db
    .selectFrom('examinationitem as item')
    .innerJoin(withRemoved('examination as exam'), 'exam.id', 'item.examId')
    .selectAll('item')
    .select([
      'exam.examCode',
      'exam.examName',
      'exam.examineMode',
      'exam.signStartTime',
      'exam.signEndTime',
      'exam.graceSeconds',
      'exam.modifyEndTime',
      'exam.payEndTime',
      'exam.organizer',
      'exam.contactPhone',
      'exam.examStatus',
    ])
    .select([
      'exam.ticketStartTime as examTicketStart',
      'exam.ticketEndTime as examTicketEnd',
      'exam.ticketNeedSure',
      'exam.ticketNeedPic',
      'exam.picLabels',
    ])
    .where('item.id', '=', itemId)
    .executeTakeFirst()
}

/** A stage with what it takes from its exam. */
export type Stage = NonNullable<Awaited<ReturnType<typeof stageOf>>>

/** A stage as the windows of acts ask for it. */
export const factsOf = (stage: Stage): ActFacts => ({
  exam: { examStatus: stage.examStatus, signEndTime: stage.signEndTime, graceSeconds: stage.graceSeconds },
  stage: { itemName: stage.itemName, startTime: stage.startTime, endTime: stage.endTime },
})

/** Whether people owe a fee for a stage before it. */
const charged = sql<boolean>`(item."needPay" = 1 AND coalesce(item.fee, 0) > 0)`

/** What is due, of one exam or of all. Those of one are read at once, whatever the database expects of their number. */
function dues(db: Live, examId?: string) {
  const all = db.selectFrom('payrecord').select(['signupId', 'itemId', 'payState'])
  return examId === undefined ? all : all.where('examId', '=', examId).offset(0)
}

/**
 * Sign-ups `signup` with each stage `item` that takes them: their position has not been cancelled and asks for it. Beside them the exam,
 * and what is `due` for the stage. Of one exam, or of all.
 */
function taken(db: Live, examId?: string) {
  const all = db
    .selectFrom('signup')
    .innerJoin(withRemoved('examination as exam'), 'exam.id', 'signup.examId')
    .innerJoin('examitems as position', join =>
      join
        .onRef('position.examId', '=', 'signup.examId')
        .onRef('position.code', '=', sql`coalesce(signup."finalCode", signup.code)`),
    )
    .innerJoin('examinationitem as item', 'item.examId', 'signup.examId')
    .leftJoin(dues(db, examId).as('due'), join =>
      join.onRef('due.signupId', '=', 'signup.id').onRef('due.itemId', '=', 'item.id'),
    )
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where('position.postStatus', '<>', PostStatus.cancelled)
    .where(takenByRule(db, 'signup', 'item'))
    .where(sql<boolean>`item.id::text = any(string_to_array(position."itemIds", ','))`)
  return examId === undefined ? all : all.where('signup.examId', '=', examId)
}

const takenBy = (db: Live, { id, examId }: Pick<Stage, 'id' | 'examId'>) => taken(db, examId).where('item.id', '=', id)

const needsSecond = sql<boolean>`exam."examineMode" = ${sql.lit(ExamineMode.firstAndSecond)}`
const passed = sql<boolean>`(signup.examine = ${sql.lit(ExamineStatus.approved)} AND (NOT ${needsSecond} OR signup."reviewStatus" = ${sql.lit(ReviewStatus.approved)}))`

/**
 * The effective candidates of a stage: passed, not waiting for a new position, and paid or exempt where the stage is
 * charged.
 */
export function toBeSeated(db: Live, stage: Pick<Stage, 'id' | 'examId'>) {
  return takenBy(db, stage)
    .where(passed)
    .where('signup.reduceState', 'in', [ReduceState.none, ReduceState.approved])
    .where(sql<boolean>`(NOT ${charged} OR due."payState" IN (${sql.lit(PayState.paid)}, ${sql.lit(PayState.exempt)}))`)
}

/**
 * Why a sign-up of {@link taken} may still change before seats can be drawn: choosing again, not reviewed, still correcting, or about to
 * pay; null for who may not. Who was never asked to pay may until the pay window is over.
 */
function unreadyReason(now: Date) {
  const isCorrecting = sql`(exam."modifyEndTime" IS NULL OR exam."modifyEndTime" > ${now})`
  const isAsking = sql`(exam."payEndTime" IS NULL OR exam."payEndTime" + coalesce(exam."graceSeconds", 0) * interval '1 second' > ${now})`
  const isOwing = sql`(due."payState" = ${sql.lit(PayState.due)} OR (due."payState" IS NULL AND ${isAsking}))`
  return sql<number | null>`(CASE
    WHEN signup."reduceState" IN (${sql.lit(ReduceState.choosing)}, ${sql.lit(ReduceState.pending)}) THEN ${sql.lit(UnreadyReason.choosing)}
    WHEN signup.examine = ${sql.lit(ExamineStatus.pending)} THEN ${sql.lit(UnreadyReason.review)}
    WHEN signup.examine = ${sql.lit(ExamineStatus.approved)} AND ${needsSecond}
      AND signup."reviewStatus" IN (${sql.lit(ReviewStatus.pending)}, ${sql.lit(ReviewStatus.returned)}) THEN ${sql.lit(UnreadyReason.recheck)}
    WHEN signup.examine = ${sql.lit(ExamineStatus.returned)} AND ${isCorrecting} THEN ${sql.lit(UnreadyReason.correcting)}
    WHEN ${charged} AND ${passed} AND ${isOwing} THEN ${sql.lit(UnreadyReason.payment)}
    END)`
}

/** How many may still change before the seats of a stage can be drawn, each counted once: who chooses again, and all others. */
export async function unpaid(
  db: Live,
  stage: Pick<Stage, 'id' | 'examId'>,
  now: Date,
): Promise<{ open: number; moving: number }> {
  const row = await db
    .selectFrom(takenBy(db, stage).select(unreadyReason(now).as('reason')).as('one'))
    .select(eb => [
      eb.fn.countAll<string>().filterWhere('one.reason', '<>', UnreadyReason.choosing).as('open'),
      eb.fn.countAll<string>().filterWhere('one.reason', '=', UnreadyReason.choosing).as('moving'),
    ])
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), moving: Number(row.moving) }
}

/**
 * Sign-ups `signup` that may still change before seats can be drawn, with the reason, of all stages whose seats are still to be drawn and
 * locked: of one exam, or of all.
 */
export function unready(db: Live, now: Date, examId?: string) {
  const reason = unreadyReason(now)
  return taken(db, examId)
    .where('item.needSeat', '=', 1)
    .where('item.itemStatus', '=', EnableStatus.enabled)
    .where('item.seatStatus', '<', SeatStatus.locked)
    .where('item.endTime', '>', now)
    .where(sql<boolean>`${reason} IS NOT NULL`)
    .select(['signup.id', reason.as('reason')])
}
