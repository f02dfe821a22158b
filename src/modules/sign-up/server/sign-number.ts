import { sql } from 'kysely'
import '../../../platform/database/signup-tables.ts'
import type { Db, ExamRow } from '../../../platform/access/server/caller.ts'
import { digitsOf, widthOf } from '../rules/sign-digits.ts'

/**
 * A new sign-up number: the exam's code and six digits, or more where the exam takes more. Numbers may be skipped, but never come
 * twice. It is to be given in a transaction of its own, because whoever wants the next one waits for it.
 */
export async function nextSignNo(db: Db, exam: Pick<ExamRow, 'id' | 'examCode' | 'maxSignup'>): Promise<string> {
  const { last, width } = await db
    .insertInto('sign_serial')
    .values({ examId: exam.id, last: 1, width: widthOf(exam.maxSignup) })
    .onConflict(on => on.column('examId').doUpdateSet({ last: sql`sign_serial.last + 1` }))
    .returning(['last', 'width'])
    .executeTakeFirstOrThrow()
  return exam.examCode + digitsOf(last, width)
}
