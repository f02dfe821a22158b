import { sql } from 'kysely'
import { ageOn } from '#engine'
import { ExamineStage } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import { startOfDay, wireDay } from '../../../platform/http/server/wire.ts'
import type { Content } from '../../exams/rules/sign-item.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { type ExamForm, loadForm } from '../../exams/server/candidate/exam-form.ts'
import { reviewedCode, reviewedUnit } from '../../exams/server/staff/reviewer.ts'
import type { ReviewFilter, Stage, WorkQuery } from '../contract.ts'
import { ALL, firstChip, type WorkChip, workChips } from '../rules/work-chips.ts'
import { asked, chipOf, type Part, partOf, precheckMax, staged } from './filter.ts'
import { paperLines } from './papers.ts'
import { isRevocable, isRevokerOf } from './revoke.ts'

/**
 * How much waits and how much is done in the caller's scope, of what the filters leave: each number is the total of the
 * list that is asked for with that part.
 */
async function countersOf(caller: Caller, query: ReviewFilter) {
  const { db, person, now } = caller
  const { stage = ExamineStage.first, examine: _e, reviewStatus: _r, again: _a, chip: _c, ...rest } = query
  const chips: readonly WorkChip[] = [...workChips.waiting, ...workChips.done]
  const inChip = sql.join(chips.map(chip => sql`${sql.lit(chip)}, count(*) FILTER (WHERE ${chipOf[chip](caller)})`))
  const each = (part: Part) => sql<string>`count(*) FILTER (WHERE ${partOf[stage][part]})`.as(part)
  const sums = await staged(caller, { ...rest, stage })
    .select([each('wait'), each('again'), each('done')])
    .select(sql<Record<WorkChip, number>>`json_build_object(${inChip})`.as('chips'))
    .executeTakeFirstOrThrow()
  const today = await db
    .selectFrom('examinelog')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('userId', '=', person.userId)
    .where('stage', '=', stage)
    .where('time', '>=', startOfDay(now))
    .executeTakeFirstOrThrow()
  const { wait, again, done, chips: inChips } = sums
  return { wait: Number(wait), again: Number(again), done: Number(done), today: Number(today.n), chips: inChips }
}

/** What a list is asked for, once it is known with which of its named filters. */
type ListQuery = Omit<WorkQuery, 'chip'> & Pick<ReviewFilter, 'chip'>

const rowsOf = (caller: Caller, query: ListQuery, place: { size: number; offset: number }) =>
  asked(caller, query)
    .innerJoin('examination as e', 'e.id', 'signup.examId')
    .leftJoin('examitems as p', join => join.onRef('p.examId', '=', 'signup.examId').on('p.code', '=', reviewedCode))
    .leftJoin(withRemoved('user as u'), 'u.id', 'signup.examineUser')
    .leftJoin(withRemoved('user as r'), 'r.id', 'signup.reviewUser')
    .leftJoin('signup_claim as c', join => join.onRef('c.signupId', '=', 'signup.id').on('c.until', '>', caller.now))
    .selectAll('signup')
    .select([
      'e.examName',
      'e.ageBaseDate',
      'e.signEndTime',
      'p.postName',
      'p.type as postType',
      'c.userName as claimedBy',
    ])
    .select([reviewedUnit.as('inUnit'), reviewedCode.as('inCode')])
    .select(['u.realName as examineUserName', 'r.realName as reviewUserName', precheckMax.as('precheckMax')])
    .select(sql<boolean>`${isRevokerOf(caller)}`.as('isRevoker'))
    .orderBy('signup.submitTime', query.sort === '-submitTime' ? 'desc' : 'asc')
    .orderBy('signup.id')
    .limit(place.size)
    .offset(place.offset)
    .execute()

type ListRow = Awaited<ReturnType<typeof rowsOf>>[number]

