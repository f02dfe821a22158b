import { type RawBuilder, sql } from 'kysely'
import { examuser } from '#resources/exams/examuser'
import { ExamineStatus, ExamRole, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import { derived, type MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** How many sign-ups `s` of the exam of an appointment `t` meet a condition. */
const among = ({ app, person }: MeasureContext, condition: RawBuilder<unknown>) =>
  liveAs(app, person)
    .selectFrom('signup as s')
    .where('s.examId', '=', sql.ref<string>('t.examId'))
    .where(condition.$castTo<boolean>())
    .select(eb => eb.fn.countAll().as('n'))

/** Those of the units and positions that it is for, handed in. */
const entrusted = sql`(s."signStatus" = ${sql.lit(SignStatus.submitted)}
  AND (coalesce(t.units, '') = '' OR coalesce(s."finalUnit", s.unit)::text = ANY (string_to_array(t.units, ',')))
  AND (coalesce(t.codes, '') = '' OR coalesce(s."finalCode", s.code) = ANY (string_to_array(t.codes, ','))))`

const isUnseen = sql`s.examine = ${sql.lit(ExamineStatus.pending)}`
const isSeenOnce = sql`(s.examine = ${sql.lit(ExamineStatus.approved)} AND s."reviewStatus" = ${sql.lit(ReviewStatus.pending)})`

/** By the part that somebody has in reviewing; empty for whoever reviews nothing. */
const byRole = (first: unknown, second: unknown) => sql`(CASE t."examRole"
  WHEN ${sql.lit(ExamRole.firstReviewer)} THEN ${first} WHEN ${sql.lit(ExamRole.secondReviewer)} THEN ${second} END)`

/** The work of whoever is appointed to an exam: what waits for a reviewer, and what the person has decided in it. */
export const staffWork = derived(examuser, {
  measure: {
    waitNum: ctx =>
      byRole(among(ctx, sql`${entrusted} AND ${isUnseen}`), among(ctx, sql`${entrusted} AND ${isSeenOnce}`)),
    doneNum: ctx => byRole(among(ctx, sql`s."examineUser" = t."userId"`), among(ctx, sql`s."reviewUser" = t."userId"`)),
  },
})
