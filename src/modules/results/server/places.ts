import { type Expression, sql } from 'kysely'
import { ConfirmStatus, EnableStatus, PostStatus, ReleaseStatus, SignStatus } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Stage } from '../../tickets/server/stage.ts'

/** Types of stages that rank people; the others let them pass or not. */
const rankingTypes: readonly string[] = ['1', '2', '3']

/** What stands at whoever has given a place on the shortlist up, in words or by not answering in time. */
const givenUp = [ConfirmStatus.declined, ConfirmStatus.missed] as const

/** Whether somebody has given a place on the shortlist up. */
export const hasLeft = ({ confirmStatus }: { confirmStatus: number }): boolean =>
  givenUp.some(one => one === confirmStatus)

/**
 * Until when a place on a shortlist is confirmed: whoever moved up has a time of the own. For statements that have the stage as `i`
 * and the promotion as `m`.
 */
export const confirmEnd = sql<Date | null>`coalesce(m."until", i."confirmEndTime")`

/** The position in force of a sign-up `s`. */
export const codeNow = sql<string>`coalesce(s."finalCode", s.code)`

/**
 * Places that lead on from a stage `i` at a position `p`: after the written test its interview ratio, a part of a place counting as
 * a whole one; after anything later one person per place is left; none where the position was cancelled.
 */
export const places = sql<number>`CASE WHEN p."postStatus" = ${sql.lit(PostStatus.cancelled)} THEN 0
  ELSE ceil(p."curPlanNum" * CASE WHEN i."itemType" = '1' THEN coalesce(p."interviewRatio", 1) ELSE 1 END)::int END`

/** The same for all positions of the exam of a stage, by their codes. */
export async function placesAfter(db: Live, stage: Pick<Stage, 'id'>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('examinationitem as i')
    .innerJoin('examitems as p', 'p.examId', 'i.examId')
    .select('p.code')
    .select(places.as('n'))
    .where('i.id', '=', stage.id)
    .execute()
  return new Map(rows.map(({ code, n }) => [code, n]))
}

/** The stages that rank of an exam that begin after a time. */
export const rankingAfter = (db: Live, examId: Expression<string>, time: Expression<Date>) =>
  db
    .selectFrom('examinationitem as n')
    .where('n.examId', '=', examId)
    .where('n.itemStatus', '=', EnableStatus.enabled)
    .where('n.itemType', 'in', rankingTypes)
    .where('n.startTime', '>', time)

/** The same for a stage `i` of a statement. */
export const rankingAfterStage = (db: Live) =>
  rankingAfter(db, sql.ref<string>('i.examId'), sql.ref<Date>('i.startTime')).select('n.id')

/** Results of the person of `r` in a check between the stage `i` and the next that ranks, that were not passed or given up. */
const failedCheck = (db: Live) =>
  db
    .selectFrom('result as f')
    .innerJoin('examinationitem as c', 'c.id', 'f.itemId')
    .select('f.id')
    .where(sql<boolean>`f."signupId" = r."signupId" AND c."startTime" > i."startTime"`)
    .where('f.resultStatus', '=', ReleaseStatus.released)
    .where('c.itemStatus', '=', EnableStatus.enabled)
    .where('c.itemType', 'not in', rankingTypes)
    .where(eb => eb.or([eb('f.isPass', '=', 0), eb('f.confirmStatus', 'in', givenUp)]))
    .where(({ not, exists }) => not(exists(rankingAfterStage(db).where(sql<boolean>`n."startTime" < c."startTime"`))))

/**
 * Everybody with a result `r` of a stage `i` that ranks and is out, with the sign-up `s`: whether a check after it was failed, whether
 * a place is held, and whether one could be moved up to.
 */
export const standings = (db: Live) => {
  const failed = sql<boolean>`EXISTS (${failedCheck(db)})`
  const runs = sql<boolean>`s."signStatus" = ${sql.lit(SignStatus.submitted)} AND NOT EXISTS (${failedCheck(db)})`
  return db
    .selectFrom('result as r')
    .innerJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
    .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
    .where('i.itemStatus', '=', EnableStatus.enabled)
    .where('i.itemType', 'in', rankingTypes)
    .where('i.resultRelease', '=', ReleaseStatus.released)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .select(['r.itemId', 'r.signupId', codeNow.as('code'), failed.as('hasFailed')])
    .select(eb => eb.and([runs, eb('r.isNext', '=', 1)]).as('isHeld'))
    .select(eb =>
      eb
        .and([runs, eb('r.isPass', '=', 1), eb('r.isNext', '=', 0), eb('r.confirmStatus', 'not in', givenUp)])
        .as('isWaiting'),
    )
}
