import { promotion } from '#resources/results/promotion'
import { signupEvents } from '#resources/sign-up/events'
import { ConfirmStatus, SignAction } from '#schemas/dictionaries'
import { Promotion } from '#schemas/results/promotion'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { guard, on } from '../../../crud/rules.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import type { Actor } from '../../exams/server/release.ts'
import { stageOf } from '../../tickets/server/stage.ts'
import { syncFeesOfEntrants } from './release.ts'
import { logPlaces } from './shortlist.ts'
import { openVacancy, pendingPromotion } from './vacancy.ts'

/** A promotion somebody asks for. */
interface Asked {
  itemId: string
  code: string
  reason: string
  until: Date
  /** Those who were shown as the next. */
  signupIds: readonly string[]
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length

/**
 * Asks that the next in rank move up to the free places of a position; another person confirms it. Asking for the same again
 * changes nothing.
 * @throws results.promotionPending, results.noVacancy, results.nextChanged when the next are others than were shown, input.invalid
 * for a time that is past, and as {@link openVacancy}
 */
export async function askPromotion(
  db: Live,
  asked: Asked,
  { userId, now }: Actor,
): Promise<{ id: string; num: number }> {
  const { itemId, code, until, signupIds } = asked
  const reason = asked.reason.trim()
  if (!reason) throw refuse('input.invalid', { 说明: '请填写递补原因' }, [{ field: 'reason', msg: '请填写递补原因' }])
  const late = '确认截止应晚于现在'
  if (until <= now) throw refuse('input.invalid', { 说明: late }, [{ field: 'until', msg: late }])
  return db.transaction().execute(async trx => {
    const { stage, next } = await openVacancy(trx, itemId, code, now)
    const waiting = await pendingPromotion(trx, itemId, code)
    if (waiting) {
      if (waiting.askUser === userId && waiting.reason === reason) return { id: waiting.id, num: waiting.num }
      throw refuse('results.promotionPending')
    }
    if (next.length === 0) throw refuse('results.noVacancy')
    const ids = next.map(one => one.signupId)
    if (!isSame(ids, signupIds)) throw refuse('results.nextChanged')
    const { unit } = await trx
      .selectFrom('examitems')
      .select('unit')
      .where('examId', '=', stage.examId)
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
    const made = await trx
      .insertInto('promotion')
      .values({ examId: stage.examId, itemId, unit, code, num: ids.length, reason, until, askUser: userId })
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('result')
      .set({ promotionId: made.id })
      .where('itemId', '=', itemId)
      .where('signupId', 'in', ids)
      .execute()
    await keepHistory(trx, Promotion, [[null, made]], { act: 'submit', userId, now, reason })
    return { id: made.id, num: ids.length }
  })
}

/** The results of those who move up by a promotion. */
const candidatesOf = (db: Live, id: string) =>
  db.selectFrom('result').select('signupId').where('promotionId', '=', id).where('isNext', '=', 0).execute()

/** The next move up: their places are theirs, with a time to confirm of their own. */
async function moveUp(trx: LiveTrx, row: Promotion, by: Actor): Promise<void> {
  const stage = await stageOf(trx, row.itemId)
  if (!stage) throw refuse('row.notFound')
  const moved = await trx
    .updateTable('result')
    .set(eb => ({
      isNext: 1,
      confirmStatus: ConfirmStatus.unanswered,
      confirmTime: null,
      version: eb('version', '+', 1),
    }))
    .where('promotionId', '=', row.id)
    .where('isNext', '=', 0)
    .returning(['signupId', 'itemId', 'examId'])
    .execute()
  await logPlaces(trx, moved, SignAction.promote, by)
  await syncFeesOfEntrants(
    trx,
    stage,
    moved.map(one => one.signupId),
    by.now,
  )
  const subjects = moved.map(({ signupId: id, examId }) => ({ id, examId }))
  await emit(trx, signupEvents.promoted, subjects, { item: stage.itemName, until: row.until })
}

/** A promotion is confirmed while the same people are next; then they move up. One that is dropped lets them go. */
export const promotionRules = [
  guard(promotion, 'confirm', async ({ db, rows, now }) => {
    for (const { id, itemId, code, until } of rows) {
      if (until <= now) throw refuseSaying('row.wrongState', '确认截止已过，请选择不递补后重新提出')
      const { next } = await openVacancy(db, itemId, code, now)
      const asked = await candidatesOf(db, id)
      const ids = (list: readonly { signupId: string }[]) => list.map(one => one.signupId)
      if (!isSame(ids(next), ids(asked))) throw refuse('results.nextChanged')
    }
  }),
  on(promotion, 'confirm', async ({ db, rows, caller: { userId }, now }) => {
    for (const row of rows) await moveUp(db, row, { userId, now })
  }),
  on(promotion, 'drop', async ({ db, rows }) => {
    const ids = rows.map(row => row.id)
    await db.updateTable('result').set({ promotionId: null }).where('promotionId', 'in', ids).execute()
  }),
]
