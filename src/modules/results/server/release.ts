import { stageEvents } from '#resources/exams/events'
import { resultEvents } from '#resources/results/events'
import { signupEvents } from '#resources/sign-up/events'
import { ConfirmStatus, ExampayStatus, ExamStatus, ItemRange, ReleaseStatus, ResultFlag } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { emit, emitOnce } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { type Live, type LiveTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { type Refusal, refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { checkTimely, isEarly } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { ensurePayable } from '../../payment/server/fee-records.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { factsOf, type Stage } from '../../tickets/server/stage.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { examineesOf } from './examinees.ts'
import { rankStage, writeTotals } from './rank.ts'
import './tables.ts'
import type { MoveKind } from './tables.ts'

/**
 * How many people a stage has, how many of them have neither a score nor a mark that says why, whether or not they have a row, and whether
 * anybody has a result at all.
 */
export async function missing(db: Live, stage: Stage): Promise<{ people: number; n: number; none: boolean }> {
  const rows = await db
    .selectFrom('result')
    .select(['signupId', 'score', 'resultFlag'])
    .where('itemId', '=', stage.id)
    .execute()
  const done = new Set(
    rows.filter(one => one.score !== null || one.resultFlag !== ResultFlag.normal).map(one => one.signupId),
  )
  const people = await examineesOf(db, stage)
  const n = people.filter(one => !done.has(one.signupId)).length
  return { people: people.length, n, none: rows.length === 0 }
}

/** Whether a person changed a score of a stage since it was recalled. */
export async function changedSinceRecall(
  trx: Live,
  stage: Pick<Stage, 'id' | 'resultRelease'>,
  userId: string,
): Promise<boolean> {
  if (stage.resultRelease !== ReleaseStatus.recalled) return false
  const recalled = await trx
    .selectFrom('result_move')
    .select(eb => eb.fn.max('time').as('time'))
    .where('itemId', '=', stage.id)
    .where('kind', '=', 'recall')
    .executeTakeFirst()
  const own = await trx
    .selectFrom('resultlog')
    .select('id')
    .where('itemId', '=', stage.id)
    .where('createUser', '=', userId)
    .where('createTime', '>=', recalled?.time ?? new Date(0))
    .executeTakeFirst()
  return own !== undefined
}

/** What the results of a stage are moved to, and what the stage says of itself then. */
async function moveResults(trx: LiveTrx, stage: Stage, actor: Actor & { reason: string }, to: 1 | 2): Promise<number> {
  const moved = await trx
    .updateTable('result')
    .set(eb => ({
      resultStatus: to,
      releaseTime: to === ReleaseStatus.released ? actor.now : eb.ref('releaseTime'),
      version: eb('version', '+', 1),
    }))
    .where('itemId', '=', stage.id)
    .where(
      'resultStatus',
      'in',
      to === ReleaseStatus.released ? [ReleaseStatus.draft, ReleaseStatus.recalled] : [ReleaseStatus.released],
    )
    .executeTakeFirst()
  const after = await trx
    .updateTable('examinationitem')
    .set({ resultRelease: to })
    .where('id', '=', stage.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const act = to === ReleaseStatus.released ? 'releaseResult' : 'recallResult'
  await keepHistory(trx, Examinationitem, [[stage, after]], { act, ...actor })
  if (to === ReleaseStatus.released) {
    const { appealEndTime: until } = await trx
      .selectFrom('examination')
      .select('appealEndTime')
      .where('id', '=', stage.examId)
      .executeTakeFirstOrThrow()
    const appeal = until && until > actor.now ? 'open' : 'none'
    await emit(trx, stageEvents.resultsReleased, [after], { appeal, until: appeal === 'open' ? until : null })
  } else await emit(trx, stageEvents.resultsRecalled, [after], { reason: actor.reason })
  return Number(moved.numUpdatedRows)
}

/** Tells who was put right since the results of a stage were out before. */
async function tellCorrected(trx: LiveTrx, stage: Stage): Promise<void> {
  const recalled = await trx
    .selectFrom('result_move')
    .select('time')
    .where('itemId', '=', stage.id)
    .where('kind', '=', 'recall')
    .where('time', 'is not', null)
    .orderBy('time', 'desc')
    .executeTakeFirst()
  if (!recalled?.time) return
  const rows = await trx
    .selectFrom('result')
    .innerJoin('resultlog as log', join =>
      join.onRef('log.itemId', '=', 'result.itemId').onRef('log.signupId', '=', 'result.signupId'),
    )
    .select(['result.id', 'result.examId'])
    .distinct()
    .where('result.itemId', '=', stage.id)
    .where('log.createTime', '>=', recalled.time)
    .execute()
  await emit(trx, resultEvents.corrected, rows, { item: stage.itemName })
}

/** Tells everybody with a result of a stage that has a next one whether to go on; anew only where that has changed. */
async function tellShortlist(trx: LiveTrx, stage: Stage): Promise<void> {
  const rows = await trx
    .selectFrom('result')
    .select(['signupId as id', 'examId', 'isNext', 'confirmStatus'])
    .where('itemId', '=', stage.id)
    .where('resultStatus', '=', ReleaseStatus.released)
    .execute()
  const on = rows.filter(one => one.isNext === 1)
  if (on.length === 0) return
  // Whoever has left the shortlist knows.
  const off = rows.filter(one => one.isNext !== 1 && one.confirmStatus === ConfirmStatus.unanswered)
  const facts = { item: stage.itemName }
  const until = stage.confirmEndTime
  const asked = { ...facts, until, next: until ? 'confirm' : 'look' }
  await emitOnce(trx, signupEvents.shortlisted, on, ({ id }) => `shortlist:${stage.id}:${id}:on`, asked)
  await emitOnce(trx, signupEvents.notShortlisted, off, ({ id }) => `shortlist:${stage.id}:${id}:off`, facts)
}

/** Writes down what was done with a stage's results as a whole. */
export async function logRelease(
  trx: Live,
  itemId: string,
  kind: MoveKind,
  { userId, now }: Actor,
  more: { reason?: string; num?: number } = {},
): Promise<void> {
  await trx
    .insertInto('result_move')
    .values({ itemId, kind, userId, time: now, dueTime: null, ...more })
    .execute()
}

/**
 * Whether the latest act on a stage's results was this one, by this person: then doing it again is no conflict. An early
 * release is that of both who wanted it.
 */
export async function isLastMove(
  trx: Live,
  itemId: string,
  kind: MoveKind,
  actor: Actor,
  reason?: string,
): Promise<boolean> {
  const [last, before] = await trx
    .selectFrom('result_move')
    .select(['kind', 'userId', 'reason'])
    .where('itemId', '=', itemId)
    .where('time', 'is not', null)
    .where('kind', '<>', 'next')
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  const isSame = last?.kind === kind && (reason === undefined || last.reason === reason)
  const users = [last?.userId, ...(kind === 'release' && before?.kind === 'early' ? [before.userId] : [])]
  return users.some(updateUser => isOwnRepeat({ updateUser: updateUser ?? null }, isSame, actor))
}

/** Fees of later stages follow who goes on: a record for whoever owes one now, none for whoever does not. */
export async function syncFeesOfEntrants(
  trx: LiveTrx,
  stage: Stage,
  signupIds: readonly string[],
  now: Date,
): Promise<void> {
  if (signupIds.length === 0) return
  const charged = await trx
    .selectFrom('exampay')
    .innerJoin(withRemoved('examinationitem as item'), 'item.id', 'exampay.itemId')
    .select('exampay.id')
    .where('exampay.examId', '=', stage.examId)
    .where('exampay.payStatus', '=', ExampayStatus.released)
    .where('item.candidateRule', '=', ItemRange.shortlisted)
    .executeTakeFirst()
  if (!charged) return
  // Across tenants, which tells the tenant: what follows from a list is done by the program, not by who publishes it.
  const { tenantId } = await liveAcross(trx, { now: () => now })
    .selectFrom('examinationitem')
    .select('tenantId')
    .where('id', '=', stage.id)
    .executeTakeFirstOrThrow()
  const program = programOf(trx, { tenantId }, now)
  for (const id of [...signupIds].sort()) await ensurePayable(program, id, now)
}

/** Who goes on from a stage. */
async function entrants(trx: Live, itemId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('result')
    .select('signupId')
    .where('itemId', '=', itemId)
    .where('isNext', '=', 1)
    .execute()
  return rows.map(one => one.signupId)
}

/** Nobody is asked to confirm by a time that is past. @throws row.wrongState */
function checkConfirmEnd({ itemName, confirmEndTime }: Stage, now: Date): void {
  if (confirmEndTime && confirmEndTime <= now)
    throw refuseSaying(
      'row.wrongState',
      `「${itemName}」的入围确认截止（${wireTime(confirmEndTime)}）已过，请先改到发布成绩之后`,
    )
}

/**
 * Whether the results of a stage can be released.
 * @param reason releases although people are missing
 * @throws exams.notReleased for a draft exam, results.sameEditor, results.incomplete; without any result also with a
 * reason, because there is nothing to release
 */
async function checkResults(trx: Live, stage: Stage, actor: Actor, reason: string): Promise<void> {
  if (stage.examStatus === ExamStatus.draft) throw refuse('exams.notReleased')
  // Whoever changed a score of a recalled stage does not release it: a second person looks.
  if (await changedSinceRecall(trx, stage, actor.userId)) throw refuse('results.sameEditor')
  checkConfirmEnd(stage, actor.now)
  const { n, none } = await missing(trx, stage)
  if (none || (n && !reason)) throw refuse('results.incomplete', { n })
}

/**
 * Whether the results of a stage can be released now, said before anything is asked: too early, or early, which needs a
 * reason and a second person.
 * @throws row.wrongState with the sentence, and what {@link checkResults} finds
 */
export async function checkRelease(trx: Live, stage: Stage, actor: Actor, reason: string): Promise<void> {
  checkTimely(resultWindows.release, factsOf(stage), actor.now)
  if (isEarly(stage, actor.now) && !reason) throw earlyWithout(stage)
  await checkResults(trx, stage, actor, reason)
}

/** Results are early while the stage is still held. */
const earlyWithout = ({ itemName, endTime }: Stage): Refusal =>
  refuseSaying('row.wrongState', `「${itemName}」${wireTime(endTime)}才结束，提前发布成绩须填写原因，并由另一人确认`)

/** An early release that waits for a second person. */
export const earlyAsked = (db: Live, itemIds: readonly string[]) =>
  db
    .selectFrom('result_early as early')
    .leftJoin(withRemoved('user'), 'user.id', 'early.userId')
    .select(['early.itemId', 'early.userId', 'early.reason', 'early.time', 'user.realName as userName'])
    .where('early.itemId', 'in', [...itemIds])
    .execute()

/** Asks for an early release, or confirms what somebody else has asked for. @returns the reason, or null while one person alone wants it */
async function earlyReason(trx: LiveTrx, { id: itemId }: Stage, actor: Actor, reason: string): Promise<string | null> {
  const { userId, now } = actor
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('result_early')
    .values({ itemId, userId, reason, time: now })
    .onConflict(on => on.column('itemId').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) await logRelease(trx, itemId, 'early', actor, { reason })
  const [asked] = await earlyAsked(trx, [itemId])
  return !asked || asked.userId === userId ? null : asked.reason
}

const forgetEarly = (trx: Live, itemId: string) => trx.deleteFrom('result_early').where('itemId', '=', itemId).execute()

/** Releases a stage inside a transaction that has locked it. */
export async function releaseIn(trx: LiveTrx, stage: Stage, actor: Actor, reason: string): Promise<number> {
  if (stage.resultRelease === ReleaseStatus.released) {
    if (await isLastMove(trx, stage.id, 'release', actor)) return 0
    throw refuse('row.wrongState')
  }
  await checkRelease(trx, stage, actor, reason)
  await forgetEarly(trx, stage.id)
  const num = await moveResults(trx, stage, { ...actor, reason }, ReleaseStatus.released)
  const changed = await rankStage(trx, stage, 'all')
  await writeTotals(trx, stage.examId)
  await syncFeesOfEntrants(trx, stage, changed, actor.now)
  await tellCorrected(trx, stage)
  await tellShortlist(trx, stage)
  await logRelease(trx, stage.id, 'release', actor, { reason, num })
  return num
}

/** What came of a release: how many results are out now, and what is said when a second person is waited for. */
export interface Released {
  num: number
  message?: string
}

/**
 * Releases the results of a stage at once, ranks them and says who goes on. Asked again by the same person, nothing
 * happens.
 * @param reason releases although people are missing
 * While the stage is still held one person asks with a reason and another one confirms.
 * @returns how many results, and whether a second person is waited for
 * @throws row.wrongState before the stage has begun, and before its end without a reason, results.incomplete while
 * somebody has neither a score nor a mark, results.sameEditor for who changed them after a recall, row.wrongState when
 * somebody else has released them, exams.notReleased for a draft exam, exams.archived
 */
export async function releaseResult(db: Live, itemId: string, actor: Actor, reason: string): Promise<Released> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    const isOut = stage.resultRelease === ReleaseStatus.released
    if (!isOut && isEarly(stage, actor.now)) {
      await checkRelease(trx, stage, actor, reason)
      const confirmed = await earlyReason(trx, stage, actor, reason)
      if (confirmed === null) return { num: 0, message: '已提出提前发布成绩，另一位有权人员确认后生效' }
      return { num: await releaseIn(trx, stage, actor, confirmed) }
    }
    await trx.deleteFrom('result_move').where('itemId', '=', itemId).where('time', 'is', null).execute()
    return { num: await releaseIn(trx, stage, actor, reason) }
  })
}

