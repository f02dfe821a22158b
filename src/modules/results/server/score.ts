import type { FastifyInstance } from 'fastify'
import { appealEvents } from '#resources/results/events'
import { resultappeal } from '#resources/results/resultappeal'
import { ConfirmStatus, ExamStatus, ReleaseStatus, SignStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { makeTransition } from '../../../crud/transition.ts'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { type Live, updateUnstamped } from '../../../platform/database/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely, isTimely, untimely } from '../../exams/rules/act-windows.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { shortDecimal } from '../rules/result-score.ts'
import { confirmEnd } from './places.ts'

/** Results of the caller that are out, with what their exam says about looking at them and about appeals. */
const ownResults = ({ db, person }: Caller) =>
  db
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
    .leftJoin('examitems as p', join => join.onRef('p.examId', '=', 'r.examId').onRef('p.code', '=', 'r.code'))
    .leftJoin('resultappeal as a', join => join.onRef('a.resultId', '=', 'r.id'))
    .select(['r.id', 'r.examId', 'r.itemId', 'r.signupId', 'r.ticketNo', 'r.unit', 'r.code', 'r.score', 'r.addScore'])
    .select(['r.resultFlag', 'r.rankNo', 'r.totalScore', 'r.isPass', 'r.isNext', 'r.releaseTime', 's.signStatus'])
    .select(['e.examName', 'e.resultTime', 'e.resultEndTime', 'e.appealEndTime', 'i.itemName', 'i.fullScore'])
    .select(['p.postName', 'a.id as appealId', 'a.reason', 'a.appealStatus', 'a.reply', 'a.handleTime'])
    .select('a.createTime as appealTime')
    .leftJoin('promotion as m', 'm.id', 'r.promotionId')
    .select(['r.confirmStatus', 'r.confirmTime', 'r.promotionId', 'i.startTime', 'i.endTime'])
    .select(confirmEnd.as('confirmEnd'))
    .where('s.userId', '=', person.userId)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .where('e.examStatus', '<>', ExamStatus.draft)

type OwnResult = Awaited<ReturnType<ReturnType<typeof ownResults>['execute']>>[number]

/** True while an exam lets its results be looked at; one that sets no time lets it from their release on. */
const shown = (exam: OwnResult, now: Date): boolean => isTimely(resultWindows.view, { exam }, now)

/** Whether a place on the shortlist is to be confirmed, and can be. */
const awaitsAnswer = ({ signStatus, isNext, confirmStatus, ...row }: OwnResult, now: Date): boolean =>
  signStatus === SignStatus.submitted &&
  isNext === 1 &&
  confirmStatus === ConfirmStatus.unanswered &&
  isTimely(resultWindows.confirm, { exam: {}, stage: row }, now)

/** The appeal against a result; null where there is none, and then the join gives nothing. */
const appealOf = ({ appealId, reason, appealStatus, reply, appealTime, handleTime }: OwnResult) =>
  appealId && reason && appealStatus !== null && appealTime
    ? { id: appealId, reason, appealStatus, reply, createTime: appealTime, handleTime }
    : null

/** Keeps when a candidate first looked at results; the rows count as unchanged. */
async function noteSeen(db: Live, ids: readonly string[], now: Date): Promise<void> {
  await updateUnstamped(db, 'result')
    .set({ seenTime: now })
    .where('id', 'in', ids)
    .where('seenTime', 'is', null)
    .execute()
}

/**
 * The caller's own results that are out and may be looked at now, the newest exam first.
 * @param examId only of this exam
 * @param inWords the language of the page
 * @throws results.notReleased when there is none
 */
export async function examScores(
  caller: Caller,
  examId: string | undefined,
  inWords: (refusal: Refusal) => string = one => one.message,
) {
  const { db, now } = caller
  const rows = await ownResults(caller)
    .$if(examId !== undefined, query => query.where('r.examId', '=', examId as string))
    .orderBy('e.examStartTime', 'desc')
    .orderBy('r.examId')
    .orderBy('i.startTime')
    .execute()
  const open = rows.filter(row => shown(row, now))
  const [hidden] = rows
  if (open.length === 0)
    throw (hidden && untimely(resultWindows.view, { exam: hidden }, now)) ?? refuse('results.notReleased')
  await noteSeen(
    db,
    open.map(row => row.id),
    now,
  )
  const dicts = await loadDicts(db, ['recruit_unit'])
  const tooLate = open.map(row => untimely(resultWindows.appeal, { exam: row }, now))
  return open.map((row, n) => ({
    id: row.id,
    examId: row.examId,
    itemId: row.itemId,
    examName: row.examName,
    itemName: row.itemName,
    unit: row.unit,
    unitName: optionText(dicts.recruit_unit, row.unit),
    code: row.code,
    postName: row.postName,
    ticketNo: row.ticketNo,
    score: shortDecimal(row.score),
    addScore: shortDecimal(row.addScore),
    fullScore: shortDecimal(row.fullScore),
    totalScore: shortDecimal(row.totalScore),
    resultFlag: row.resultFlag,
    rankNo: row.signStatus === SignStatus.submitted ? row.rankNo : null,
    isPass: row.isPass,
    isNext: row.signStatus === SignStatus.submitted ? row.isNext : 0,
    confirmStatus: row.confirmStatus,
    confirmTime: row.confirmTime,
    confirmEnd: row.isNext === 1 ? row.confirmEnd : null,
    isPromoted: row.isNext === 1 && row.promotionId !== null,
    canConfirm: awaitsAnswer(row, now),
    releaseTime: row.releaseTime,
    canAppeal: !row.appealId && !tooLate[n],
    appealEndTime: row.appealEndTime,
    serverTime: now,
    /** Why no appeal can be filed now, in words. */
    appealBlock: !row.appealId && tooLate[n] ? inWords(tooLate[n]) : '',
    appeal: appealOf(row),
  }))
}

/**
 * Files an appeal against one's own result, once.
 * @throws results.notReleased for a result that is not out or not one's own, results.appealClosed,
 * results.alreadyAppealed, exams.archived
 */
export async function fileAppeal(caller: Caller, resultId: string, reason: string): Promise<{ id: string }> {
  const { db, now } = caller
  const row = await ownResults(caller).where('r.id', '=', resultId).executeTakeFirst()
  if (!row) throw refuse('results.notReleased')
  checkTimely(resultWindows.view, { exam: row }, now)
  if (row.appealId) throw refuse('results.alreadyAppealed')
  checkTimely(resultWindows.appeal, { exam: row }, now)
  await refuseArchived(db, [row.examId])
  return db.transaction().execute(async trx => {
    const made = await trx
      .insertInto('resultappeal')
      .values({
        examId: row.examId,
        itemId: row.itemId,
        resultId,
        signupId: row.signupId,
        oldScore: row.score,
        reason,
      })
      .onConflict(on => on.columns(['resultId']).doNothing())
      .returning(['id', 'examId'])
      .executeTakeFirst()
    if (!made) throw refuse('results.alreadyAppealed')
    await emit(trx, appealEvents.filed, [made])
    return { id: made.id }
  })
}

/** Takes one's own appeal back. @throws row.notFound, row.wrongState once it has been answered */
export async function withdrawAppeal(app: FastifyInstance, { db, person, now }: Caller, id: string): Promise<void> {
  const own = await db
    .selectFrom('resultappeal')
    .innerJoin('signup', 'signup.id', 'resultappeal.signupId')
    .select('resultappeal.id')
    .where('resultappeal.id', '=', id)
    .where('signup.userId', '=', person.userId)
    .executeTakeFirst()
  if (!own) throw refuse('row.notFound')
  await db
    .transaction()
    .execute(trx => makeTransition({ app, trx, caller: person, now }, resultappeal, 'withdraw', [id]))
}
