import { sql } from 'kysely'
import {
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  ItemRange,
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
    .where(takenByRule(db, 's', 'i'))
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

/** Whether people of the position `p` sit the stage `i`. */
export const positionHasStage = sql<boolean>`(coalesce(p."itemIds", '') = '' OR i.id::text = ANY (string_to_array(p."itemIds", ',')))`

/**
 * Whether a stage takes a sign-up by its `candidateRule`: 1 everybody, 2 who is on the published list of the stage before
 * it. For 3 there is no list but the tickets that are brought in.
 * @param s alias of the sign-up, `i` of the stage
 */
export function takenByRule(db: Live, s: string, i: string) {
  const rule = sql.ref(`${i}.candidateRule`)
  return sql<boolean>`(${rule} = ${sql.lit(ItemRange.allValid)} OR (${rule} = ${sql.lit(ItemRange.shortlisted)} AND EXISTS ${listed(db, s, i)}))`
}

/** The published result by which a sign-up goes on to a stage. */
const listed = (db: Live, s: string, i: string) =>
  db
    .selectFrom('result as r')
    .select('r.id')
    .where('r.signupId', '=', sql.ref<string>(`${s}.id`))
    .where('r.isNext', '=', 1)
    .where('r.resultStatus', '=', ReleaseStatus.released)
    .where('r.itemId', '=', stageBefore(db, i))

const stageBefore = (db: Live, i: string) =>
  db
    .selectFrom('examinationitem as q')
    .select('q.id')
    .where('q.examId', '=', sql.ref<string>(`${i}.examId`))
    .where('q.itemStatus', '=', EnableStatus.enabled)
    .where('q.startTime', '<', sql.ref<Date>(`${i}.startTime`))
    .orderBy('q.startTime', 'desc')
    .limit(1)
