import { sql } from 'kysely'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  PostStatus,
  ReduceState,
  ReleaseStatus,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'

/**
 * Who owes the fee of a stage: `s` is the sign-up, `i` the stage, `p` the position. It is the formula of the effective candidate
 * without its payment part. Lists taken over from the stage before count once they are published.
 *
 * Whoever changes more than one table here locks in this order: sign-up, setting, record, order, batch.
 */
export function payable(db: Live) {
  return db
    .selectFrom('signup as s')
    .innerJoin(withRemoved('examination as e'), 'e.id', 's.examId')
    .innerJoin('examinationitem as i', 'i.examId', 's.examId')
    .innerJoin('examitems as p', join =>
      join.onRef('p.examId', '=', 's.examId').on(sql<boolean>`p.code = coalesce(s."finalCode", s.code)`),
    )
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('s.examine', '=', ExamineStatus.approved)
    .where('s.reduceState', 'in', [ReduceState.none, ReduceState.approved])
    .where(eb =>
      eb.or([eb('e.examineMode', '=', ExamineMode.single), eb('s.reviewStatus', '=', ReviewStatus.approved)]),
    )
    .where('p.postStatus', '<>', PostStatus.cancelled)
    .where('i.itemStatus', '=', EnableStatus.enabled)
    .where('i.needPay', '=', 1)
    .where(positionHasStage)
    .where(takenByRule('s', 'i'))
}

/** True when a sign-up owes the fee of a stage now. */
export async function isPayable(db: Live, itemId: string, signupId: string): Promise<boolean> {
  const found = await payable(db)
    .where('i.id', '=', itemId)
    .where('s.id', '=', signupId)
    .select('s.id')
    .executeTakeFirst()
  return found !== undefined
}

const positionHasStage = sql<boolean>`(coalesce(p."itemIds", '') = '' OR i.id::text = ANY (string_to_array(p."itemIds", ',')))`

/**
 * Whether a stage takes a sign-up by its `candidateRule`: 1 everybody, 2 who is on the published list of the stage before
 * it. For 3 there is no list but the tickets that are brought in.
 * @param s alias of the sign-up, `i` of the stage
 */
export const takenByRule = (s: string, i: string) => sql<boolean>`(${sql.ref(`${i}.candidateRule`)} = 1
  OR (${sql.ref(`${i}.candidateRule`)} = 2 AND ${isListed(s, i)}))`

const isListed = (s: string, i: string) => sql<boolean>`EXISTS (
  SELECT 1 FROM result r
  WHERE r."signupId" = ${sql.ref(`${s}.id`)} AND r."isNext" = 1 AND r."resultStatus" = ${sql.lit(ReleaseStatus.released)} AND r."isDeleted" = 0 AND r."itemId" = (
    SELECT q.id FROM examinationitem q
    WHERE q."examId" = ${sql.ref(`${i}.examId`)} AND q."itemStatus" = ${sql.lit(EnableStatus.enabled)} AND q."isDeleted" = 0 AND q."startTime" < ${sql.ref(`${i}.startTime`)}
    ORDER BY q."startTime" DESC LIMIT 1))`
