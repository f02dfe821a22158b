import { ExamStatus } from '#schemas/dictionaries'
import type { AnyHandle, Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/**
 * Refuses a write to rows of an archived exam. The other exams are not archived before the transaction ends.
 * @param examIds of the exams that the rows belong to; empty ones are rows of no exam
 * @throws exams.archived
 */
export async function refuseArchived(on: AnyHandle, examIds: readonly unknown[]): Promise<void> {
  const ids = [...new Set(examIds.filter(Boolean).map(String))]
  if (ids.length === 0) return
  // An archived exam is not removed, and rows refer to exams of their own tenant: both kinds of handle find the same.
  const rows = await (on as Live)
    .selectFrom('examination')
    .select('examStatus')
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute()
  if (rows.some(({ examStatus }) => examStatus === ExamStatus.archived)) throw refuse('exams.archived')
}

/**
 * Locks an exam of which something is about to be settled, so that of two who settle at once one comes after the other.
 * @throws exams.notFound, exams.archived
 */
export async function lockUnarchived(db: Live, examId: string): Promise<void> {
  const exam = await db
    .selectFrom('examination')
    .select('examStatus')
    .where('id', '=', examId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
}
