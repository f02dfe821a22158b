import { sql } from 'kysely'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries'
import type { Db } from '../../../platform/access/server/caller.ts'
import { countedCode } from './choices.ts'

/** How many people stand at a position. */
export interface PositionCount {
  /** Handed in, whatever the review says. */
  signNum: number
  passNum: number
  /** Places taken: handed in and not refused. */
  taken: number
}

/** People per position code of an exam, counted now. */
export async function countPositions(db: Db, examId: string): Promise<Map<string, PositionCount>> {
  const rows = await db
    .selectFrom('signup')
    .select(countedCode.as('code'))
    .select(eb => eb.fn.countAll<string>().as('signNum'))
    .select(sql<string>`count(*) FILTER (WHERE examine = ${sql.lit(ExamineStatus.approved)})`.as('passNum'))
    .select(
      sql<string>`count(*) FILTER (WHERE examine IN (${sql.lit(ExamineStatus.pending)}, ${sql.lit(ExamineStatus.approved)}, ${sql.lit(ExamineStatus.returned)}))`.as(
        'taken',
      ),
    )
    .where('examId', '=', examId)
    .where('signStatus', '=', SignStatus.submitted)
    .groupBy(countedCode)
    .execute()
  return new Map(
    rows.map(row => [
      row.code,
      { signNum: Number(row.signNum), passNum: Number(row.passNum), taken: Number(row.taken) },
    ]),
  )
}
