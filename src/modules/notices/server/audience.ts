import { type RawBuilder, sql } from 'kysely'
import {
  ExamineMode,
  ExamineStatus,
  NoticeFilter,
  NoticeScope,
  NoticeStatus,
  PayState,
  ReviewStatus,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'

/** A notice that is out now, as a condition on table `notice` of a live handle. */
export const isOut = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(notice."noticeStatus" = ${sql.lit(NoticeStatus.released)}
    AND notice."releaseTime" <= ${now} AND (notice."endTime" IS NULL OR notice."endTime" > ${now}))`

/** The exams or stages a notice names. */
const ids = sql`string_to_array(replace(coalesce(notice.scope2, ''), ' ', ''), ',')`

/** The sign-up `s` is in the state that the notice narrows its readers to. */
const inState = sql`(notice."scopeState" IS NULL
  OR (notice."scopeState" = ${sql.lit(NoticeFilter.approved)} AND s.examine = ${sql.lit(ExamineStatus.approved)} AND EXISTS (SELECT 1 FROM examination e
    WHERE e.id = s."examId" AND (coalesce(e."examineMode", ${sql.lit(ExamineMode.single)}) <> ${sql.lit(ExamineMode.firstAndSecond)} OR s."reviewStatus" = ${sql.lit(ReviewStatus.approved)})))
  OR (notice."scopeState" = ${sql.lit(NoticeFilter.unpaid)} AND EXISTS (SELECT 1 FROM payrecord p WHERE p."signupId" = s.id AND p."isDeleted" = 0
    AND p."payState" = ${sql.lit(PayState.due)} AND (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} OR p."itemId"::text = ANY(${ids}))))
  OR (notice."scopeState" = ${sql.lit(NoticeFilter.notDownloaded)} AND EXISTS (SELECT 1 FROM examinationticket k WHERE k."signupId" = s.id
    AND k."isDeleted" = 0 AND k."ticketStatus" = ${sql.lit(TicketStatus.released)} AND (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} OR k."itemId"::text = ANY(${ids}))
    AND NOT EXISTS (SELECT 1 FROM ticketnotice d WHERE d."signupId" = k."signupId" AND d."itemId" = k."itemId"
      AND d."isDeleted" = 0 AND d."downNum" > 0))))`

/**
 * Whom a notice is meant for, as a condition on table `notice`: everybody's and public ones, those of an exam or of a
 * stage the reader has signed up for, narrowed by the state of that sign-up, for staff those of the staff, and what was sent to
 * the reader by name.
 * @param userId SQL of the reader's id
 * @param isStaff SQL that is true for staff
 */
export function audience(userId: RawBuilder<unknown>, isStaff: RawBuilder<unknown>): RawBuilder<boolean> {
  const mine = sql`SELECT 1 FROM signup s WHERE s."userId" = ${userId} AND s."tenantId" = notice."tenantId"
    AND s."isDeleted" = 0 AND s."signStatus" = ${sql.lit(SignStatus.submitted)} AND ${inState}`
  return sql<boolean>`(notice.scope1 IN (${sql.lit(NoticeScope.everyone)}, ${sql.lit(NoticeScope.public)})
    OR (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} AND EXISTS (${mine} AND (s."examId"::text = ANY(${ids}) OR s."examId" = notice."examId")))
    OR (notice.scope1 = ${sql.lit(NoticeScope.stageCandidates)} AND EXISTS (${mine} AND s."examId" IN (
      SELECT i."examId" FROM examinationitem i WHERE i.id::text = ANY(${ids}))))
    OR (notice.scope1 = ${sql.lit(NoticeScope.staff)} AND ${isStaff})
    OR (notice.scope1 = ${sql.lit(NoticeScope.recipients)} AND notice."sendId" IN (SELECT m."sendId" FROM sendmessage m
      WHERE m."userId" = ${userId} AND m."isDeleted" = 0)))`
}

/** Exams named by a notice, as a condition on tables `notice` and `examination`. */
export const namesExam = sql<boolean>`(notice."examId" = examination.id
  OR (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} AND examination.id::text = ANY(${ids}))
  OR (notice.scope1 = ${sql.lit(NoticeScope.stageCandidates)} AND EXISTS (SELECT 1 FROM examinationitem i WHERE i."examId" = examination.id
    AND i.id::text = ANY(${ids}))))`

/** A notice that a person may read: {@link audience}, and for staff also those of candidates of exams they have a part in. */
export const isFor = (person: Person, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${audience(sql`${person.userId}`, sql`${person.isStaff}`)} OR (notice.scope1 IN (${sql.lit(NoticeScope.examCandidates)}, ${sql.lit(NoticeScope.stageCandidates)}) AND ${person.isStaff}
    AND EXISTS (SELECT 1 FROM examination WHERE ${namesExam} AND ${inScope({ now: () => now }, person, 'examination')})))`

/** A notice that concerns the stage of the table `ticket`: its exam's, or that stage's own. */
export const concernsTicket = sql<boolean>`((notice.scope1 IN (${sql.lit(NoticeScope.everyone)}, ${sql.lit(NoticeScope.public)}) AND notice."examId" = ticket."examId")
  OR (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} AND (notice."examId" = ticket."examId" OR ticket."examId"::text = ANY(${ids})))
  OR (notice.scope1 = ${sql.lit(NoticeScope.stageCandidates)} AND ticket."itemId"::text = ANY(${ids})))`
