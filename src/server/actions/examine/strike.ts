import type { FastifyInstance } from 'fastify'
import { refuseArchived } from '../../crud/archived.ts'
import { refuse } from '../../domain/refusal.ts'
import { closeUnpayable } from '../pay/ensure.ts'
import type { Caller, Db, SignupRow } from '../signup/caller.ts'
import { findExam } from '../signup/exam-form.ts'
import { takePlace } from '../signup/places.ts'
import { findPosition } from '../signup/positions.ts'
import { findReviewed } from './find.ts'
import { writeAct } from './log.ts'

/** A disqualification asked for, or done. */
export type Strike = { pending: true } | { pending: false; row: SignupRow }

function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason === '') throw refuse(29005, { 说明: '请填写原因' })
  return reason
}

/** Moves a sign-up on from the state it was read in. @throws 29002 when somebody else has changed it since */
async function moveSign(
  trx: Db,
  { person, now }: Caller,
  row: SignupRow,
  to: Pick<SignupRow, 'signStatus' | 'cancelReason'>,
): Promise<SignupRow> {
  const moved = await trx
    .updateTable('signup')
    .set(eb => ({ ...to, version: eb('version', '+', 1), updateTime: now, updateUser: person.userId }))
    .where('id', '=', row.id)
    .where('signStatus', '=', row.signStatus)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw refuse(29002)
  return moved
}

async function strikeOff(caller: Caller, row: SignupRow, reason: string): Promise<SignupRow> {
  const { db, now } = caller
  return db.transaction().execute(async trx => {
    await refuseArchived(trx, [row.examId])
    const moved = await moveSign(trx, caller, row, { signStatus: 9, cancelReason: reason })
    await trx
      .updateTable('examinationticket')
      .set(eb => ({ ticketStatus: 2, voidReason: '取消资格', version: eb('version', '+', 1), updateTime: now }))
      .where('signupId', '=', row.id)
      .where('ticketStatus', '<>', 2)
      .execute()
    await closeUnpayable(trx, row.id, now)
    await writeAct(trx, caller, row, { stage: 5, result: 2, remark: reason })
    await trx.deleteFrom('signup_strike').where('signupId', '=', row.id).execute()
    return moved
  })
}

/**
 * Disqualifies a candidate: one exam administrator asks with a reason, a second person confirms. It voids the ticket and
 * closes what is still to be paid.
 * @throws 22010, 29005, 29009
 */
export async function cancelQualification(
  app: FastifyInstance,
  caller: Caller,
  ask: { signUpId: string; reason: string },
): Promise<Strike> {
  const { db, person, now } = caller
  const { row, exam } = await findReviewed(app, caller, ask.signUpId, { roles: [1], hidden: true })
  const reason = reasonOf(ask.reason)
  if (row.signStatus !== 1 || exam.examStatus === 3) throw refuse(29009)
  await db
    .insertInto('signup_strike')
    .values({ signupId: row.id, userId: person.userId, reason, time: now })
    .onConflict(on => on.column('signupId').doNothing())
    .execute()
  const asked = await db.selectFrom('signup_strike').selectAll().where('signupId', '=', row.id).executeTakeFirst()
  if (!asked || asked.userId === person.userId) return { pending: true }
  return { pending: false, row: await strikeOff(caller, row, asked.reason) }
}

/** Takes a disqualification back; the place is taken again. @throws 22010, 29005, 29009, 21011, 22005, 21008 */
export async function restoreQualification(
  app: FastifyInstance,
  caller: Caller,
  ask: { signUpId: string; reason: string },
): Promise<SignupRow> {
  const { db, person } = caller
  const { row } = await findReviewed(app, caller, ask.signUpId, { roles: [1], hidden: true })
  const reason = reasonOf(ask.reason)
  if (row.signStatus !== 9) throw refuse(29009)
  const exam = await findExam(db, person.tenantId, row.examId)
  const position = await findPosition(db, row.examId, { code: row.finalCode ?? row.code })
  return db.transaction().execute(async trx => {
    if (row.examine !== 2) await takePlace(trx, { exam, position, signupId: row.id, choosing: false })
    await refuseArchived(trx, [row.examId])
    const moved = await moveSign(trx, caller, row, { signStatus: 1, cancelReason: null })
    await writeAct(trx, caller, row, { stage: 5, result: 1, remark: reason })
    return moved
  })
}
