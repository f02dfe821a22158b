import { sql } from 'kysely'
import {
  ExamineMode,
  ExamineStatus,
  PayState,
  PostStatus,
  ReduceState,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { type ActFacts, isTimely } from '../../exams/rules/act-windows.ts'
import { paymentWindows } from '../../payment/rules/act-windows.ts'
import { takenByRule } from '../../payment/server/payable.ts'
import { signupWindows } from '../../sign-up/rules/act-windows.ts'

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
const charged = (stage: Pick<Stage, 'needPay' | 'fee'>): boolean => stage.needPay === 1 && (stage.fee ?? 0) > 0

/** Sign-ups of an exam whose position has not been cancelled and asks for the stage, and whom the stage takes. */
const taken = (db: Live, stage: Stage) =>
  db
    .selectFrom('signup')
    .innerJoin('examitems as position', join =>
      join
        .onRef('position.examId', '=', 'signup.examId')
        .onRef('position.code', '=', sql`coalesce(signup."finalCode", signup.code)`),
    )
    .innerJoin('examinationitem as item', join => join.on('item.id', '=', stage.id))
    .leftJoin('payrecord as due', join => join.onRef('due.signupId', '=', 'signup.id').on('due.itemId', '=', stage.id))
    .where('signup.examId', '=', stage.examId)
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where('position.postStatus', '<>', PostStatus.cancelled)
    .where(takenByRule(db, 'signup', 'item'))
    .where(sql<boolean>`${stage.id} = any(string_to_array(position."itemIds", ','))`)

const passed = (stage: Stage) =>
  stage.examineMode === ExamineMode.firstAndSecond
    ? sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.approved)} and signup."reviewStatus" = ${sql.lit(ReviewStatus.approved)}`
    : sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.approved)}`

/**
 * The effective candidates of a stage: passed, not waiting for a new position, and paid or exempt where the stage is
 * charged.
 */
export function toBeSeated(db: Live, stage: Stage) {
  return taken(db, stage)
    .where(passed(stage))
    .where('signup.reduceState', 'in', [ReduceState.none, ReduceState.approved])
    .$if(charged(stage), query => query.where('due.payState', 'in', [PayState.paid, PayState.exempt]))
}

/**
 * How many may still change before seats can be drawn: not reviewed, still correcting, choosing again, or about to pay.
 * Who was never asked to pay counts until the pay window is over.
 */
export async function unpaid(db: Live, stage: Stage, now: Date): Promise<{ open: number; moving: number }> {
  const correcting = isTimely(signupWindows.correct, { exam: stage }, now)
  const reviewing =
    stage.examineMode === ExamineMode.firstAndSecond
      ? sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.approved)} and signup."reviewStatus" in (${sql.lit(ReviewStatus.pending)}, ${sql.lit(ReviewStatus.returned)})`
      : sql<boolean>`false`
  const asking = isTimely(
    paymentWindows.pay,
    { exam: { payEndTime: stage.payEndTime, graceSeconds: stage.graceSeconds } },
    now,
  )
  const owing = asking
    ? sql<boolean>`coalesce(due."payState", 0) = ${sql.lit(PayState.due)}`
    : sql<boolean>`due."payState" = ${sql.lit(PayState.due)}`
  const paying = charged(stage) ? sql<boolean>`(${passed(stage)} and ${owing})` : sql<boolean>`false`
  const open = sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.pending)} or ${reviewing} or (signup.examine = ${sql.lit(ExamineStatus.returned)} and ${correcting}) or ${paying}`
  const row = await taken(db, stage)
    .select(eb => [
      eb.fn.countAll<string>().filterWhere(open).as('open'),
      eb.fn
        .countAll<string>()
        .filterWhere('signup.reduceState', 'in', [ReduceState.choosing, ReduceState.pending])
        .as('moving'),
    ])
    .executeTakeFirstOrThrow()
  return { open: Number(row.open), moving: Number(row.moving) }
}
