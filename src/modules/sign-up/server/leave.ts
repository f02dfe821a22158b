import type { FastifyInstance } from 'fastify'
import { signupEvents } from '#resources/sign-up/events'
import { signup } from '#resources/sign-up/signup'
import { ExamineStatus, ExamStatus, PayState, SignAction, SignStatus, TicketStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { wasRemovedBy } from '../../../crud/removed.ts'
import { guard, on } from '../../../crud/rules.ts'
import { makeTransition } from '../../../crud/transition.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { type LiveTrx, liveFor, removeRows } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { signupWindows } from '../rules/act-windows.ts'

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

/** What becomes of a sign-up, in its own history. */
interface Line {
  to: 0 | 2
  action: 3 | 4
  reason: string
}

/** Writes the line of a sign-up's own history that a change of its state makes. */
async function logMove(trx: Db, { person, now, ip }: Caller, row: SignupRow, { to, action, reason }: Line) {
  const diff = JSON.stringify([{ target: 'position', code: 'signStatus', from: row.signStatus, to, reason }])
  await trx
    .insertInto('signuplog')
    .values({ signupId: row.id, action, diff, userId: person.userId, time: now, ip })
    .execute()
}

/** Who takes a sign-up back or gives it up, and the server that tells those who listen. */
export interface Leaver extends Caller {
  app: FastifyInstance
}

/** Makes a transition of a sign-up, with its line in the history. Doing it again changes nothing. */
async function leave(
  trx: LiveTrx,
  { app, ...caller }: Leaver,
  row: SignupRow,
  name: 'withdraw' | 'giveUp',
  line: Line,
): Promise<SignupRow> {
  const making = { app, trx, caller: caller.person, now: caller.now }
  const made = await makeTransition(making, signup, name, [row.id])
  if (made.changed > 0) await logMove(trx, caller, row, line)
  return made.rows[0] as unknown as SignupRow
}

/**
 * Takes a handed-in sign-up back into a draft, which frees its place. Doing it again changes nothing.
 * @throws signup.notFound, signup.notWithdrawable
 */
export async function withdraw(caller: Leaver, id: string): Promise<SignupRow> {
  const row = await findOwn(caller, id)
  const line = { to: SignStatus.draft, action: SignAction.recall, reason: '' } as const
  return caller.db.transaction().execute(trx => leave(trx, caller, row, 'withdraw', line))
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

/** Gives a sign-up up in a transaction. */
const end = (trx: LiveTrx, caller: Leaver, row: SignupRow, reason: string): Promise<SignupRow> =>
  leave(trx, caller, row, 'giveUp', { to: SignStatus.withdrawn, action: SignAction.withdraw, reason })

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

/** Removes a draft as it was read, with its line in the history. @throws signup.notWithdrawable when it changed since */
const removeDraft = (caller: Caller, row: SignupRow) =>
  caller.db.transaction().execute(async trx => {
    const gone = await removeRows(trx, 'signup')
      .set(eb => ({ signStatus: SignStatus.withdrawn, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .where('version', '=', row.version)
      .where('signStatus', '=', row.signStatus)
      .where('examine', '=', row.examine)
      .returning('id')
      .executeTakeFirst()
    if (!gone) throw refuse('signup.notWithdrawable')
    await logMove(trx, caller, row, { to: SignStatus.withdrawn, action: SignAction.withdraw, reason: '' })
  })

/** A sign-up is taken back while its exam takes sign-ups, and given up only while nothing is paid and no ticket is out. */
export const leaveRules = [
  guard(signup, 'withdraw', async ({ db, now, rows }) => {
    for (const { examId } of rows) {
      const exam = await findExam(db, examId)
      if (exam.examStatus !== ExamStatus.released) throw refuse('signup.notWithdrawable')
      checkTimely(signupWindows.withdraw, { exam }, now)
    }
  }),
  guard(signup, 'giveUp', async ({ trx, caller, now, rows }) => {
    const db = liveFor(trx, { ...caller, now: () => now })
    for (const { id } of rows) if (await isBound(db, id)) throw refuse('signup.notWithdrawable')
  }),
  on(signup, 'withdraw', ({ db, rows }) => emit(db, signupEvents.left, rows, { act: 'withdraw', refund: 'none' })),
  on(signup, 'giveUp', ({ db, rows, before }) => {
    const handedIn = new Set(before.filter(one => one.signStatus === SignStatus.submitted).map(one => one.id))
    const left = rows.filter(({ id }) => handedIn.has(id))
    return emit(db, signupEvents.left, left, { act: 'giveUp', refund: 'none' })
  }),
]
