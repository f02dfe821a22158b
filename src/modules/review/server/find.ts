import type { FastifyInstance } from 'fastify'
import { ExamineStage, ExamineStatus, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import { scoped, seesAllRows } from '../../../crud/scope.ts'
import type { Caller, Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { findExam } from '../../exams/server/candidate/exam-form.ts'
import { reviews } from '../../exams/server/staff/reviewer.ts'

/** A sign-up and its exam, as a reviewer meets them. */
export interface Reviewed {
  row: SignupRow
  exam: ExamRow
}

/** True when the caller is appointed to a sign-up in one of the exam roles, or finds it in a list where that is enough. */
async function isAllowed(
  app: FastifyInstance,
  { db, person, now }: Caller,
  id: string,
  asked: Asked,
): Promise<boolean> {
  const mine = db
    .selectFrom('signup')
    .select('id')
    .where('id', '=', id)
    .where(reviews(person, asked.roles, now))
  if (await mine.executeTakeFirst()) return true
  if (!asked.viewing && !(asked.institution && seesAllRows(person))) return false
  return (await scoped(app, person, 'signup').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

interface Asked {
  /** Exam roles of `examuser` that allow it. */
  roles: readonly number[]
  /** True where whoever is not appointed is not to learn that there is such a sign-up. */
  hidden?: boolean
  /** True where the administrator of the institution, who is appointed to no exam, may act as well. */
  institution?: boolean
  /** True to read only: then whoever finds it in the list of sign-ups may. */
  viewing?: boolean
}

/**
 * A handed-in sign-up that the caller is appointed to in one of the exam roles.
 * @throws signup.notFound missing, review.outOfScope somebody else's to review
 */
export async function findReviewed(app: FastifyInstance, caller: Caller, id: string, asked: Asked): Promise<Reviewed> {
  const { db, person } = caller
  const row = await db
    .selectFrom('signup')
    .selectAll()
    .where('id', '=', id)
    .where('signStatus', '<>', SignStatus.draft)
    .executeTakeFirst()
  if (!row) throw refuse('signup.notFound')
  if (!(await isAllowed(app, caller, id, asked))) {
    app.log.warn({ userId: person.userId, signupId: id }, 'review outside scope')
    throw refuse(asked.hidden ? 'signup.notFound' : 'review.outOfScope')
  }
  return { row, exam: await findExam(db, row.examId) }
}

/** The name people read for a user. */
export async function nameOf(db: Db, userId: string | null): Promise<string> {
  if (!userId) return ''
  const user = await db
    .selectFrom(withRemoved('user'))
    .select(['realName', 'name'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.realName || user?.name || ''
}

/**
 * Why a review came too late: somebody else was faster (review.taken), or the candidate changed what was read
 * (review.signupChanged).
 */
export async function conflict(db: Db, id: string, stage: 1 | 2): Promise<Error> {
  const row = await db.selectFrom(withRemoved('signup')).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const isDone =
    stage === ExamineStage.first ? row.examine !== ExamineStatus.pending : row.reviewStatus !== ReviewStatus.pending
  if (!isDone || row.signStatus !== SignStatus.submitted) return refuse('review.signupChanged')
  const [who, when] =
    stage === ExamineStage.first ? [row.examineUser, row.examineTime] : [row.reviewUser, row.reviewTime]
  return refuse('review.taken', { 审核人: await nameOf(db, who), 时间: wireTime(when) })
}
