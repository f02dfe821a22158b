import { sql } from 'kysely'
import { ExamineStatus, ExamRole, SignStatus } from '#schemas/dictionaries'
import { askedId } from '../../../crud/measure.ts'
import type { MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { reviews } from '../../exams/server/staff/reviewer.ts'

/** Sign-ups that wait for a first review by whoever asks, as in the list of those to review. */
const mine = ({ app, person, now }: MeasureContext) =>
  liveAs(app, person)
    .selectFrom('signup')
    .select('signup.id')
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where('signup.examine', '=', ExamineStatus.pending)
    .where(reviews(person, [ExamRole.firstReviewer], now))

/** Whether a sign-up `t` is one of them. Those of one exam are found at once, instead of one for each row. */
export const isMine = (ctx: MeasureContext) => {
  const examId = askedId(ctx, 'examId')
  if (examId) return sql`(t.id IN ${mine(ctx).where('signup.examId', '=', examId)})::int`
  return sql`(CASE WHEN t."signStatus" = ${sql.lit(SignStatus.submitted)} AND t.examine = ${sql.lit(ExamineStatus.pending)}
    THEN EXISTS ${mine(ctx).where('signup.id', '=', sql.ref<string>('t.id'))} ELSE false END)::int`
}
