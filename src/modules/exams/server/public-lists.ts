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
        .selectFrom('publicity')
        .select(['id', 'examId', 'replaces', 'startTime', 'endTime'])
        .where('examId', 'in', ids)
        .where('publicityStatus', '=', PublicityStatus.released)
        // Of several corrections the first counts.
        .orderBy('startTime', 'desc')
        .execute()
    : []
  const correctedAt = new Map(
    rows.flatMap(({ replaces, startTime }) => (replaces && startTime ? [[replaces, startTime] as const] : [])),
  )
  const periodsOf = (examId: string): PublicPeriod[] =>
    rows.flatMap(({ id, startTime: start, endTime, ...row }) => {
      const corrected = correctedAt.get(id)
      const end = corrected && endTime && corrected < endTime ? corrected : endTime
      return row.examId === examId && start && end && end > start ? [{ start, end }] : []
    })
  return exams.map(exam => ({ ...exam, lists: periodsOf(exam.id) }))
}
