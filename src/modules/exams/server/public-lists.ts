import { sql } from 'kysely'
import { PublicityStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import type { PublicPeriod } from '../rules/exam-phase.ts'

/**
 * Exams with the periods of their public lists: those that were released and not taken back, each until its end or until the list begins
 * that corrects it. One question for all of them.
 */
export async function withLists<T extends { readonly id: string }>(
  db: Live,
  exams: readonly T[],
): Promise<(T & { lists: readonly PublicPeriod[] })[]> {
  const ids = exams.map(({ id }) => id)
  const rows = ids.length
    ? await db
        .selectFrom('publicity as p')
        .select(['p.examId', 'p.startTime as start'])
        .select(eb =>
          sql<Date>`least(${eb.ref('p.endTime')}, ${eb
            .selectFrom('publicity as c')
            .select(({ fn }) => fn.min('c.startTime').as('start'))
            .whereRef('c.replaces', '=', 'p.id')
            .where('c.publicityStatus', '=', PublicityStatus.released)})`.as('end'),
        )
        .where('p.examId', 'in', ids)
        .where('p.publicityStatus', '=', PublicityStatus.released)
        .execute()
    : []
  const periodsOf = (examId: string): PublicPeriod[] =>
    rows.flatMap(row =>
      row.examId === examId && row.start && row.end > row.start ? [{ start: row.start, end: row.end }] : [],
    )
  return exams.map(exam => ({ ...exam, lists: periodsOf(exam.id) }))
}
