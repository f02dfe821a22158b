import type { FastifyInstance } from 'fastify'
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { ExamRole, ReduceState } from '#schemas/dictionaries'
import type { SignupRow } from '../../../../platform/access/server/caller.ts'
import type { LiveDatabase } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { holdsNow } from '../appointment.ts'

const listed = (list: string, value: RawBuilder<string>): RawBuilder<boolean> =>
  sql<boolean>`(coalesce(${sql.ref(list)}, '') = '' OR ${value} = ANY(string_to_array(${sql.ref(list)}, ',')))`

/** The unit whose reviewers look at a sign-up: the one chosen again, else the one in force. */
export const reviewedUnit = sql<string>`(CASE WHEN signup."reduceState" = ${sql.lit(ReduceState.pending)} THEN signup.unit2
  ELSE coalesce(signup."finalUnit", signup.unit) END)`

/** The position at which a sign-up is looked at. */
export const reviewedCode = sql<string>`(CASE WHEN signup."reduceState" = ${sql.lit(ReduceState.pending)} THEN signup.code2
  ELSE coalesce(signup."finalCode", signup.code) END)`

/** The place of {@link reviewedUnit} and {@link reviewedCode} for a row that has been read. */
export const reviewedPlace = (row: SignupRow): { unit: string; type: string; code: string } =>
  row.reduceState === ReduceState.pending
    ? { unit: row.unit2 ?? '', type: row.type2 ?? '', code: row.code2 ?? '' }
    : { unit: row.finalUnit ?? row.unit, type: row.finalType ?? row.type, code: row.finalCode ?? row.code }

/**
 * The sign-ups a person is appointed to in one of the exam roles now (1 administrator, 2 first, 3 second reviewer), as a
 * condition on table `signup` of a live handle: the exam's appointment with its units and positions. It is the same for
 * everybody; being an administrator gives nothing here.
 * @param isNamed only by an appointment that names units or positions, not by one for the whole exam
 */
export const reviews = (person: Person, roles: readonly number[], now: Date, isNamed = false): Expression<SqlBool> => {
  const eb = expressionBuilder<LiveDatabase, 'signup'>()
  return eb.exists(
    eb
      .selectFrom('examuser')
      .select('examuser.id')
      .whereRef('examuser.examId', '=', 'signup.examId')
      .where('examuser.userId', '=', person.userId)
      .where(sql<boolean>`examuser."examRole" = ANY(${roles as number[]}::int[])`)
      .where(holdsNow('examuser', now))
      .where(listed('examuser.units', reviewedUnit))
      .where(listed('examuser.codes', reviewedCode))
      .$if(isNamed, query =>
        query.where(sql<boolean>`coalesce(examuser.units, '') || coalesce(examuser.codes, '') <> ''`),
      ),
  )
}

/** True when a person is appointed to review one sign-up, first or second. */
export async function isReviewer(app: FastifyInstance, person: Person, signupId: string): Promise<boolean> {
  const row = await liveAs(app, person)
    .selectFrom('signup')
    .select('id')
    .where('id', '=', signupId)
    .where(reviews(person, [ExamRole.firstReviewer, ExamRole.secondReviewer], app.now()))
    .executeTakeFirst()
  return row !== undefined
}
