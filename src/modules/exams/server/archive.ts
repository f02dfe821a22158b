import { type ExpressionBuilder, sql } from 'kysely'
import type { Row } from '#engine'
import { examination } from '#resources/exams/examination'
import {
  AppealStatus,
  ExamStatus,
  ObjectionStatus,
  OrderStatus,
  PayBizType,
  PublicityStatus,
  RefundStatus,
  SignStatus,
  TaskStatus,
} from '#schemas/dictionaries'
import type { Examination } from '#schemas/exams/examination'
import { guard } from '../../../crud/rules.ts'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { examWindows, isTimely } from '../rules/act-windows.ts'
import { type CheckLine, line } from './check-line.ts'

/** What still runs in an exam, counted. */
interface Running {
  orders: number
  refunds: number
  appeals: number
  lists: number
  objections: number
}

const openOrders = [OrderStatus.unpaid, OrderStatus.exception]
const openObjections = [ObjectionStatus.pending, ObjectionStatus.accepted, ObjectionStatus.investigating]
const openRefunds = [RefundStatus.requested, RefundStatus.processing, RefundStatus.exception]

async function running(db: Live, examId: string, now: Date): Promise<Running> {
  const count = await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('payorder as o')
        .innerJoin(withRemoved('payrecord as r'), 'r.id', 'o.bizId')
        .where('o.bizType', '=', PayBizType.examFee)
        .where('r.examId', '=', examId)
        .where('o.orderStatus', 'in', openOrders)
        .select(one => one.fn.countAll<string>().as('n'))
        .as('orders'),
      eb
        .selectFrom('payrefund as f')
        .innerJoin(withRemoved('payrecord as r'), 'r.id', 'f.payRecordId')
        .where('r.examId', '=', examId)
        .where('f.refundStatus', 'in', openRefunds)
        .select(one => one.fn.countAll<string>().as('n'))
        .as('refunds'),
      eb
        .selectFrom('resultappeal')
        .where('examId', '=', examId)
        .where('appealStatus', '=', AppealStatus.pending)
        .select(one => one.fn.countAll<string>().as('n'))
        .as('appeals'),
      eb
        .selectFrom('publicity')
        .where('examId', '=', examId)
        .where('publicityStatus', '=', PublicityStatus.released)
        .where('endTime', '>', now)
        .select(one => one.fn.countAll<string>().as('n'))
        .as('lists'),
      eb
        .selectFrom('objection')
        .where('examId', '=', examId)
        .where('objectionStatus', 'in', openObjections)
        .select(one => one.fn.countAll<string>().as('n'))
        .as('objections'),
    ])
    .executeTakeFirstOrThrow()
  return {
    orders: Number(count.orders),
    refunds: Number(count.refunds),
    appeals: Number(count.appeals),
    lists: Number(count.lists),
    objections: Number(count.objections),
  }
}

/**
 * The exports that make up an exam: who signed up, their forms, their files, and their results. A large exam is exported
 * in parts, each narrowed by these columns and nothing else.
 */
const wanted = [
  { business: 'signup', label: '报名数据', table: 'signup', parts: ['unit', 'code'] },
  { business: 'signupForms', label: '报名表', table: 'signup', parts: ['unit', 'code'] },
  { business: 'signupFiles', label: '报名附件', table: 'signup', parts: ['unit', 'code'] },
  { business: 'result', label: '成绩', table: 'result', parts: ['itemId'] },
] as const

type Wanted = (typeof wanted)[number]

/** What an export was narrowed by. */
const filters = sql`(CASE WHEN e.params ? 'filters' THEN e.params->'filters'
  ELSE e.params - '{ascs,descs,current,size}'::text[] END)`

/** Exports of an exam that came to their end, of all rows or of the part that row `one` belongs to. */
function exportsOf(eb: ExpressionBuilder<LiveDatabase, never>, of: Wanted, examId: string, since: Date) {
  const { business, parts } = of
  const within = parts.map(part => {
    const own = sql`${sql.ref(`one.${part}`)}::text`
    return sql<boolean>`coalesce(${filters}->>${sql.lit(part)}, ${own}) = ${own}`
  })
  return eb
    .selectFrom('exporttask as e')
    .select('e.id')
    .where('e.bizType', '=', business)
    .where('e.taskStatus', '=', TaskStatus.done)
    .where('e.createTime', '>=', since)
    .where(sql<boolean>`coalesce(e.params->'ids', '[]') = '[]' AND coalesce(e.params->'fileCodes', '[]') = '[]'`)
    .where(sql<boolean>`${filters} - ${[...parts]}::text[] = ${{ examId }}::jsonb`)
    .where(sql<boolean>`${sql.join(within, sql` AND `)}`)
}

/** The rows of an exam that an export of a kind is of. */
const rowsOf = (db: Live, of: Wanted, examId: string) =>
  db
    .selectFrom(`${of.table as 'signup'} as one`)
    .where('one.examId', '=', examId)
    .$if(of.table === 'signup', rows => rows.where('one.signStatus', '<>', SignStatus.draft))

/** The same that are in no export begun since a moment. */
const missingOf = (db: Live, of: Wanted, examId: string, since: Date) =>
  rowsOf(db, of, examId).where(eb => eb.not(eb.exists(exportsOf(eb as never, of, examId, since))))

