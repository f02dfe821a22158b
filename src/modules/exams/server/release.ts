import { ExamStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { keepHistory } from '../../../crud/history.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { releaseLines } from './checklist.ts'

/** Who moves an exam, and when. */
export interface Actor {
  userId: string
  now: Date
}

/**
 * Releases an exam: 0 draft → 1, or 2 closed → 1 with a reason that is kept. The list of what is missing is looked at
 * inside the transaction that moves the state, with the exam's row locked. Asked again by who has released it, nothing
 * happens.
 * @throws exams.notFound, row.wrongState when somebody else has released it, exams.incomplete with every missing line,
 * exams.archived when it is archived, input.invalid when a closed one comes without a reason
 */
export async function release(db: Live, examId: string, mover: Actor, reason: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const exam = await trx
      .selectFrom('examination')
      .selectAll()
      .where('id', '=', examId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!exam) throw refuse('exams.notFound')
    if (isOwnRepeat({ updateUser: exam.releaseUser }, exam.examStatus === ExamStatus.released, mover)) return
    if (exam.examStatus === ExamStatus.released) throw refuse('row.wrongState')
    if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
    if (exam.examStatus === ExamStatus.closed && !reason)
      throw refuse('input.invalid', { 说明: '请输入重新发布的原因' })
    const missing = ((await releaseLines(trx, examId, mover.now)) ?? []).filter(line => !line.ok)
    if (missing.length)
      throw refuse('exams.incomplete', { 缺项清单: missing.map(line => line.msg).join('；') }, missing)
    const after = await trx
      .updateTable('examination')
      .set(eb => ({
        examStatus: ExamStatus.released,
        releaseTime: mover.now,
        releaseUser: mover.userId,
        reopenReason: exam.examStatus === ExamStatus.closed ? reason : null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', examId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(trx, Examination, [[exam, after]], { act: 'releaseExam', ...mover, reason })
  })
}
