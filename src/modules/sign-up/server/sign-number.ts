import { sql } from 'kysely'
import '../../../platform/database/signup-tables.ts'
import type { Db } from '../../../platform/access/server/caller.ts'

/** A new sign-up number: the exam's code and six digits. Numbers may be skipped, but never come twice. */
export async function nextSignNo(db: Db, exam: { id: string; examCode: string }): Promise<string> {
  const { last } = await db
    .insertInto('sign_serial')
    .values({ examId: exam.id, last: 1 })
    .onConflict(on => on.column('examId').doUpdateSet({ last: sql`sign_serial.last + 1` }))
    .returning('last')
    .executeTakeFirstOrThrow()
  return `${exam.examCode}${String(last).padStart(6, '0')}`
}
