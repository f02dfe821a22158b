import { sql } from 'kysely'
import { ExamineStatus, ExamRole, SignStatus } from '#schemas/dictionaries'
import { askedId } from '../../../crud/measure.ts'
import type { MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { reviews } from '../../exams/server/staff/reviewer.ts'

/** Sign-ups that wait for a first review by whoever asks, as in the list of those to review. */
function waiting({ app, person, now }: MeasureContext, examId?: string) {
  const all = liveAs(app, person)
    .selectFrom('signup')
    .select('signup.id')
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where('signup.examine', '=', ExamineStatus.pending)
    .where(reviews(person, [ExamRole.firstReviewer], now))
  return examId === undefined ? all : all.where('signup.examId', '=', examId)
}

/** Those of the exam that is asked for, or of all, each with the value that {@link isMine} has for it. */
export const mine = (ctx: MeasureContext) => sql`${waiting(ctx, askedId(ctx, 'examId')).select(sql.lit(1).as('value'))}`

/** Whether a sign-up `t` is one of them. */
export const isMine = (ctx: MeasureContext) =>
  sql`(CASE WHEN t."signStatus" = ${sql.lit(SignStatus.submitted)} AND t.examine = ${sql.lit(ExamineStatus.pending)}
    THEN EXISTS ${waiting(ctx).where('signup.id', '=', sql.ref<string>('t.id'))} ELSE false END)::int`
