import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../../access.ts'

const listed = (list: string, value: string): RawBuilder<boolean> =>
  sql<boolean>`(coalesce(${sql.ref(list)}, '') = '' OR ${sql.ref(value)} = ANY(string_to_array(${sql.ref(list)}, ',')))`

/**
 * The sign-ups a person is appointed to in one of the exam roles now (1 administrator, 2 first, 3 second reviewer), as a condition on table `signup`: the exam's appointment
 * with its units and positions. It is the same for everybody; being an administrator gives nothing here.
 */
export function reviews(person: Person, roles: readonly number[], now: Date): RawBuilder<boolean> {
  return sql<boolean>`(signup."tenantId" = ${person.tenantId} AND signup."isDeleted" = 0 AND EXISTS (
    SELECT 1 FROM examuser WHERE examuser."examId" = signup."examId" AND examuser."tenantId" = ${person.tenantId}
      AND examuser."userId" = ${person.userId} AND examuser."examRole" = ANY(${roles as number[]}::int[])
      AND examuser.enable = 1 AND examuser."isDeleted" = 0
      AND (examuser."startTime" IS NULL OR examuser."startTime" <= ${now})
      AND (examuser."endTime" IS NULL OR examuser."endTime" > ${now})
      AND ${listed('examuser.units', 'signup.unit')} AND ${listed('examuser.codes', 'signup.code')}))`
}

/** True when a person is appointed to review one sign-up, first or second. */
export async function isReviewer(app: FastifyInstance, person: Person, signupId: string): Promise<boolean> {
  const row = await app.db
    .selectFrom('signup')
    .select('id')
    .where('id', '=', signupId)
    .where(reviews(person, [2, 3], app.now()))
    .executeTakeFirst()
  return row !== undefined
}
