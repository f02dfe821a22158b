import { type Expression, sql } from 'kysely'
import { tableOf } from '#engine'
import { ExamineStage, ExamineStatus, ExamStatus, PayState, SignStatus } from '#schemas/dictionaries'
import { whereOf } from '../../../crud/query.ts'
import type { Query } from '../../../crud/read.ts'
import { inScope, resourceOf } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { startOfDay, wireTime } from '../../../platform/http/server/wire.ts'
import { deadlinesOf, type ExamTimes, stagesOf, standingOf } from '../../exams/rules/exam-phase.ts'
import { latestNotices } from '../../notices/server/lists.ts'
import { countOf } from '../../review/server/list.ts'
import { flowWaiting, type Waiting } from '../../workflow/server/waiting.ts'
import { type DeskApp, startList } from './start-list.ts'

/** Work that waits for somebody: rows of a list, as the list itself is asked for them. */
interface Todo {
  /** Also what the page calls it. */
  code: string
  /** Permission of whoever does it. */
  needs: string
  entity: string
  /** Query of the list. It is answered too, so that a number and the list it leads to are one condition. */
  query: (now: Date) => Query
}

const week = 7 * 86_400_000

const todos: readonly Todo[] = [
  { code: 'userAudit', needs: 'user_audit', entity: 'user', query: () => ({ accountStatus: '3' }) },
  { code: 'userUpdate', needs: 'userupdateinfo', entity: 'userupdateinfo', query: () => ({ updateStatus: '0' }) },
  { code: 'idClaim', needs: 'idclaim_audit', entity: 'idclaim', query: () => ({ claimStatus: '0' }) },
  { code: 'refund', needs: 'payrefund', entity: 'payrefund', query: () => ({ refundStatus: '0' }) },
  { code: 'oddOrder', needs: 'payorder', entity: 'payorder', query: () => ({ orderStatus: '5' }) },
  { code: 'invoice', needs: 'payrecord_invoice', entity: 'payrecord', query: () => ({ invoiceStatus: '1' }) },
  {
    code: 'difference',
    needs: 'reconciliation',
    entity: 'reconciliation',
    query: () => ({ reconStatus: '2' }),
  },
  { code: 'appeal', needs: 'resultappeal', entity: 'resultappeal', query: () => ({ appealStatus: '0' }) },
  { code: 'sendPay', needs: 'sendpay', entity: 'sendpay', query: () => ({ sendPayStatus: '1' }) },
  {
    code: 'alarm',
    needs: 'auditlog',
    entity: 'auditlog',
    query: now => ({ event: 'alarm', time_dategt: wireTime(new Date(now.getTime() - week)) }),
  },
]

/** Reviews: they wait for whoever is appointed, as in the reviewers' lists. */
const reviewTodos = [
  { code: 'examine', needs: 'examine_act', stage: ExamineStage.first },
  { code: 'review', needs: 'examine_recheck', stage: ExamineStage.second },
] as const

/** How many rows of a list wait, as a part of the statement that counts all work. */
function counting(app: DeskApp, person: Person, { code, entity, query }: Todo): Expression<Waiting> {
  const where = whereOf({ app, person, resource: resourceOf(entity) }, query(app.now()))
  return (
    liveAs(app, person)
      // Any table: only its scope and the filters of its list are asked for.
      .selectFrom(`${tableOf(entity)} as t` as 'user as t')
      .select([sql<string>`${code}::text`.as('code'), sql<number>`count(*)::int`.as('num')])
      .where(where.$castTo<boolean>())
  )
}

/** How many sign-ups wait for this person in the lists of reviewers. */
async function reviewsWaiting(app: DeskApp, person: Person) {
  const caller = { db: liveAs(app, person), vault: app.vault, person, now: app.now(), ip: '', meter: app.meter }
  const mine = reviewTodos.filter(({ needs }) => person.permissions.has(needs))
  return Promise.all(
    mine.map(async ({ code, stage }) => ({ code, num: await countOf(caller, { stage, part: 'wait' }) })),
  )
}

