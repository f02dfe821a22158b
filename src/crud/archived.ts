import { type Resource, waysOf } from '#engine'
import { ExamStatus } from '#schemas/dictionaries'
import type { Reader } from '../platform/database/database.ts'
import type { Live } from '../platform/database/live.ts'
import { refuse } from '../platform/http/server/refusal.ts'

/**
 * Refuses a write that touches an exam that is archived. The others are not archived before the transaction ends.
 * @param examIds those that the rows written hang on; what is missing belongs to no exam
 * @throws exams.archived
 */
export async function refuseArchived(on: Reader | Live, examIds: readonly unknown[]): Promise<void> {
  const ids = [...new Set(examIds.filter(Boolean).map(String))]
  if (ids.length === 0) return
  // An archived exam is not removed, and rows hang on exams of their own tenant: both kinds of handle find the same.
  const rows = await (on as Live)
    .selectFrom('examination')
    .select('examStatus')
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute()
  if (rows.some(({ examStatus }) => examStatus === ExamStatus.archived)) throw refuse('exams.archived')
}

/** Whether a row of this resource is an exam itself. */
export const isExam = ({ entity, scope }: Resource): boolean =>
  waysOf(scope).some(way => 'by' in way && way.of === entity.name)

/** The exams that rows of a resource hang on; none for what belongs to no exam. */
export const examsOf = ({ scope }: Resource, rows: readonly Readonly<Record<string, unknown>>[]): unknown[] =>
  waysOf(scope).flatMap(way => ('by' in way && way.field !== 'id' ? rows.map(row => row[way.field]) : []))