function lineOf(
  caller: Caller,
  row: ListRow,
  dicts: Awaited<ReturnType<typeof loadDicts>>,
  form: ExamForm | undefined,
) {
  const content = row.content as Content
  const base = row.ageBaseDate ?? wireDay(row.signEndTime)
  return {
    signUpId: row.id,
    signNo: row.signNo,
    examId: row.examId,
    examName: row.examName,
    name: row.name,
    sex: row.sex,
    age: row.birthday ? ageOn(row.birthday, base) : null,
    education: content.education,
    educationName: optionText(dicts.education, content.education),
    major: content.major as string,
    unit: row.inUnit,
    unitName: optionText(dicts.recruit_unit, row.inUnit),
    type: row.postType ?? row.type,
    code: row.inCode,
    postName: row.postName,
    typeName: optionText(dicts.post_type, row.postType ?? row.type),
    oldCode: row.code,
    reduceState: row.reduceState,
    submitTime: row.submitTime,
    submitCount: row.submitCount,
    examine: row.examine,
    examineRemark: row.examineRemark,
    examineTime: row.examineTime,
    examineUser: row.examineUser,
    examineUserName: row.examineUserName,
    reviewStatus: row.reviewStatus,
    reviewRemark: row.reviewRemark,
    reviewTime: row.reviewTime,
    reviewUserName: row.reviewUserName,
    precheckMax: Math.max(Number(row.precheckMax), ...(form ? paperLines(form, row) : []).map(one => one.level)),
    claimedBy: row.claimedBy,
    canRevoke: isRevocable(row, row.isRevoker, caller),
    version: row.version,
  }
}

/** By when a sign-up is to be decided on; what somebody has chosen anew has no time. */
const dueOf = {
  [ExamineStage.first]: sql<Date | null>`min(least(signup."submitTime" + interval '1 day', e."examineEndTime"))`,
  [ExamineStage.second]: sql<Date | null>`min(e."examineEndTime")`,
  [ExamineStage.reassignment]: sql<Date | null>`NULL::timestamptz`,
} as const satisfies Readonly<Record<Stage, unknown>>

/**
 * What waits for the caller in a stage, all of it or what a named filter has: how many sign-ups, the oldest, those handed in over a day ago,
 * and by when the first is due.
 */
export async function waitingIn(caller: Caller, stage: Stage, chip?: WorkChip) {
  const late = sql<string>`count(*) FILTER (WHERE ${chipOf.late(caller)})`
  const { num, oldest, overdue, due } = await asked(caller, { stage, part: 'wait', ...(chip && { chip }) })
    .innerJoin('examination as e', 'e.id', 'signup.examId')
    .select(eb => [eb.fn.countAll<string>().as('num'), eb.fn.min('signup.submitTime').as('oldest')])
    .select((stage === ExamineStage.first ? late : sql<string>`0`).as('overdue'))
    .select(dueOf[stage].as('due'))
    .executeTakeFirstOrThrow()
  return { num: Number(num), oldest, overdue: Number(overdue), due }
}

/** How many sign-ups a list of the caller's has. */
async function countOf(caller: Caller, query: ReviewFilter): Promise<number> {
  const { n } = await asked(caller, query)
    .select(eb => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The named filter that a list opens with; undefined for the whole of it. */
async function openingChip(
  { part }: Pick<WorkQuery, 'part'>,
  counting: ReturnType<typeof countersOf>,
): Promise<WorkChip | undefined> {
  const chip = firstChip(part === 'done' ? 'done' : 'waiting', (await counting).chips)
  return chip === ALL ? undefined : chip
}

/** Sign-ups the caller is to review in a stage, with counters; those outside the caller's scope are neither shown nor counted. */
export async function reviewList(caller: Caller, { chip: wanted, ...rest }: WorkQuery) {
  const place = pageOf(rest)
  const counting = countersOf(caller, rest)
  const chip = wanted === 'first' ? await openingChip(rest, counting) : wanted
  const query: ListQuery = { ...rest, ...(chip && { chip }) }
  const [rows, total, counters, dicts] = await Promise.all([
    rowsOf(caller, query, place),
    countOf(caller, query),
    counting,
    loadDicts(caller.db, ['recruit_unit', 'post_type', 'education']),
  ])
  const exams = [...new Set(rows.map(row => row.examId))]
  const forms = new Map(await Promise.all(exams.map(async id => [id, await loadForm(caller.db, id)] as const)))
  const records = rows.map(row => lineOf(caller, row, dicts, forms.get(row.examId)))
  return { ...page(records, total, place), chip: chip ?? null, counters }
}
