import { sql } from 'kysely'
import {
  ConfirmStatus,
  EnableStatus,
  ExampayStatus,
  ItemRange,
  PromotionStatus,
  ReleaseStatus,
  SignStatus,
} from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import type { Stage } from '../../tickets/server/stage.ts'
import { entrantsOf } from '../rules/ranking.ts'
import { shortDecimal } from '../rules/result-score.ts'
import { refuseSeated } from './final.ts'
import type { MarkLine } from './marks.ts'
import { codeNow, placesAfter, rankingAfter, standings } from './places.ts'
import { orderOf, releasedMarks } from './rank.ts'

/** Why somebody who was on a shortlist is on it no more; null for whoever is, or never was. */
function causeOf(mark: MarkLine, hasFailed: boolean) {
  if (mark.confirmStatus === ConfirmStatus.declined) return 'declined'
  if (mark.confirmStatus === ConfirmStatus.missed) return 'missed'
  if (mark.isNext !== 1) return null
  if (mark.signStatus === SignStatus.disqualified) return 'struck'
  if (!mark.runs) return 'withdrawn'
  return hasFailed ? 'failed' : null
}

/** The next stage after one that ranks people. */
const nextRanking = (db: Live, { examId, startTime }: Stage) =>
  rankingAfter(db, sql.val(examId), sql.val(startTime))
    .select(['n.itemName', 'n.startTime'])
    .orderBy('n.startTime')
    .orderBy('n.id')
    .limit(1)
    .executeTakeFirst()

/**
 * The places of a position on a published shortlist: how many there are, who left one, and who is next, by the rules by which the
 * shortlist was made: whoever passed, in the order of rank, with everybody who equals the last of them.
 */
async function vacancyOf(db: Live, stage: Stage, code: string) {
  const [released, people, all] = [
    await releasedMarks(db, stage.examId),
    await standings(db).where('r.itemId', '=', stage.id).where(codeNow, '=', code).execute(),
    await placesAfter(db, stage),
  ]
  const own = released.marks.filter(mark => mark.itemId === stage.id)
  const here = own.filter(mark => mark.code === code)
  const places = all.get(code) ?? 0
  const held = people.filter(one => one.isHeld).length
  const free = Math.max(places - held, 0)
  const waiting = new Set(people.filter(one => one.isWaiting).map(one => one.signupId))
  const failed = new Set(people.filter(one => one.hasFailed).map(one => one.signupId))
  const passed = new Set(own.filter(mark => mark.runs && mark.isPass === 1).map(mark => mark.signupId))
  const order = orderOf(stage, released, passed).filter(one => waiting.has(one.id))
  const next = entrantsOf(order, new Map([[code, free]]))
  const left = here.flatMap(mark => {
    const cause = causeOf(mark, failed.has(mark.signupId))
    return cause ? [{ signupId: mark.signupId, name: mark.name, ticketNo: mark.ticketNo, cause } as const] : []
  })
  // In the order of the ranking, the first to move up first.
  const at = new Map(here.map(mark => [mark.signupId, mark]))
  return {
    places,
    held,
    free,
    left,
    next: order.filter(one => next.has(one.id)).map(one => at.get(one.id)!),
    nextStage: await nextRanking(db, stage),
  }
}

/** See {@link vacancyOf}. */
type Vacancy = Awaited<ReturnType<typeof vacancyOf>>

/**
 * The free places of a position of a stage that is locked, while they can still be filled.
 * @throws results.notReleased, results.promotionLate once the next stage that ranks has begun, tickets.seatsLocked, exams.archived
 */
export async function openVacancy(
  trx: Live,
  itemId: string,
  code: string,
  now: Date,
): Promise<Vacancy & { stage: Stage }> {
  const stage = await lockStage(trx, itemId)
  if (stage.resultRelease !== ReleaseStatus.released) throw refuse('results.notReleased')
  await refuseSeated(trx, stage)
  const vacancy = await vacancyOf(trx, stage, code)
  const { nextStage } = vacancy
  if (nextStage && nextStage.startTime <= now) throw refuse('results.promotionLate', { 环节: nextStage.itemName })
  return { ...vacancy, stage }
}

/** The promotion of a position that waits for a second person. */
export const pendingPromotion = (db: Live, itemId: string, code: string) =>
  db
    .selectFrom('promotion')
    .selectAll()
    .where('itemId', '=', itemId)
    .where('code', '=', code)
    .where('promotionStatus', '=', PromotionStatus.pending)
    .executeTakeFirst()

/** Later stages of a shortlist whose fee is out: whoever moves up owes it. */
const chargedStages = (db: Live, stage: Stage) =>
  db
    .selectFrom('exampay')
    .innerJoin(withRemoved('examinationitem as item'), 'item.id', 'exampay.itemId')
    .select('item.itemName')
    .where('exampay.examId', '=', stage.examId)
    .where('exampay.payStatus', '=', ExampayStatus.released)
    .where('item.candidateRule', '=', ItemRange.shortlisted)
    .where('item.itemStatus', '=', EnableStatus.enabled)
    .where('item.startTime', '>', stage.startTime)
    .orderBy('item.startTime')
    .execute()

/** Days that whoever moves up usually has to confirm. */
const usualDays = 3

/** What moving up would come to for a position, before anybody asks for it. @throws as {@link openVacancy}, results.promotionPending, results.noVacancy */
export async function previewVacancy(db: Live, { itemId, code, now }: { itemId: string; code: string; now: Date }) {
  return db.transaction().execute(async trx => {
    const { stage, places, held, free, left, next, nextStage } = await openVacancy(trx, itemId, code, now)
    if (await pendingPromotion(trx, itemId, code)) throw refuse('results.promotionPending')
    if (next.length === 0) throw refuse('results.noVacancy')
    const usual = new Date(now.getTime() + usualDays * 86_400_000)
    return {
      places,
      held,
      free,
      left,
      next: next.map(({ signupId, name, ticketNo, score, totalScore, rankNo }) => ({
        signupId,
        name,
        ticketNo,
        score: shortDecimal(score),
        totalScore: shortDecimal(totalScore),
        rankNo,
      })),
      charged: (await chargedStages(trx, stage)).map(one => one.itemName),
      until: nextStage && nextStage.startTime < usual ? nextStage.startTime : usual,
    }
  })
}