/**
 * Takes the results of a stage back: 1 → 2, with a reason; a release that waits for its time is called off.
 * @returns how many results @throws input.invalid without a reason, row.wrongState when none is out and none waits,
 * exams.archived
 */
export async function recallResult(db: Live, itemId: string, actor: Actor, reason: string): Promise<number> {
  if (!reason) throw refuse('input.invalid', { 说明: '请输入撤回原因' })
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    const waiting = await trx
      .deleteFrom('result_move')
      .where('itemId', '=', itemId)
      .where('time', 'is', null)
      .executeTakeFirst()
    const [asked] = await earlyAsked(trx, [itemId])
    await forgetEarly(trx, itemId)
    if (stage.resultRelease !== ReleaseStatus.released) {
      if (Number(waiting.numDeletedRows) || asked) {
        await logRelease(trx, itemId, 'calloff', actor, { reason })
        return 0
      }
      for (const kind of ['recall', 'calloff'] as const)
        if (await isLastMove(trx, itemId, kind, actor, reason)) return 0
      throw refuse('row.wrongState')
    }
    const num = await moveResults(trx, stage, { ...actor, reason }, ReleaseStatus.recalled)
    await writeTotals(trx, stage.examId)
    await syncFeesOfEntrants(trx, stage, await entrants(trx, itemId), actor.now)
    await logRelease(trx, itemId, 'recall', actor, { reason, num })
    return num
  })
}
