import type { FastifyInstance } from 'fastify'
import { result } from '#resources/results/result'
import { signupEvents } from '#resources/sign-up/events'
import {
  ConfirmStatus,
  EnableStatus,
  ExamStatus,
  ItemRange,
  ReleaseStatus,
  SignAction,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import type { Result } from '#schemas/results/result'
import { emit } from '../../../crud/emit.ts'
import { on } from '../../../crud/rules.ts'
import { makeTransition, programUser } from '../../../crud/transition.ts'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { type LiveTrx, liveAcross, liveFor } from '../../../platform/database/live.ts'
import { Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { confirmEnd } from './places.ts'
import { syncFeesOfEntrants } from './release.ts'

/** An answer to being shortlisted. */
type Answer = 'confirm' | 'decline'

const stateAfter = { confirm: ConfirmStatus.confirmed, decline: ConfirmStatus.declined } as const

/** The caller's own published result of a stage. */
const ownResult = ({ db, person }: Pick<Caller, 'db' | 'person'>, itemId: string) =>
  db
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
    .leftJoin('promotion as m', 'm.id', 'r.promotionId')
    .select(['r.id', 'r.examId', 'r.isNext', 'r.confirmStatus', 's.signStatus'])
    .select(confirmEnd.as('until'))
    .select(['i.itemName', 'i.startTime', 'i.endTime'])
    .where('s.userId', '=', person.userId)
    .where('r.itemId', '=', itemId)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .where('e.examStatus', '<>', ExamStatus.draft)
    .executeTakeFirst()

/**
 * Takes or declines the caller's place on the shortlist of a stage, once. The same answer again changes nothing.
 * @throws results.notReleased, results.notShortlisted, results.answered with the other answer, results.confirmNotAsked,
 * results.confirmClosed, exams.archived
 */
export async function answerShortlist(
  { app, ...caller }: Caller & { app: FastifyInstance },
  itemId: string,
  answer: Answer,
): Promise<void> {
  const { db, person, now } = caller
  await db.transaction().execute(async trx => {
    // The stage before the result, as those do who publish and recall.
    if (answer === 'decline') await lockStage(trx, itemId)
    const row = await ownResult({ db: trx, person }, itemId)
    if (!row) throw refuse('results.notReleased')
    if (row.confirmStatus === stateAfter[answer]) return
    if (row.confirmStatus === ConfirmStatus.confirmed || row.confirmStatus === ConfirmStatus.declined)
      throw refuse('results.answered')
    const { itemName, startTime, endTime, until } = row
    if (row.confirmStatus === ConfirmStatus.unanswered && (row.isNext !== 1 || row.signStatus !== SignStatus.submitted))
      throw refuse('results.notShortlisted')
    checkTimely(resultWindows.confirm, { exam: {}, stage: { itemName, startTime, endTime, confirmEnd: until } }, now)
    await refuseArchived(trx, [row.examId])
    await makeTransition({ app, trx, caller: person, now }, result, answer, [row.id])
  })
}

/** Writes what became of places on a shortlist into the histories of the sign-ups. */
export async function logPlaces(
  trx: LiveTrx,
  rows: readonly Pick<Result, 'signupId' | 'itemId'>[],
  action: (typeof SignAction)['confirmPlace' | 'declinePlace' | 'missPlace' | 'promote'],
  { userId, now }: { userId: string | null; now: Date },
): Promise<void> {
  if (rows.length === 0) return
  const lines = rows.map(({ signupId, itemId }) => ({
    signupId,
    action,
    diff: JSON.stringify([{ target: 'position', code: 'shortlist', from: '', to: itemId }]),
    userId,
    time: now,
  }))
  await trx.insertInto('signuplog').values(lines).execute()
}

/** Takes somebody who has left a shortlist out of the stages it leads to: tickets are void, fees close. */
async function leaveStages(trx: LiveTrx, { itemId, signupId }: Result, now: Date): Promise<void> {
  const stage = await lockStage(trx, itemId)
  await trx
    .updateTable('examinationticket')
    .set(eb => ({ ticketStatus: TicketStatus.voided, voidReason: '放弃入围', version: eb('version', '+', 1) }))
    .where('signupId', '=', signupId)
    .where('ticketStatus', '<>', TicketStatus.voided)
    .where('itemId', 'in', eb =>
      eb
        .selectFrom('examinationitem as i')
        .select('i.id')
        .where('i.examId', '=', stage.examId)
        .where('i.itemStatus', '=', EnableStatus.enabled)
        .where('i.candidateRule', '=', ItemRange.shortlisted)
        .where('i.startTime', '>', stage.startTime),
    )
    .execute()
  await syncFeesOfEntrants(trx, stage, [signupId], now)
}

/** The sign-up of a result, as events of sign-ups want it. */
const subjectOf = ({ signupId: id, examId }: Result) => ({ id, examId })

const stageOf = (trx: LiveTrx, itemId: string) =>
  trx.selectFrom('examinationitem').select('itemName').where('id', '=', itemId).executeTakeFirstOrThrow()

/** What follows for somebody who has left a shortlist. */
async function leave(
  trx: LiveTrx,
  row: Result,
  act: 'decline' | 'miss',
  by: { userId: string | null; now: Date },
): Promise<void> {
  const { itemName } = await stageOf(trx, row.itemId)
  await leaveStages(trx, row, by.now)
  await logPlaces(trx, [row], act === 'decline' ? SignAction.declinePlace : SignAction.missPlace, by)
  await emit(trx, signupEvents.declined, [subjectOf(row)], { item: itemName, act })
}

/** What follows from answers to being shortlisted, and from none. */
export const shortlistRules = [
  on(result, 'confirm', async ({ db, rows, caller: { userId }, now }) => {
    await logPlaces(db, rows, SignAction.confirmPlace, { userId, now })
    for (const row of rows) {
      const { itemName } = await stageOf(db, row.itemId)
      await emit(db, signupEvents.confirmed, [subjectOf(row)], { item: itemName })
    }
  }),
  on(result, 'decline', async ({ db, rows, caller: { userId }, now }) => {
    for (const row of rows) await leave(db, row, 'decline', { userId, now })
  }),
  on(result, 'miss', async ({ db, rows, now }) => {
    for (const row of rows) await leave(db, row, 'miss', { userId: null, now })
  }),
]

/**
 * Takes the places of all who were shortlisted and have not answered in time, in all tenants; each is looked at again by itself.
 * @returns how many are looked at
 */
export async function missDuePlaces(app: FastifyInstance): Promise<number> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  const due = await db
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
    .leftJoin('promotion as m', 'm.id', 'r.promotionId')
    .select(['r.id', 'r.itemId', 'r.tenantId'])
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .where('r.isNext', '=', 1)
    .where('r.confirmStatus', '=', ConfirmStatus.unanswered)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('e.examStatus', '=', ExamStatus.released)
    .where(confirmEnd, '<=', now)
    .orderBy('r.id')
    .execute()
  for (const { id, itemId, tenantId } of due) {
    const caller = { userId: programUser, tenantId }
    await db
      .transaction()
      .execute(async trx => {
        // The deadline may have been moved meanwhile.
        const own = liveFor(trx, { ...caller, now: () => now })
        const { confirmEndTime } = await lockStage(own, itemId)
        const moved = await own
          .selectFrom('result as r')
          .leftJoin('promotion as m', 'm.id', 'r.promotionId')
          .select('m.until')
          .where('r.id', '=', id)
          .executeTakeFirst()
        const until = moved?.until ?? confirmEndTime
        if (until && until <= now) await makeTransition({ app, trx, caller, now }, result, 'miss', [id])
      })
      .catch(error => {
        // Answered meanwhile, or archived.
        if (!(error instanceof Refusal)) throw error
      })
  }
  return due.length
}
