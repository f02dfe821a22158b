import { expressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import '../../../platform/database/signup-tables.ts'
import {
  ExamineMode,
  ExamineStage,
  ExamineStatus,
  ExamRole,
  ReduceState,
  ReviewStatus,
  SignStatus,
} from '#schemas/dictionaries'
import type { Caller, SignupRow } from '../../../platform/access/server/caller.ts'
import { anywhere } from '../../../platform/database/like.ts'
import type { LiveDatabase } from '../../../platform/database/live.ts'
import { readTime, startOfDay } from '../../../platform/http/server/wire.ts'
import { reviewedCode, reviewedUnit, reviews } from '../../exams/server/staff/reviewer.ts'
import type { ReviewFilter, Stage } from '../contract.ts'
import type { WorkChip } from '../rules/work-chips.ts'

/** Which part of a stage: what waits for a decision, what of it was handed in again, what is decided. */
export type Part = 'wait' | 'again' | 'done'

/** What puts a sign-up of a stage into one of its parts. Counts and lists both stand on it, so that they agree. */
export const partOf: Readonly<Record<Stage, Readonly<Record<Part, RawBuilder<boolean>>>>> = {
  [ExamineStage.first]: {
    wait: sql<boolean>`signup.examine = ${sql.lit(ExamineStatus.pending)}`,
    again: sql<boolean>`(signup.examine = ${sql.lit(ExamineStatus.pending)} AND signup."examineTime" IS NOT NULL)`,
    done: sql<boolean>`signup.examine <> ${sql.lit(ExamineStatus.pending)}`,
  },
  [ExamineStage.second]: {
    wait: sql<boolean>`signup."reviewStatus" = ${sql.lit(ReviewStatus.pending)}`,
    again: sql<boolean>`false`,
    done: sql<boolean>`signup."reviewStatus" <> ${sql.lit(ReviewStatus.pending)}`,
  },
  [ExamineStage.reassignment]: {
    wait: sql<boolean>`signup."reduceState" = ${sql.lit(ReduceState.pending)}`,
    again: sql<boolean>`false`,
    done: sql<boolean>`signup."reduceState" IN (${sql.lit(ReduceState.approved)}, ${sql.lit(ReduceState.rejected)})`,
  },
}

const first = partOf[ExamineStage.first]

type Query<O> = SelectQueryBuilder<LiveDatabase, 'signup', O>

/** The highest level of a sign-up's pre-check; 0 without one. */
export const precheckMax = sql<number>`coalesce((SELECT max((p ->> 'level')::int) FROM jsonb_array_elements(
  CASE jsonb_typeof(signup.precheck) WHEN 'array' THEN signup.precheck ELSE '[]' END) p), 0)`

const DAY = 86_400_000

/**
 * Sign-ups of units or positions that an appointment names for the caller, and whoever is appointed to all of an exam: those that the caller
 * is looking at, and those that the caller has returned and that were handed in again.
 */
function isOwn({ person, now }: Pick<Caller, 'person' | 'now'>): RawBuilder<boolean> {
  const eb = expressionBuilder<LiveDatabase, 'signup'>()
  const looking = eb.exists(
    eb
      .selectFrom('signup_claim')
      .select('signup_claim.signupId')
      .whereRef('signup_claim.signupId', '=', 'signup.id')
      .where('signup_claim.userId', '=', person.userId)
      .where('signup_claim.until', '>', now),
  )
  const returned = sql`(signup."examineTime" IS NOT NULL AND signup."examineUser" = ${person.userId})`
  return sql<boolean>`(${reviews(person, [ExamRole.firstReviewer], now, true)} OR ${looking} OR ${returned})`
}

/** What puts a sign-up of the first review into one of its named filters: among what waits, or among what is decided. */
export const chipOf: Readonly<Record<WorkChip, (caller: Pick<Caller, 'person' | 'now'>) => RawBuilder<boolean>>> = {
  own: caller => sql`(${first.wait} AND ${isOwn(caller)})`,
  fresh: () => sql`(${first.wait} AND signup."examineTime" IS NULL)`,
  again: () => first.again,
  wrong: () => sql`(CASE WHEN ${first.wait} THEN ${precheckMax} = 3 ELSE false END)`,
  late: ({ now }) => sql`(${first.wait} AND signup."submitTime" < ${new Date(now.getTime() - DAY)})`,
  today: ({ now }) => sql`(${first.done} AND signup."examineTime" >= ${startOfDay(now)})`,
  mine: ({ person }) => sql`(${first.done} AND signup."examineUser" = ${person.userId})`,
  rejected: () => sql`signup.examine = ${sql.lit(ExamineStatus.rejected)}`,
  returned: () => sql`signup.examine = ${sql.lit(ExamineStatus.returned)}`,
}

/** Handed-in sign-ups the caller is appointed to review in a stage. */
function inStage({ db, person, now }: Caller, stage: Stage) {
  const base = db
    .selectFrom('signup')
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where(reviews(person, [stage === ExamineStage.second ? ExamRole.secondReviewer : ExamRole.firstReviewer], now))
  if (stage !== ExamineStage.second) return base
  return base
    .where('signup.examine', '=', ExamineStatus.approved)
    .where(eb => eb.or([eb('signup.examineUser', 'is', null), eb('signup.examineUser', '<>', person.userId)]))
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('examination')
          .select('examination.id')
          .whereRef('examination.id', '=', 'signup.examId')
          .where('examination.examineMode', '=', ExamineMode.firstAndSecond),
      ),
    )
}

