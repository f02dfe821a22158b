import { sql } from 'kysely'
import { ReleaseStatus, ResultFlag } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import type { Stage } from '../../tickets/server/stage.ts'
import { denseRanks, entrantsOf, type Ranked } from '../rules/ranking.ts'
import { type MarkLine, marksOf, positionsOf, rankedByScore, rankedByTotal, stagesOf, totalsOf } from './marks.ts'
import { hasLeft, placesAfter } from './places.ts'

/** What a stage's ranking makes of one result. */
interface Outcome {
  id: string
  rankNo: number | null
  isPass: 0 | 1
  isNext: 0 | 1
}

/** Passed: a score of one's own that reaches the stage's line; without a line every score does. */
const passes = (mark: MarkLine, { passScore }: Stage): boolean =>
  mark.runs && mark.resultFlag === ResultFlag.normal && (passScore === null || Number(mark.score) >= Number(passScore))

/** The released results of an exam with its stages and positions. */
export async function releasedMarks(db: Live, examId: string) {
  const [stages, positions] = [await stagesOf(db, examId), await positionsOf(db, examId)]
  const out = stages.filter(one => one.resultRelease === ReleaseStatus.released).map(one => one.id)
  return { stages, positions, marks: await marksOf(db, out) }
}

/** See {@link releasedMarks}. */
export type ReleasedMarks = Awaited<ReturnType<typeof releasedMarks>>

/**
 * Whoever passed a stage as a ranking wants them: by the totals where these are complete, before that by the stage's own scores.
 * @param passed their sign-ups
 */
export function orderOf(
  stage: Stage,
  { stages, positions, marks }: ReleasedMarks,
  passed: ReadonlySet<string>,
): Ranked[] {
  const final = stage.itemType === '1' ? [] : rankedByTotal(totalsOf(stages, positions, marks), passed)
  if (final.length > 0) return final
  return rankedByScore(marks.filter(mark => mark.itemId === stage.id && passed.has(mark.signupId)))
}

/** Who a ranking may put on the shortlist: all who passed, or those alone who stand on it. */
export type Entry = 'all' | 'listed'

async function outcomesOf(db: Live, stage: Stage, entry: Entry): Promise<Outcome[]> {
  const released = await releasedMarks(db, stage.examId)
  const own = released.marks.filter(mark => mark.itemId === stage.id)
  const ranks = denseRanks(rankedByScore(own))
  const passed = new Set(own.filter(mark => passes(mark, stage)).map(mark => mark.signupId))
  const isOut = (mark: MarkLine): boolean => hasLeft(mark) || (entry === 'listed' && mark.isNext !== 1)
  const out = new Set(own.filter(isOut).map(mark => mark.signupId))
  const staying = orderOf(stage, released, passed).filter(one => !out.has(one.id))
  const next = entrantsOf(staying, await placesAfter(db, stage))
  return own.map(mark => ({
    id: mark.id,
    rankNo: ranks.get(mark.signupId) ?? null,
    isPass: passed.has(mark.signupId) ? 1 : 0,
    isNext: next.has(mark.signupId) ? 1 : 0,
  }))
}

/**
 * Ranks a released stage's results within their positions and says who goes on, from the people still in the running.
 * @param entry `listed` once the shortlist is out: then others move up by a promotion alone
 * @returns the sign-ups whose way on has changed by it
 */
export async function rankStage(trx: Live, stage: Stage, entry: Entry): Promise<string[]> {
  const outcomes = await outcomesOf(trx, stage, entry)
  const column = <K extends keyof Outcome>(name: K) => outcomes.map(one => one[name])
  const { rows } = await sql<{ signupId: string; was: number; is: number }>`
    UPDATE result r SET "rankNo" = o.rank, "isPass" = o.pass, "isNext" = o.next
    FROM unnest(${column('id')}::bigint[], ${column('rankNo')}::int[], ${column('isPass')}::int[],
      ${column('isNext')}::int[]) AS o (id, rank, pass, next), result old
    WHERE r.id = o.id AND old.id = r.id
      AND (r."rankNo", r."isPass", r."isNext") IS DISTINCT FROM (o.rank, o.pass, o.next)
    RETURNING r."signupId", coalesce(old."isNext", 0) AS was, r."isNext" AS is`.execute(trx)
  return rows.filter(one => one.was !== one.is).map(one => one.signupId)
}

/** Writes everybody's total, or that there is none, into all results of an exam that are out. */
export async function writeTotals(trx: Live, examId: string): Promise<void> {
  const { stages, positions, marks } = await releasedMarks(trx, examId)
  const totals = totalsOf(stages, positions, marks)
  const ids = marks.map(mark => mark.id)
  const values = marks.map(mark => (mark.runs ? (totals.get(mark.signupId)?.total ?? null) : null))
  await sql`UPDATE result r SET "totalScore" = o.total
    FROM unnest(${ids}::bigint[], ${values}::numeric[]) AS o (id, total)
    WHERE r.id = o.id AND r."totalScore" IS DISTINCT FROM o.total`.execute(trx)
}
