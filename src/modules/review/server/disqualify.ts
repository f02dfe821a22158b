import type { FastifyInstance } from 'fastify'
import { signupEvents } from '#resources/sign-up/events'
import {
  EnableStatus,
  ExamineResult,
  ExamineStage,
  ExamineStatus,
  ExamRole,
  ExamStatus,
  SeatStatus,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import type { Examination } from '#schemas/exams/examination'
import { emit } from '../../../crud/emit.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { findPosition } from '../../exams/server/candidate/positions.ts'
import { closeUnpayable, ensurePayable } from '../../payment/server/fee-records.ts'
import { keepPaid, refundPaid } from '../../payment/server/refund-paid.ts'
import { takePlace } from '../../sign-up/server/choices.ts'
import { findReviewed, nameOf } from './find.ts'
import { isLastAct, writeAct } from './log.ts'

/** A disqualification asked for, or done. */
export type Strike = { pending: true } | { pending: false; row: SignupRow }

function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason === '') throw refuse('input.invalid', { 说明: '请填写原因' })
  return reason
}

/** Moves a sign-up on from the state it was read in. @throws row.changed when somebody else has changed it since */
async function moveSign(
  trx: Db,
  row: SignupRow,
  to: Pick<SignupRow, 'signStatus' | 'cancelReason'>,
): Promise<SignupRow> {
  const moved = await trx
    .updateTable('signup')
    .set(eb => ({ ...to, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .where('signStatus', '=', row.signStatus)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw refuse('row.changed')
  return moved
}

async function disqualify(caller: Caller, row: SignupRow, reason: string): Promise<SignupRow> {
  const { db, now } = caller
  return db.transaction().execute(async trx => {
    await refuseArchived(trx, [row.examId])
    const moved = await moveSign(trx, row, { signStatus: SignStatus.disqualified, cancelReason: reason })
    await trx
      .updateTable('examinationticket')
      .set(eb => ({
        ticketStatus: TicketStatus.voided,
        voidReason: '取消资格',
        version: eb('version', '+', 1),
      }))
      .where('signupId', '=', row.id)
      .where('ticketStatus', '<>', TicketStatus.voided)
      .execute()
    const program = programOf(trx, caller.person, now)
    await closeUnpayable(program, row.id)
    await refundPaid(program, [row.id], `取消资格：${reason}`, now)
    await writeAct(trx, caller, row, {
      stage: ExamineStage.disqualification,
      result: ExamineResult.rejected,
      remark: reason,
    })
    await emit(trx, signupEvents.struck, [moved])
    return moved
  })
}

/** Exam administrators decide on a disqualification, and the administrator of the institution as the second person. */
const deciding = { roles: [ExamRole.manager], hidden: true, institution: true } as const

const askedFor = (db: Db, signupId: string) =>
  db.selectFrom('signup_strike').selectAll().where('signupId', '=', signupId).executeTakeFirst()

/** Whether a person has asked for the disqualification in force, or confirmed it. */
async function struckBy({ db, person }: Caller, row: SignupRow): Promise<boolean> {
  if (row.signStatus !== SignStatus.disqualified) return false
  const { userId } = person
  return (
    (await askedFor(db, row.id))?.userId === userId ||
    isLastAct(db, row.id, { stage: ExamineStage.disqualification, result: ExamineResult.rejected, userId })
  )
}

/** A disqualification that waits for a second person, for whoever opens the sign-up; null when none does. */
export async function disqualificationOf({ db, person }: Caller, row: SignupRow) {
  const asked = row.signStatus === SignStatus.submitted ? await askedFor(db, row.id) : undefined
  if (!asked) return null
  const { userId, reason, time, until } = asked
  return { reason, time, until, userName: await nameOf(db, userId), mine: userId === person.userId }
}

/** Days in which a candidate is heard before the second person decides, where the exam says nothing. */
const usualDays = 3
const day = 86_400_000

/** Until when a candidate is heard; null where the exam does not announce it. */
const heardUntil = ({ strikeDays }: Pick<Examination, 'strikeDays'>, now: Date): Date | null =>
  strikeDays === 0 ? null : new Date(now.getTime() + (strikeDays ?? usualDays) * day)

/** Keeps what one person asks for, and tells the candidate where the exam wants it told; what was asked for before stays. */
async function propose(
  { db, person, now }: Caller,
  row: SignupRow,
  { reason, until }: { reason: string; until: Date | null },
): Promise<void> {
  await db.transaction().execute(async trx => {
    const { numInsertedOrUpdatedRows: made = 0n } = await trx
      .insertInto('signup_strike')
      .values({ signupId: row.id, userId: person.userId, reason, time: now, until })
      .onConflict(on => on.column('signupId').doNothing())
      .executeTakeFirst()
    if (made === 0n) return
    await trx
      .updateTable('signup')
      .set(eb => ({ version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .execute()
    if (until) await emit(trx, signupEvents.strikeNotice, [row], { reason, until })
  })
}

/**
 * Disqualifies a candidate: one person asks with a reason, a second one confirms. It voids the ticket, closes what is
 * still to be paid and asks for the refund of what was paid. What was asked for is kept until somebody is taken back
 * in, so that both may say it again.
 * @throws signup.notFound, input.invalid, row.wrongState
 */
export async function cancelQualification(
  app: FastifyInstance,
  caller: Caller,
  ask: { signUpId: string; reason: string },
): Promise<Strike> {
  const { db, person, now } = caller
  const { row, exam } = await findReviewed(app, caller, ask.signUpId, deciding)
  const reason = reasonOf(ask.reason)
  if (await struckBy(caller, row)) return { pending: false, row }
  if (row.signStatus !== SignStatus.submitted || exam.examStatus === ExamStatus.archived) throw refuse('row.wrongState')
  await propose(caller, row, { reason, until: heardUntil(exam, now) })
  const asked = await askedFor(db, row.id)
  if (!asked || asked.userId === person.userId) return { pending: true }
  return { pending: false, row: await disqualify(caller, row, asked.reason) }
}

/**
 * Lets a disqualification that waits for a second person drop, by either of the two; a candidate who was told of it is told so.
 * @throws signup.notFound, input.invalid, row.wrongState when none waits
 */
export async function keepQualification(
  app: FastifyInstance,
  caller: Caller,
  ask: { signUpId: string; reason: string },
): Promise<void> {
  const { db } = caller
  const { row } = await findReviewed(app, caller, ask.signUpId, deciding)
  const reason = reasonOf(ask.reason)
  await db.transaction().execute(async trx => {
    await refuseArchived(trx, [row.examId])
    const kept = await moveSign(trx, row, { signStatus: row.signStatus, cancelReason: row.cancelReason })
    const { numDeletedRows } = await trx.deleteFrom('signup_strike').where('signupId', '=', row.id).executeTakeFirst()
    if (row.signStatus !== SignStatus.submitted || numDeletedRows === 0n) throw refuse('row.wrongState')
    await writeAct(trx, caller, row, {
      stage: ExamineStage.disqualification,
      result: ExamineResult.returned,
      remark: reason,
    })
    await emit(trx, signupEvents.strikeDropped, [kept])
  })
}

/** Whether seats are fixed in a stage after the last one the candidate had a ticket for: then it goes on without them. */
async function hasMissedStage(trx: Db, { id, examId }: SignupRow): Promise<boolean> {
  const stages = await trx
    .selectFrom('examinationitem as item')
    .select(['item.id', 'item.seatStatus'])
    .select(eb =>
      eb
        .exists(
          eb
            .selectFrom('examinationticket as ticket')
            .select('ticket.id')
            .whereRef('ticket.itemId', '=', 'item.id')
            .where('ticket.signupId', '=', id),
        )
        .as('hasTicket'),
    )
    .where('item.examId', '=', examId)
    .where('item.itemStatus', '=', EnableStatus.enabled)
    .orderBy('item.startTime')
    .orderBy('item.id')
    .execute()
  const next = stages[stages.findLastIndex(stage => stage.hasTicket) + 1]
  return next?.seatStatus === SeatStatus.locked
}

/**
 * Takes a disqualification back: the place is taken again, a refund not yet approved is withdrawn, what is owed opens
 * again.
 * @throws signup.notFound, input.invalid, row.wrongState once seats of the next stage are fixed, exams.archived,
 * signup.positionFull, exams.positionDisabled
 */
export async function restoreQualification(
  app: FastifyInstance,
  caller: Caller,
  ask: { signUpId: string; reason: string },
): Promise<SignupRow> {
  const { db, person, now } = caller
  const { row } = await findReviewed(app, caller, ask.signUpId, deciding)
  const reason = reasonOf(ask.reason)
  if (row.signStatus !== SignStatus.disqualified) {
    const isDone = await isLastAct(db, row.id, {
      stage: ExamineStage.disqualification,
      result: ExamineResult.approved,
      remark: reason,
      userId: person.userId,
    })
    if (isDone && row.signStatus === SignStatus.submitted) return row
    throw refuse('row.wrongState')
  }
  const exam = await findExam(db, row.examId)
  const position = await findPosition(db, row.examId, { code: row.finalCode ?? row.code })
  return db.transaction().execute(async trx => {
    if (row.examine !== ExamineStatus.rejected)
      await takePlace(trx, { exam, position, changes: false, choosing: false })
    await refuseArchived(trx, [row.examId])
    if (await hasMissedStage(trx, row)) throw refuse('row.wrongState')
    const moved = await moveSign(trx, row, { signStatus: SignStatus.submitted, cancelReason: null })
    await trx.deleteFrom('signup_strike').where('signupId', '=', row.id).execute()
    const program = programOf(trx, person, now)
    await keepPaid(program, row.id)
    await ensurePayable(program, row.id, now)
    await writeAct(trx, caller, row, {
      stage: ExamineStage.disqualification,
      result: ExamineResult.approved,
      remark: reason,
    })
    await emit(trx, signupEvents.restored, [moved])
    return moved
  })
}
