import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { ExamineMode, ExamineStatus, ExamRole, PayState, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import { inScope, seesAllRows } from '../../../crud/scope.ts'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { holdsNow } from '../../exams/server/appointment.ts'

/** Who asks for figures, and of which exam; the exam is one the person may meet. */
export interface Caller {
  app: ScopesNow
  db: Live
  person: Person
  examId: string
}

/** Most lines of any figure. */
export const mostLines = 500

/** Sign-ups handed in, as far as the person may meet them: every figure about people counts these. */
export const people = ({ app, db, person, examId }: Caller) =>
  db
    .selectFrom('signup')
    .innerJoin('examination as exam', 'exam.id', 'signup.examId')
    .where('signup.examId', '=', examId)
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where(inScope(app, person, 'signup'))

/** The position, unit and type in force: those moved to after a cut, else those chosen. */
export const inForce = {
  code: sql<string>`coalesce(signup."finalCode", signup.code)`,
  unit: sql<string>`coalesce(signup."finalUnit", signup.unit)`,
  type: sql<string>`coalesce(signup."finalType", signup.type)`,
} as const

const single = sql`exam."examineMode" = ${sql.lit(ExamineMode.single)}`

/**
 * Where sign-ups stand in review. Every handed-in sign-up is in exactly one of them: not reviewed, passed for good, refused
 * by either review, returned, waiting for the second review.
 */
const standings = {
  wshrs: sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.pending)}`,
  shtgrs: sql<boolean>`(signup.examine = ${sql.lit(ExamineStatus.approved)} AND (${single} OR signup."reviewStatus" = ${sql.lit(ReviewStatus.approved)}))`,
  shbtgrs: sql<boolean>`(signup.examine = ${sql.lit(ExamineStatus.rejected)} OR (signup.examine = ${sql.lit(ExamineStatus.approved)} AND NOT ${single} AND signup."reviewStatus" = ${sql.lit(ReviewStatus.rejected)}))`,
  thrs: sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.returned)}`,
  fszrs: sql<boolean>`(signup.examine = ${sql.lit(ExamineStatus.approved)} AND NOT ${single} AND signup."reviewStatus" NOT IN (${sql.lit(ReviewStatus.approved)}, ${sql.lit(ReviewStatus.rejected)}))`,
} as const

/** People who paid or need not: for one stage, or for any. */
function paid(itemId: string | null): Expression<SqlBool> {
  const eb = expressionBuilder<LiveDatabase, 'signup'>()
  const dues = eb
    .selectFrom('payrecord as due')
    .select('due.id')
    .whereRef('due.signupId', '=', 'signup.id')
    .where('due.payState', 'in', [PayState.paid, PayState.exempt])
  return eb.exists(itemId === null ? dues : dues.where('due.itemId', '=', itemId))
}

const counting = (what: Expression<SqlBool>) => sql<number>`(count(*) FILTER (WHERE ${what}))::int`

/** How many handed in, and how many of them stand where; `jfrs` paid. */
export const tally = (itemId: string | null = null) =>
  [
    sql<number>`count(*)::int`.as('bmrs'),
    counting(standings.wshrs).as('wshrs'),
    counting(standings.shtgrs).as('shtgrs'),
    counting(standings.shbtgrs).as('shbtgrs'),
    counting(standings.thrs).as('thrs'),
    counting(standings.fszrs).as('fszrs'),
    counting(paid(itemId)).as('jfrs'),
  ] as const

/** One of the figures that {@link tally} counts. */
export type Standing = keyof typeof standings

/** The condition of a standing on the table `signup` joined with `exam`. */
export const standing = (name: Standing): RawBuilder<boolean> => standings[name]

/**
 * Positions the person may meet, as a condition on table `examitems`: all of an exam for its administrators and whoever sees
 * every exam, those of their units and codes for reviewers.
 */
export function positionsInScope({ app, person }: Caller): RawBuilder<boolean> {
  const own = inScope(app, person, 'examitems')
  if (seesAllRows(person)) return own
  const appointed = expressionBuilder<LiveDatabase, 'examitems'>()
    .selectFrom('examuser as u')
    .select('u.id')
    .whereRef('u.examId', '=', 'examitems.examId')
    .where('u.userId', '=', person.userId)
    .where('u.examRole', '<>', ExamRole.proctor)
    .where(holdsNow('u', app.now()))
    .where(sql<boolean>`(u."examRole" NOT IN (${sql.lit(ExamRole.firstReviewer)}, ${sql.lit(ExamRole.secondReviewer)})
      OR ((coalesce(u.units, '') = '' OR examitems.unit = ANY(string_to_array(u.units, ',')))
        AND (coalesce(u.codes, '') = '' OR examitems.code = ANY(string_to_array(u.codes, ',')))))`)
  return sql<boolean>`(${own} AND EXISTS (${appointed}))`
}
