import type { FastifyInstance } from 'fastify'
import { signup } from '#resources/sign-up/signup'
import {
  ExamineStatus,
  ExamStatus,
  PayState,
  ReduceState,
  SignAction,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { wasRemovedBy } from '../../../crud/removed.ts'
import { guard } from '../../../crud/rules.ts'
import { makeTransition } from '../../../crud/transition.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { type LiveTrx, liveFor, raw, removeRows } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'

/** A person's own sign-up. @throws signup.notFound also for somebody else's */
async function findOwn({ db, person }: Pick<Caller, 'db' | 'person'>, id: string): Promise<SignupRow> {
  const row = await db
    .selectFrom('signup')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', person.userId)
    .executeTakeFirst()
  if (!row) throw refuse('signup.notFound')
  return row
}

interface Move {
  set: { signStatus: 0 | 2 }
  /** Whether the row goes with it. */
  gone?: true
  action: 3 | 4
  reason: string
}

/** Writes the line of a sign-up's own history that a change of its state makes. */
async function logMove(trx: Db, { person, now, ip }: Caller, row: SignupRow, { set, action, reason }: Move) {
  const diff = JSON.stringify([
    { target: 'position', code: 'signStatus', from: row.signStatus, to: set.signStatus, reason },
  ])
  await trx
    .insertInto('signuplog')
    .values({ signupId: row.id, action, diff, userId: person.userId, time: now, ip })
    .execute()
}

/**
 * Moves a sign-up as it was read, with its line in the history.
 * @throws signup.notWithdrawable when it changed since
 */
async function move(trx: Db, caller: Caller, row: SignupRow, to: Move): Promise<SignupRow> {
  const moved = await (to.gone ? removeRows(trx, 'signup') : trx.updateTable('signup'))
    .set(eb => ({ ...to.set, version: eb('version', '+', 1) }))
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .where('signStatus', '=', row.signStatus)
    .where('examine', '=', row.examine)
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw refuse('signup.notWithdrawable')
  await logMove(trx, caller, row, to)
  return moved
}

/**
 * Takes a handed-in sign-up back into a draft, which frees its place.
 * @throws signup.notFound, signup.notWithdrawable
 */
export async function withdraw(caller: Caller, id: string): Promise<SignupRow> {
  const row = await findOwn(caller, id)
  const exam = await findExam(caller.db, row.examId)
  if (isOwnRepeat(row, row.signStatus === SignStatus.draft, caller.person)) return row
  if (
    exam.examStatus !== ExamStatus.released ||
    row.signStatus !== SignStatus.submitted ||
    row.examine !== ExamineStatus.pending ||
    row.reduceState !== ReduceState.none
  )
    throw refuse('signup.notWithdrawable')
  checkTimely('signup.withdraw', { exam }, caller.now)
  const set = { signStatus: SignStatus.draft } as const
  return caller.db.transaction().execute(trx => move(trx, caller, row, { set, action: SignAction.recall, reason: '' }))
}

/** Whether money has been paid or a ticket been given out for a sign-up: then it is not the candidate's to end. */
export async function isBound(db: Db, signupId: string): Promise<boolean> {
  const [paid, ticket] = await Promise.all([
    db
      .selectFrom('payrecord')
      .select('id')
      .where('signupId', '=', signupId)
      .where('payState', 'in', [PayState.paid, PayState.refunding])
      .executeTakeFirst(),
    db
      .selectFrom('examinationticket')
      .select('id')
      .where('signupId', '=', signupId)
      .where('ticketStatus', '<>', TicketStatus.voided)
      .executeTakeFirst(),
  ])
  return Boolean(paid ?? ticket)
}

/** Who gives a sign-up up, and the server that tells those who listen. */
export interface Leaver extends Caller {
  app: FastifyInstance
}

/** Gives a sign-up up in a transaction, with its line in the history. Doing it again changes nothing. */
async function end(trx: LiveTrx, { app, ...caller }: Leaver, row: SignupRow, reason: string): Promise<SignupRow> {
  const made = await makeTransition({ app, trx: raw(trx), caller: caller.person, now: caller.now }, signup, 'giveUp', [
    row.id,
  ])
  const ended = { set: { signStatus: SignStatus.withdrawn }, action: SignAction.withdraw, reason } as const
  if (made.changed > 0) await logMove(trx, caller, row, ended)
  return made.rows[0] as unknown as SignupRow
}

/**
 * Gives a sign-up up. Doing it again changes nothing. Not after payment and not once a ticket was given out.
 * @throws signup.notFound, signup.notWithdrawable
 */
export async function giveUp(caller: Leaver, id: string, reason: string): Promise<SignupRow> {
  const { person } = caller
  return caller.db.transaction().execute(async trx => {
    await trx.selectFrom('signup').select('id').where('id', '=', id).forNoKeyUpdate().execute()
    const row = await findOwn({ db: trx, person }, id)
    const isOpen = row.signStatus === SignStatus.draft || row.signStatus === SignStatus.submitted
    if (!isOpen && !isOwnRepeat(row, row.signStatus === SignStatus.withdrawn, person))
      throw refuse('signup.notWithdrawable')
    return end(trx, caller, row, reason)
  })
}

/**
 * Ends every sign-up of an account that loses its ID number, so that the number is free for its owner.
 * @throws accounts.claimBlocked when one has passed review, was paid or has a ticket; signup.notWithdrawable when one
 * changed meanwhile
 */
export async function endForHolder(trx: LiveTrx, caller: Leaver, userId: string, reason: string): Promise<void> {
  const rows = await trx
    .selectFrom('signup')
    .selectAll()
    .where('userId', '=', userId)
    .where('signStatus', 'in', [SignStatus.draft, SignStatus.submitted])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const row of rows)
    if (
      (row.signStatus === SignStatus.submitted && row.examine === ExamineStatus.approved) ||
      (await isBound(trx, row.id))
    )
      throw refuse('accounts.claimBlocked')
  for (const row of rows) await end(trx, caller, row, reason)
}

/**
 * Removes a candidate's own sign-up: a draft goes, a handed-in one is given up.
 * @throws signup.notFound, signup.notWithdrawable
 */
export async function removeOwn(caller: Leaver, ids: readonly string[]): Promise<void> {
  if (await wasRemovedBy(caller.db, 'signup', ids, caller.person)) return
  const rows: SignupRow[] = []
  for (const id of ids) rows.push(await findOwn(caller, id))
  for (const row of rows) {
    if (row.signStatus === SignStatus.draft) await removeDraft(caller, row)
    else await giveUp(caller, row.id, '')
  }
}

const removeDraft = (caller: Caller, row: SignupRow) =>
  caller.db.transaction().execute(trx =>
    move(trx, caller, row, {
      set: { signStatus: SignStatus.withdrawn },
      gone: true,
      action: SignAction.withdraw,
      reason: '',
    }),
  )

/** A sign-up is given up only while nothing is paid and no ticket is out. */
export const leaveRules = [
  guard(signup, 'giveUp', async ({ trx, caller, now, rows }) => {
    const db = liveFor(trx, { ...caller, now: () => now })
    for (const { id } of rows) if (await isBound(db, id)) throw refuse('signup.notWithdrawable')
  }),
]
