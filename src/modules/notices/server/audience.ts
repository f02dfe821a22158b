import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  AccountStatus,
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
import type { Notice } from '#schemas/notices/notice'
import { inScope } from '../../../crud/scope.ts'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'

/** A notice that is out now, as a condition on table `notice` of a live handle. */
export const isOut = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(notice."noticeStatus" = ${sql.lit(NoticeStatus.released)}
    AND notice."releaseTime" <= ${now} AND (notice."endTime" IS NULL OR notice."endTime" > ${now}))`

/** The exams or stages a notice names. */
const ids = sql`string_to_array(replace(coalesce(notice.scope2, ''), ' ', ''), ',')`

/** The notice names an exam or a stage, by the column with its id. */
const names = (column: string) => sql<boolean>`${sql.ref(column)}::text = ANY(${ids})`

// Conditions for statements of a live handle, which limits the tables in them. States are literals: some of these are asked for
// each row of another table.
const eb = expressionBuilder<LiveDatabase, 'notice'>()
const ofSignup = expressionBuilder<LiveDatabase & { s: LiveDatabase['signup'] }, 'notice' | 's'>()

const isOf = (scope: Notice['scope1']) => eb('notice.scope1', '=', eb.lit(scope))
const narrowsTo = (state: NonNullable<Notice['scopeState']>) => eb('notice.scopeState', '=', eb.lit(state))

const isApproved = ofSignup.and([
  ofSignup('s.examine', '=', eb.lit(ExamineStatus.approved)),
  ofSignup.exists(
    ofSignup
      .selectFrom(withRemoved('examination as e'))
      .select('e.id')
      .whereRef('e.id', '=', 's.examId')
      .where(({ or, eb: is, fn, lit }) =>
        or([
          is(fn.coalesce('e.examineMode', lit(ExamineMode.single)), '<>', lit(ExamineMode.firstAndSecond)),
          is('s.reviewStatus', '=', lit(ReviewStatus.approved)),
        ]),
      ),
  ),
])

const dueRecords = ofSignup
  .selectFrom('payrecord as p')
  .select('p.id')
  .whereRef('p.signupId', '=', 's.id')
  .where('p.payState', '=', eb.lit(PayState.due))

const owes = ofSignup.exists(dueRecords.where(eb.or([isOf(NoticeScope.examCandidates), names('p.itemId')])))

const hasNotDownloaded = ofSignup.exists(
  ofSignup
    .selectFrom('examinationticket as k')
    .select('k.id')
    .whereRef('k.signupId', '=', 's.id')
    .where('k.ticketStatus', '=', eb.lit(TicketStatus.released))
    .where(eb.or([isOf(NoticeScope.examCandidates), names('k.itemId')]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ticketnotice as d')
            .select('d.id')
            .whereRef('d.signupId', '=', 'k.signupId')
            .whereRef('d.itemId', '=', 'k.itemId')
            .where('d.downNum', '>', eb.lit(0)),
        ),
      ),
    ),
)

/** The sign-up `s` is in the state that the notice narrows its readers to. */
const inState = ofSignup.or([
  eb('notice.scopeState', 'is', null),
  ofSignup.and([narrowsTo(NoticeFilter.approved), isApproved]),
  ofSignup.and([narrowsTo(NoticeFilter.unpaid), owes]),
  ofSignup.and([narrowsTo(NoticeFilter.notDownloaded), hasNotDownloaded]),
])

/** Sign-ups `s` that a notice for candidates counts. */
const signUps = ofSignup
  .selectFrom('signup as s')
  .where('s.signStatus', '=', eb.lit(SignStatus.submitted))
  .where(inState)

/** The sign-up `s` is one of the exams of the notice. */
const isOfExam = ofSignup.or([names('s.examId'), ofSignup('s.examId', '=', ofSignup.ref('notice.examId'))])

/** The sign-up `s` is for the exam of one of the stages of the notice. */
const isOfStage = ofSignup(
  's.examId',
  'in',
  eb.selectFrom(withRemoved('examinationitem as i')).select('i.examId').where(names('i.id')),
)

/** Accounts in use. */
const accounts = eb.selectFrom('user as u').where('u.accountStatus', '=', eb.lit(AccountStatus.active))

/** How many accounts a condition on the sign-up `s` leads to. */
const candidatesOf = (condition: Expression<SqlBool>) =>
  accounts.where('u.id', 'in', signUps.select('s.userId').where(condition)).select(({ fn }) => fn.countAll().as('n'))

/**
 * How many accounts in use a notice is meant for, as a number on table `notice` of a live handle: as {@link audience} says of each
 * of them. Null for what everybody may read without an account.
 * @param isStaff true for accounts `u` of staff
 */
export const audienceSize = (isStaff: Expression<SqlBool>): RawBuilder<string | null> => {
  const number = accounts.select(({ fn }) => fn.countAll().as('n'))
  const sent = eb.selectFrom('sendmessage as m').select('m.userId').whereRef('m.sendId', '=', 'notice.sendId')
  return sql<string | null>`(CASE notice.scope1
    WHEN ${sql.lit(NoticeScope.everyone)} THEN (${number})
    WHEN ${sql.lit(NoticeScope.examCandidates)} THEN (${candidatesOf(isOfExam)})
    WHEN ${sql.lit(NoticeScope.stageCandidates)} THEN (${candidatesOf(isOfStage)})
    WHEN ${sql.lit(NoticeScope.staff)} THEN (${number.where(isStaff)})
    WHEN ${sql.lit(NoticeScope.recipients)} THEN (${number.where('u.id', 'in', sent)}) END)`
}

/**
 * Whom a notice is meant for, as a condition on table `notice` of a live handle: everybody's and public ones, those of an exam or
 * of a stage the reader has signed up for, narrowed by the state of that sign-up, for staff those of the staff, and what was sent
 * to the reader by name.
 * @param userId the reader's id
 * @param isStaff true for staff
 */
export function audience(userId: Expression<string>, isStaff: Expression<SqlBool>): Expression<SqlBool> {
  const mine = signUps.select('s.id').where('s.userId', '=', userId)
  const sent = eb.selectFrom('sendmessage as m').select('m.sendId').where('m.userId', '=', userId)
  return eb.or([
    eb('notice.scope1', 'in', [eb.lit(NoticeScope.everyone), eb.lit(NoticeScope.public)]),
    eb.and([isOf(NoticeScope.examCandidates), eb.exists(mine.where(isOfExam))]),
    eb.and([isOf(NoticeScope.stageCandidates), eb.exists(mine.where(isOfStage))]),
    eb.and([isOf(NoticeScope.staff), isStaff]),
    eb.and([isOf(NoticeScope.recipients), eb('notice.sendId', 'in', sent)]),
  ])
}

const ofExam = expressionBuilder<LiveDatabase, 'notice' | 'examination'>()

/** Exams named by a notice, as a condition on tables `notice` and `examination` of a live handle. */
export const namesExam: Expression<SqlBool> = ofExam.or([
  ofExam('notice.examId', '=', ofExam.ref('examination.id')),
  ofExam.and([isOf(NoticeScope.examCandidates), names('examination.id')]),
  ofExam.and([
    isOf(NoticeScope.stageCandidates),
    ofExam.exists(
      ofExam
        .selectFrom(withRemoved('examinationitem as i'))
        .select('i.id')
        .whereRef('i.examId', '=', 'examination.id')
        .where(names('i.id')),
    ),
  ]),
])

/** A notice that a person may read: {@link audience}, and for staff also those of candidates of exams they have a part in. */
export function isFor(app: ScopesNow, person: Person): Expression<SqlBool> {
  const own = eb
    .selectFrom('examination')
    .select('examination.id')
    .where(namesExam)
    .where(inScope(app, person, 'examination'))
  return eb.or([
    audience(eb.val(person.userId), eb.val(person.isStaff)),
    eb.and([
      eb('notice.scope1', 'in', [eb.lit(NoticeScope.examCandidates), eb.lit(NoticeScope.stageCandidates)]),
      eb.val(person.isStaff),
      eb.exists(own),
    ]),
  ])
}

/** A notice that concerns the stage of the table `ticket`: its exam's, or that stage's own. */
export const concernsTicket = sql<boolean>`((notice.scope1 IN (${sql.lit(NoticeScope.everyone)}, ${sql.lit(NoticeScope.public)}) AND notice."examId" = ticket."examId")
  OR (notice.scope1 = ${sql.lit(NoticeScope.examCandidates)} AND (notice."examId" = ticket."examId" OR ticket."examId"::text = ANY(${ids})))
  OR (notice.scope1 = ${sql.lit(NoticeScope.stageCandidates)} AND ticket."itemId"::text = ANY(${ids})))`

/** Filters of candidates that hold for an exam as a whole, as conditions on table `s` of sign-ups. */
const ofWholeExam = {
  [NoticeFilter.approved]: isApproved,
  [NoticeFilter.unpaid]: ofSignup.exists(dueRecords),
} as const

/** A filter that holds for an exam as a whole. */
export type ExamFilter = keyof typeof ofWholeExam

/** The candidates of an exam, or those in a state, as a notice to them reaches them now: ids of people in a column `userId`. */
export const candidatesNow = (db: Live, examId: string, state: ExamFilter | null) =>
  db
    .selectFrom('signup as s')
    .select('s.userId')
    .where('s.examId', '=', examId)
    .where('s.signStatus', '=', SignStatus.submitted)
    .$if(state !== null, query => query.where((state === null ? sql<boolean>`true` : ofWholeExam[state]) as never))
