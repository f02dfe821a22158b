import type { Kysely } from 'kysely'
import { ExamStatus } from '#schemas/dictionaries'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkRelease } from './checklist.ts'

/** Who moves an exam, and when. */
export interface Mover {
  userId: string
  now: Date
}

/**
 * Releases an exam: 0 draft → 1, or 2 closed → 1 with a reason that is kept. The list of what is missing is looked at
 * inside the transaction that moves the state, with the exam's row locked. Asked again by who has released it, nothing
 * happens.
 * @throws 21001, 29009 when somebody else has released it, 21003 with every missing line, 21011 when it is archived, 29005 when a closed one comes without a reason
 */
export async function releaseExam(db: Kysely<Database>, examId: string, mover: Mover, reason: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const exam = await trx
      .selectFrom('examination')
      .select(['examStatus', 'releaseUser'])
      .where('id', '=', examId)
      .where('isDeleted', '=', 0)
      .forUpdate()
      .executeTakeFirst()
    if (!exam) throw refuse(21001)
    if (isOwnRepeat({ updateUser: exam.releaseUser }, exam.examStatus === ExamStatus.released, mover)) return
    if (exam.examStatus === ExamStatus.released) throw refuse(29009)
    if (exam.examStatus === ExamStatus.archived) throw refuse(21011)
    if (exam.examStatus === ExamStatus.closed && !reason) throw refuse(29005, { 说明: '请输入重新发布的原因' })
    const missing = ((await checkRelease(trx, examId, mover.now)) ?? []).filter(line => !line.ok)
    if (missing.length) throw refuse(21003, { 缺项清单: missing.map(line => line.msg).join('；') }, missing)
    await trx
      .updateTable('examination')
      .set(eb => ({
        examStatus: ExamStatus.released,
        releaseTime: mover.now,
        releaseUser: mover.userId,
        reopenReason: exam.examStatus === ExamStatus.closed ? reason : null,
        version: eb('version', '+', 1),
        updateTime: mover.now,
        updateUser: mover.userId,
      }))
      .where('id', '=', examId)
      .execute()
  })
}

/**
 * Closes a released exam, once: sign-up, corrections, payment and download stop at once; the data stays.
 * @throws 29005 without a reason, 21001, 29009
 */
export async function closeExam(db: Kysely<Database>, examId: string, mover: Mover, reason: string): Promise<void> {
  if (!reason) throw refuse(29005, { 说明: '请输入关闭原因' })
  const moved = await db
    .updateTable('examination')
    .set(eb => ({
      examStatus: ExamStatus.closed,
      closeTime: mover.now,
      closeReason: reason,
      version: eb('version', '+', 1),
      updateTime: mover.now,
      updateUser: mover.userId,
    }))
    .where('id', '=', examId)
    .where('isDeleted', '=', 0)
    .where('examStatus', '=', ExamStatus.released)
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) > 0) return
  const exam = await stateOf(db, examId)
  if (!exam) throw refuse(21001)
  if (!isOwnRepeat(exam, exam.examStatus === ExamStatus.closed && exam.closeReason === reason, mover))
    throw refuse(29009)
}

async function stateOf(db: Kysely<Database>, examId: string) {
  return db
    .selectFrom('examination')
    .select(['examStatus', 'closeReason', 'updateUser'])
    .where('id', '=', examId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
}
