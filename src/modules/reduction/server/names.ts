import { sql } from 'kysely'
import { signupEvents } from '#resources/sign-up/events'
import { ReduceState, SignStatus, TicketStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { Caller, ExamRow } from '../../../platform/access/server/caller.ts'
import { type Live, type LiveTrx, removeRows, withRemoved } from '../../../platform/database/live.ts'
import { authoredBy, programOf } from '../../../platform/http/server/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import { reductionWindows } from '../rules/act-windows.ts'
import { passedAll } from './count-by-post.ts'
import { closeDues, copyNameState } from './outcome.ts'

/** A sign-up that has to choose again. */
interface Actor {
  id: string
  name: string
  unit: string
  code: string
}

/** The tickets of sign-up `s` that have been made and not made void: one binds its owner to the position. */
const ticketsOf = (db: Live) =>
  db
    .selectFrom('examinationticket as t')
    .select('t.id')
    .where('t.signupId', '=', sql.ref<string>('s.id'))
    .where('t.ticketStatus', '<>', TicketStatus.voided)

/** Refuses where nobody could choose any more. @throws reduction.choiceClosed */
function checkOpenLater(exam: ExamRow, now: Date): void {
  if (exam.allowAdjust !== 1) throw refuse('reduction.choiceClosed')
  checkTimely(reductionWindows.list, { exam }, now)
}

/** Writes people into the name list; who was on it before and taken off comes back with a clean line. */
async function writeNames(trx: LiveTrx, caller: Caller, exam: ExamRow, movers: readonly Actor[]): Promise<void> {
  const own = authoredBy(trx, caller.person, caller.now)
  const rows = movers.map(one => ({
    examId: exam.id,
    signupId: one.id,
    name: one.name,
    oldUnit: one.unit,
    oldCode: one.code,
    nameState: ReduceState.choosing,
    needRefund: 0 as const,
  }))
  for (let at = 0; at < rows.length; at += 2000)
    await own
      .insertInto('postreductionname')
      .values(rows.slice(at, at + 2000))
      .onConflict(clash =>
        clash.columns(['examId', 'signupId']).doUpdateSet(eb => ({
          nameState: ReduceState.choosing,
          oldUnit: eb.ref('excluded.oldUnit'),
          oldCode: eb.ref('excluded.oldCode'),
          newUnit: null,
          newType: null,
          newCode: null,
          choiceTime: null,
          choiceBy: null,
          needRefund: 0,
        })),
      )
      .execute()
}

/**
 * Puts sign-ups on the list of those who choose again, if they still stand as they were read. What they owe is closed.
 * @param from states they may come from; 3 for those who have moved before to a position that is gone now
 * @returns those it happened to
 */
export async function putOnList(
  trx: LiveTrx,
  caller: Caller,
  exam: ExamRow,
  { ids, from }: { ids: readonly string[]; from: readonly (0 | 3)[] },
): Promise<readonly Actor[]> {
  if (ids.length === 0) return []
  const own = programOf(trx, caller.person, caller.now)
  const movers = await own
    .updateTable('signup as s')
    .set(eb => ({ reduceState: ReduceState.choosing, version: eb('s.version', '+', 1) }))
    .where('s.id', 'in', ids)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('s.reduceState', 'in', from)
    .where(passedAll(exam))
    .where(eb => eb.not(eb.exists(ticketsOf(own))))
    .returning(eb => [
      's.id',
      's.name',
      eb.fn.coalesce('s.finalUnit', 's.unit').as('unit'),
      eb.fn.coalesce('s.finalCode', 's.code').as('code'),
    ])
    .execute()
  await writeNames(trx, caller, exam, movers)
  const codes = new Map(movers.map(({ id, code }) => [id, code]))
  const listed = movers.map(one => ({ ...one, examId: exam.id }))
  await emit(trx, signupEvents.mustChoose, listed, ({ id }) => ({
    code: codes.get(id) ?? '',
    until: exam.reduceEndTime,
  }))
  const done = movers.map(one => one.id)
  await closeDues(own, done)
  return movers
}

/** Who is meant: sign-ups by id, or all those of positions. */
export interface Asked {
  signupIds?: readonly string[]
  codes?: readonly string[]
}

/** Somebody who cannot be put on the list, and why. */
export interface Skipped {
  id: string
  name: string
  reason: string
}

const candidates = (trx: Live, exam: ExamRow, { signupIds = [], codes = [] }: Asked) =>
  trx
    .selectFrom('signup as s')
    .leftJoin('postreductionname as n', 'n.signupId', 's.id')
    .select(['s.id', 's.name', 's.signStatus', 's.reduceState', 'n.createUser as listedBy'])
    .select(eb => [passedAll(exam).as('passed'), eb.exists(ticketsOf(trx)).as('ticketed')])
    .where('s.examId', '=', exam.id)
    .where(eb =>
      signupIds.length > 0
        ? eb('s.id', 'in', signupIds)
        : eb.and([
            eb(sql<string>`coalesce(s."finalCode", s.code)`, 'in', codes),
            eb('s.signStatus', '=', SignStatus.submitted),
          ]),
    )
    .orderBy('s.id')
    .execute()

type Candidate = Awaited<ReturnType<typeof candidates>>[number]

function objection(one: Candidate): Refusal | null {
  if (one.reduceState !== ReduceState.none) return refuse('reduction.alreadyChosen')
  if (one.ticketed) return refuse('reduction.alreadySeated')
  return one.signStatus === SignStatus.submitted && one.passed ? null : refuse('row.wrongState')
}

/**
 * Lets effective candidates choose another position. One who is asked for alone and cannot is refused; of several those
 * who cannot are named in the answer.
 * @throws reduction.choiceClosed when the window is over or there is none, signup.notFound, reduction.alreadyChosen,
 * reduction.alreadySeated, row.wrongState
 */
export async function joinNameList(caller: Caller, exam: ExamRow, asked: Asked) {
  checkOpenLater(exam, caller.now)
  return caller.db.transaction().execute(async trx => {
    const found = await candidates(trx, exam, asked)
    const wanted = asked.signupIds ?? []
    if (wanted.length > 0 && found.length < new Set(wanted).size) throw refuse('signup.notFound')
    const skipped = found.flatMap((one): Skipped[] => {
      const why = objection(one)
      return why ? [{ id: one.id, name: one.name, reason: why.message }] : []
    })
    const [alone] = wanted.length === 1 ? found : []
    const only = alone && objection(alone)
    // Who has put this one person on the list may say so again.
    const isRepeat =
      alone && isOwnRepeat({ updateUser: alone.listedBy }, alone.reduceState === ReduceState.choosing, caller.person)
    if (only && !isRepeat) throw only
    const free = found.filter(one => !objection(one)).map(one => one.id)
    const added = await putOnList(trx, caller, exam, { ids: free, from: [ReduceState.none] })
    return { added: added.length, ok: added.map(one => one.id), skipped }
  })
}

/** Whether a person was the one who took somebody off the list. */
async function takenOffBy(trx: Live, signupId: string, userId: string): Promise<boolean> {
  const last = await trx
    .selectFrom(withRemoved('postreductionname'))
    .select('updateUser')
    .where('signupId', '=', signupId)
    .where('isDeleted', '=', 1)
    .orderBy('updateTime', 'desc')
    .executeTakeFirst()
  return last !== undefined && isOwnRepeat(last, true, { userId })
}

async function removeName(trx: LiveTrx, { person, now }: Caller, signupId: string): Promise<void> {
  const onList = await trx
    .selectFrom('postreductionname')
    .select(['id', 'examId'])
    .where('signupId', '=', signupId)
    .executeTakeFirst()
  if (!onList) {
    if (await takenOffBy(trx, signupId, person.userId)) return
    throw refuse('reduction.notListed')
  }
  await refuseArchived(trx, [onList.examId])
  const back = await trx
    .updateTable('signup')
    .set(eb => ({
      reduceState: ReduceState.none,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', signupId)
    .where('reduceState', '=', ReduceState.choosing)
    .returning(['id', 'examId'])
    .executeTakeFirst()
  if (!back) throw refuse('reduction.alreadyChosen')
  await emit(trx, signupEvents.takenOff, [back])
  const program = programOf(trx, person, now)
  await copyNameState(program, [signupId])
  await removeRows(trx, 'postreductionname').where('id', '=', onList.id).execute()
  await ensurePayable(program, signupId, now)
}

/**
 * Takes people off the list who have not chosen yet, all of them or none: their sign-ups count for the old positions again.
 * @throws reduction.notListed not on the list, exams.archived, reduction.alreadyChosen has chosen
 */
export async function removeNames(caller: Caller, signupIds: readonly string[]): Promise<void> {
  await caller.db.transaction().execute(async trx => {
    // Locked in the order in which everybody locks them.
    for (const id of signupIds.toSorted((one, other) => Number(BigInt(one) - BigInt(other))))
      await removeName(trx, caller, id)
  })
}

/**
 * Whoever gives up has nothing to choose any more.
 * @param trx of the program: who chose before is still who changed the line last
 */
export async function leaveList(trx: Live, signupId: string): Promise<void> {
  await trx
    .updateTable('postreductionname')
    .set({ nameState: ReduceState.givenUp })
    .where('signupId', '=', signupId)
    .where('nameState', 'in', [ReduceState.choosing, ReduceState.pending, ReduceState.rejected])
    .execute()
}