/** The sign-ups of a stage narrowed by everything but the part. */
export const staged = (caller: Caller, filter: ReviewFilter) =>
  narrowed(inStage(caller, filter.stage ?? ExamineStage.first), caller, filter)

/** The sign-ups of a stage that a list was asked for: its part, narrowed by everything else. */
export function asked(caller: Caller, filter: ReviewFilter) {
  const stage = filter.stage ?? ExamineStage.first
  const part = filter.part ?? (stage === ExamineStage.reassignment ? 'wait' : undefined)
  const query = staged(caller, filter)
  return part ? query.where(partOf[stage][part]) : query
}

/** Narrows a list of sign-ups by what was asked for. */
function narrowed<O>(query: Query<O>, caller: Caller, filter: ReviewFilter): Query<O> {
  const { vault, person } = caller
  const from = readTime(filter.submitTime_dategt)
  const to = readTime(filter.submitTime_datelt)
  return query
    .$if(Boolean(filter.examId), q => q.where('signup.examId', '=', filter.examId!))
    .$if(Boolean(filter.unit), q => q.where(reviewedUnit, '=', filter.unit!))
    .$if(Boolean(filter.code), q => q.where(reviewedCode, '=', filter.code!))
    .$if(Boolean(filter.type), q => q.where('signup.type', '=', filter.type!))
    .$if(filter.chip !== undefined, q => q.where(chipOf[filter.chip!](caller)))
    .$if(Boolean(filter.keyword), q =>
      q.where(eb =>
        eb.or([
          eb('signup.name', 'like', anywhere(filter.keyword!)),
          eb('signup.signNo', 'like', anywhere(filter.keyword!)),
        ]),
      ),
    )
    .$if(Boolean(filter.name), q => q.where('signup.name', 'like', anywhere(filter.name!)))
    .$if(Boolean(filter.signNo), q => q.where('signup.signNo', 'like', anywhere(filter.signNo!)))
    .$if(Boolean(filter.idCard), q =>
      q.where('signup.idCardHash', '=', vault.hash(person.tenantId, filter.idCard!.trim().toUpperCase())),
    )
    .$if(filter.examine !== undefined, q => q.where('signup.examine', '=', filter.examine as 0 | 1 | 2 | 3))
    .$if(filter.reviewStatus !== undefined, q =>
      q.where('signup.reviewStatus', '=', filter.reviewStatus as 0 | 1 | 2 | 3),
    )
    .$if(Boolean(filter.precheckLevel), q => q.where(precheckMax, '=', filter.precheckLevel!))
    .$if(filter.again === 1, q => q.where(partOf[ExamineStage.first].again))
    .$if(filter.again === 0, q => q.where(partOf[ExamineStage.first].wait).where('signup.examineTime', 'is', null))
    .$if(from !== null, q => q.where('signup.submitTime', '>=', from!))
    .$if(to !== null, q => q.where('signup.submitTime', '<=', to!))
}

/** A sign-up in the order of waiting. */
type InOrder = Pick<SignupRow, 'id' | 'submitTime'>

/** The sign-ups that wait for the caller in a stage. */
function waiting(caller: Caller, filter: ReviewFilter) {
  const { examine: _examine, reviewStatus: _reviewStatus, ...rest } = filter
  return asked(caller, { ...rest, part: 'wait' })
}

/** Whether a sign-up comes later than another in the order of waiting. */
const after = ({ id, submitTime }: InOrder) => sql<boolean>`(signup."submitTime", signup.id) > (${submitTime}, ${id})`

/**
 * The sign-up that waits for the caller in a stage after this one, the longest waiting first, and from the front when none does;
 * `""` when no other waits.
 */
export async function nextWaiting(caller: Caller, filter: ReviewFilter, from: InOrder): Promise<string> {
  const first = (query: ReturnType<typeof waiting>) =>
    query
      .select('signup.id')
      .where('signup.id', '<>', from.id)
      .orderBy('signup.submitTime')
      .orderBy('signup.id')
      .limit(1)
      .executeTakeFirst()
  const row = (await first(waiting(caller, filter).where(after(from)))) ?? (await first(waiting(caller, filter)))
  return row?.id ?? ''
}

/** Waiting sign-ups that are counted at most: nobody reads on which place one stands behind these. */
const mostCounted = 1000

/** The place of a sign-up among those that wait for the caller in a stage; null where it does not wait or too many do. */
export async function placeOf(
  caller: Caller,
  filter: ReviewFilter,
  row: InOrder,
): Promise<{ at: number; of: number } | null> {
  const all = waiting(caller, filter)
    .select(['signup.id', after(row).as('isLater')])
    .limit(mostCounted + 1)
    .as('w')
  const sums = await caller.db
    .selectFrom(all)
    .select(eb => eb.fn.countAll<string>().as('of'))
    .select(sql<string>`count(*) FILTER (WHERE NOT w."isLater")`.as('at'))
    .select(sql<boolean>`coalesce(bool_or(w.id = ${row.id}), false)`.as('isIn'))
    .executeTakeFirstOrThrow()
  if (!sums.isIn || Number(sums.of) > mostCounted) return null
  return { at: Number(sums.at), of: Number(sums.of) }
}
