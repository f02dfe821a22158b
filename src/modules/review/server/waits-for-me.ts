import { sql } from 'kysely'
import { ExamineStatus, ExamRole, SignStatus } from '#schemas/dictionaries'
import type { MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { reviews } from '../../exams/server/staff/reviewer.ts'

/** Whether a sign-up `t` waits for a first review by whoever asks, as in the list of those to review. */
export const isMine = ({ app, person, now }: MeasureContext) =>
  sql`(CASE WHEN t."signStatus" = ${sql.lit(SignStatus.submitted)} AND t.examine = ${sql.lit(ExamineStatus.pending)}
    THEN EXISTS (${liveAs(app, person)
      .selectFrom('signup')
      .select('signup.id')
      .where('signup.id', '=', sql.ref<string>('t.id'))
      .where(reviews(person, [ExamRole.firstReviewer], now))}) ELSE false END)::int`