/** What the whole archive of an exam is called in the register of exports. */
export const wholeArchive = 'examArchive'

/** Whether the whole archive of an exam, with nothing masked, was made and begun since a moment. */
async function hasWholeArchive(db: Live, examId: string, since: Date): Promise<boolean> {
  const found = await db
    .selectFrom('exporttask')
    .select('id')
    .where('bizType', '=', wholeArchive)
    .where('taskStatus', '=', TaskStatus.done)
    .where('createTime', '>=', since)
    .where(sql<boolean>`params @> ${{ examId, sort: 'full' }}::jsonb`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What of an exam is in no export begun since a moment, in words. The whole archive holds everything. */
async function unexported(db: Live, examId: string, since: Date): Promise<string[]> {
  if (await hasWholeArchive(db, examId, since)) return []
  const missing: string[] = []
  for (const one of wanted) {
    const row = await missingOf(db, one, examId, since).select('one.id').limit(1).executeTakeFirst()
    if (row) missing.push(one.label)
  }
  return missing
}

type Ends = Pick<Row<typeof Examination>, 'closeTime' | 'publicityEnd'>

/** From when on what is exported of an exam does not change any more. */
const sinceOf = ({ closeTime, publicityEnd }: Ends): Date =>
  new Date(Math.max(...[closeTime, publicityEnd].map(time => time?.getTime() ?? 0)))

/** Each export that the archive of an exam asks for: how many rows there are, how many are in none, and the latest that counts. */
export async function exportsFor(db: Live, exam: Ends & { id: string }) {
  const since = sinceOf(exam)
  const isWhole = await hasWholeArchive(db, exam.id, since)
  const count = async (rows: ReturnType<typeof rowsOf>) =>
    Number((await rows.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow()).n)
  const exports = []
  for (const one of wanted) {
    const last = await db
      .selectFrom('exporttask as e')
      .leftJoin(withRemoved('user as u'), 'u.id', 'e.createUser')
      .select(['e.createTime as time', 'u.realName as userName'])
      .where('e.bizType', '=', one.business)
      .where('e.taskStatus', '=', TaskStatus.done)
      .where('e.createTime', '>=', since)
      .where(sql<boolean>`${filters}->>'examId' = ${exam.id}`)
      .orderBy('e.createTime', 'desc')
      .limit(1)
      .executeTakeFirst()
    exports.push({
      business: one.business,
      label: one.label,
      total: await count(rowsOf(db, one, exam.id)),
      missing: isWhole ? 0 : await count(missingOf(db, one, exam.id, since)),
      last: last ?? null,
    })
  }
  return { since: exam.closeTime ? since : null, exports }
}

const none = (key: string, label: string, n: number, msg: string): CheckLine => line(key, label, n === 0, msg)

/** What of an exam has not come to its end, each line with what to do. */
export async function settledLines(db: Live, examId: string, now: Date): Promise<CheckLine[]> {
  const open = await running(db, examId, now)
  return [
    none('orders', '没有未了结的支付订单', open.orders, `还有 ${open.orders} 个支付订单待支付或异常，请先处理`),
    none('refunds', '没有未了结的退款', open.refunds, `还有 ${open.refunds} 笔退款未完成，请先处理`),
    none('appeals', '没有未答复的复核申请', open.appeals, `还有 ${open.appeals} 份复核申请未答复，请先处理`),
    none('lists', '没有正在公示的名单', open.lists, `还有 ${open.lists} 份名单正在公示，请待公示结束`),
    none('objections', '没有未答复的异议', open.objections, `还有 ${open.objections} 件异议未答复，请先处理`),
  ]
}

/**
 * The list of what an exam needs before it is archived, each line with what to do when it fails. An export counts when
 * it was begun after the exam was closed and its publicity was over: what it holds does not change any more.
 * @returns undefined when there is no such exam
 */
export async function archiveLines(db: Live, examId: string, now: Date): Promise<CheckLine[] | undefined> {
  const exam = await db
    .selectFrom('examination')
    .select(['examStatus', 'closeTime', 'publicityEnd'])
    .where('id', '=', examId)
    .executeTakeFirst()
  if (!exam) return undefined
  const [settled, missing] = await Promise.all([settledLines(db, examId, now), unexported(db, examId, sinceOf(exam))])
  return [
    line('closed', '考试已关闭', exam.examStatus === ExamStatus.closed, '请先关闭考试'),
    line('publicity', '公示已结束', isTimely(examWindows.archive, { exam }, now), '公示尚未结束'),
    ...settled,
    none('export', '已导出全部资料', missing.length, `关闭并公示结束后尚未导出：${missing.join('、')}`),
  ]
}

/** Looks whether an exam may be archived. @throws row.wrongState with every missing line */
export async function checkArchivable(db: Live, examId: string, now: Date): Promise<void> {
  const missing = ((await archiveLines(db, examId, now)) ?? []).filter(one => !one.ok)
  if (missing.length > 0) throw refuse('row.wrongState', {}, missing)
}

/** An exam is archived when its list lacks nothing. */
export const archiveRules = [
  guard(examination, 'archive', async ({ db, rows, now }) => {
    for (const { id } of rows) await checkArchivable(db, id, now)
  }),
]
