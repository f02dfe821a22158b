import { type RawBuilder, sql } from 'kysely'
import type { Person } from '../../access.ts'

/** A notice that is out now, as a condition on table `notice`. */
export const isOut = (tenantId: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(notice."tenantId" = ${tenantId} AND notice."isDeleted" = 0 AND notice."noticeStatus" = 1
    AND notice."releaseTime" <= ${now} AND (notice."endTime" IS NULL OR notice."endTime" > ${now}))`

/**
 * A notice meant for a person, as a condition on table `notice`: everybody's and public ones, those of an exam or of a
 * stage he has signed up for, and for staff those of the staff. `scope2` holds ids of exams or stages.
 */
export function isFor(person: Person): RawBuilder<boolean> {
  const ids = sql`string_to_array(replace(coalesce(notice.scope2, ''), ' ', ''), ',')`
  const mine = sql`SELECT 1 FROM signup s WHERE s."userId" = ${person.userId} AND s."tenantId" = notice."tenantId"
    AND s."isDeleted" = 0 AND s."signStatus" = 1`
  return sql<boolean>`(notice.scope1 IN (1, 5)
    OR (notice.scope1 = 2 AND EXISTS (${mine} AND (s."examId"::text = ANY(${ids}) OR s."examId" = notice."examId")))
    OR (notice.scope1 = 3 AND EXISTS (${mine} AND s."examId" IN (
      SELECT i."examId" FROM examinationitem i WHERE i.id::text = ANY(${ids}))))
    OR (notice.scope1 IN (2, 3, 4) AND ${person.isStaff}))`
}
