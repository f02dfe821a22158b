import type { Db } from '../../../platform/access/server/caller.ts'

/** How many people stand at a position. */
export interface PositionCount {
  /** Handed in, whatever the review says. */
  signNum: number
  passNum: number
  /** Places taken: handed in and not refused. */
  taken: number
}

/** People per position code of an exam, as the database counts them at each commit. */
export async function countPositions(db: Db, examId: string): Promise<Map<string, PositionCount>> {
  const rows = await db
    .selectFrom('place_count')
    .select(['code', 'signed as signNum', 'passed as passNum', 'taken'])
    .where('examId', '=', examId)
    .where('code', '<>', '')
    .execute()
  return new Map(rows.map(({ code, ...count }) => [code, count] as const))
}