/** What waits for this person; nothing that somebody else must do. */
async function waiting(app: DeskApp, person: Person) {
  const mine = todos.filter(({ needs }) => person.permissions.has(needs))
  const db = liveAs(app, person)
  const each = [...mine.map(todo => counting(app, person, todo)), ...flowWaiting(db, person)]
  const [reviews, rest] = await Promise.all([
    reviewsWaiting(app, person),
    each.length > 0 ? sql<Waiting>`${sql.join(each, sql.raw(' UNION ALL '))}`.execute(db) : { rows: [] },
  ])
  const queries = Object.fromEntries(mine.map(({ code, query }) => [code, query(app.now())]))
  return [...reviews, ...rest.rows]
    .filter(({ num }) => num > 0)
    .map(one => ({ ...one, ...(queries[one.code] && { query: queries[one.code] }) }))
}

/** Most exams shown. */
const shown = 8

type ExamRow = ExamTimes & { id: string; examName: string } & Partial<Record<Count, number>>
type Count = 'signed' | 'today' | 'waiting' | 'passed' | 'paid'

/** Pages that show sign-ups; whoever opens one may know how many there are. */
const signupPages = ['signup', 'examine_list', 'examine_review']
/** Whether a person may know how many sign-ups there are. */
export const seesSignups = (person: Person): boolean => signupPages.some(code => person.permissions.has(code))

/** The released exams of this person with their phases, the nearest deadline first, and how many people stand where in them. */
async function runningExams(app: DeskApp, person: Person) {
  const now = app.now()
  const rows: ExamRow[] = await liveAs(app, person)
    .selectFrom('examination as t')
    .selectAll('t')
    .where(inScope(app, person, 'examination', 't'))
    .where('t.examStatus', '=', ExamStatus.released)
    // For whoever may see the sign-ups, of those that this person may see.
    .$if(seesSignups(person), query =>
      query
        .innerJoinLateral(
          eb =>
            eb
              .selectFrom('signup as s')
              .select(({ fn, cast }) => [
                cast<number>(fn.countAll(), 'integer').as('signed'),
                cast<number>(fn.countAll().filterWhere('s.submitTime', '>=', startOfDay(now)), 'integer').as('today'),
                cast<number>(fn.countAll().filterWhere('s.examine', '=', ExamineStatus.pending), 'integer').as(
                  'waiting',
                ),
                cast<number>(fn.countAll().filterWhere('s.examine', '=', ExamineStatus.approved), 'integer').as(
                  'passed',
                ),
                cast<number>(fn.countAll().filterWhere('s.payState', '=', PayState.paid), 'integer').as('paid'),
              ])
              .whereRef('s.examId', '=', 't.id')
              .where('s.signStatus', '=', SignStatus.submitted)
              .where(inScope(app, person, 'signup', 's'))
              .as('n'),
          join => join.onTrue(),
        )
        .selectAll('n'),
    )
    .orderBy('t.signEndTime', 'desc')
    .limit(50)
    .execute()
  return rows
    .map(exam => ({
      id: exam.id,
      examName: exam.examName,
      ...standingOf(exam, now),
      stages: stagesOf(exam, now),
      deadlines: deadlinesOf(exam, now),
      signed: exam.signed,
      today: exam.today,
      waiting: exam.waiting,
      passed: exam.passed,
      paid: exam.paid,
    }))
    .filter(({ phases }) => !phases.includes('已结束'))
    .sort(
      (a, b) => Number(a.deadline?.at ?? Number.MAX_SAFE_INTEGER) - Number(b.deadline?.at ?? Number.MAX_SAFE_INTEGER),
    )
    .slice(0, shown)
}

/** What waits for a person, and the exams that are running. */
export async function staffWork(app: DeskApp, person: Person) {
  const [todo, exams] = await Promise.all([waiting(app, person), runningExams(app, person)])
  return { todo, exams, serverTime: app.now() }
}

/** Notices on the first page. */
const notices = 3

/** Everything on the first page of staff: their work, the latest notices, and what a new installation still needs. */
export async function staffHome(app: DeskApp, person: Person) {
  const [work, latest, start] = await Promise.all([
    staffWork(app, person),
    latestNotices(liveAs(app, person), person, app, notices),
    startList(app, person),
  ])
  return { ...work, notices: latest, start }
}
