import { type Kysely, sql } from 'kysely'
import {
  AppealStatus,
  ExamStatus,
  OrderStatus,
  PayBizType,
  RefundStatus,
  SignStatus,
  TaskStatus,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { keepHistory } from '../../../crud/history.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { isTimely } from '../rules/act-windows.ts'
import { type CheckLine, line } from './checklist.ts'
import type { Actor } from './release.ts'

/** What still runs in an exam, counted. */
interface Running {
  orders: number
  refunds: number
  appeals: number
}

async function running(db: Kysely<Database>, examId: string): Promise<Running> {
  const { rows } = await sql<Running>`SELECT
    (SELECT count(*) FROM payorder o JOIN payrecord r ON r.id = o."bizId" AND o."bizType" = ${sql.lit(PayBizType.examFee)}
      WHERE r."examId" = ${examId} AND o."orderStatus" IN (${sql.lit(OrderStatus.unpaid)}, ${sql.lit(OrderStatus.exception)}) AND o."isDeleted" = 0)::int AS orders,
    (SELECT count(*) FROM payrefund f JOIN payrecord r ON r.id = f."payRecordId"
      WHERE r."examId" = ${examId} AND f."refundStatus" IN (${sql.lit(RefundStatus.requested)}, ${sql.lit(RefundStatus.processing)}, ${sql.lit(RefundStatus.exception)}) AND f."isDeleted" = 0)::int AS refunds,
    (SELECT count(*) FROM resultappeal a
      WHERE a."examId" = ${examId} AND a."appealStatus" = ${sql.lit(AppealStatus.pending)} AND a."isDeleted" = 0)::int AS appeals`.execute(
    db,
  )
  return rows[0] ?? { orders: 0, refunds: 0, appeals: 0 }
}

const signups = sql`SELECT * FROM signup WHERE "signStatus" <> ${sql.lit(SignStatus.draft)}`
const results = sql`SELECT * FROM result`

/**
 * The exports that make up an exam: who signed up, their forms, their files, and their results. A large exam is exported
 * in parts, each narrowed by these columns and nothing else.
 */
const wanted = [
  { business: 'signup', label: '报名数据', rows: signups, parts: ['unit', 'code'] },
  { business: 'signupForms', label: '报名表', rows: signups, parts: ['unit', 'code'] },
  { business: 'signupFiles', label: '报名附件', rows: signups, parts: ['unit', 'code'] },
  { business: 'result', label: '成绩', rows: results, parts: ['itemId'] },
] as const

/** Exports that came to their end, with what they were narrowed by. */
const exports = (since: Date) => sql`SELECT "bizType",
    CASE WHEN params ? 'filters' THEN params->'filters' ELSE params - '{ascs,descs,current,size}'::text[] END AS filters
  FROM exporttask WHERE "taskStatus" = ${sql.lit(TaskStatus.done)} AND "createTime" >= ${since} AND "isDeleted" = 0
    AND coalesce(params->'ids', '[]') = '[]' AND coalesce(params->'fileCodes', '[]') = '[]'`

/** What of an exam is in no export begun since a moment, in words. */
async function unexported(db: Kysely<Database>, examId: string, since: Date): Promise<string[]> {
  const missing = wanted.map(({ business, rows, parts }) => {
    const within = parts.map(part => {
      const own = sql`one.${sql.id(part)}::text`
      return sql`coalesce(e.filters->>${sql.lit(part)}, ${own}) = ${own}`
    })
    return sql`SELECT ${sql.lit(business)} AS business WHERE EXISTS (SELECT 1 FROM (${rows}) one
      WHERE one."examId" = ${examId} AND one."isDeleted" = 0 AND NOT EXISTS (SELECT 1 FROM (${exports(since)}) e
        WHERE e."bizType" = ${business} AND e.filters - ${[...parts]}::text[] = ${{ examId }}::jsonb
          AND ${sql.join(within, sql` AND `)}))`
  })
  const { rows } = await sql<{ business: string }>`${sql.join(missing, sql` UNION ALL `)}`.execute(db)
  const found = new Set(rows.map(one => one.business))
  return wanted.filter(one => found.has(one.business)).map(one => one.label)
}

const none = (key: string, label: string, n: number, msg: string): CheckLine => line(key, label, n === 0, msg)

/**
 * The list of what an exam needs before it is archived, each line with what to do when it fails. An export counts when
 * it was begun after the exam was closed and its publicity was over: what it holds does not change any more.
 * @returns undefined when there is no such exam
 */
export async function archiveLines(db: Kysely<Database>, examId: string, now: Date): Promise<CheckLine[] | undefined> {
  const exam = await db
    .selectFrom('examination')
    .select(['examStatus', 'closeTime', 'publicityEnd'])
    .where('id', '=', examId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!exam) return undefined
  const ends = [exam.closeTime, exam.publicityEnd].map(time => time?.getTime() ?? 0)
  const [open, missing] = await Promise.all([running(db, examId), unexported(db, examId, new Date(Math.max(...ends)))])
  return [
    line('closed', '考试已关闭', exam.examStatus === ExamStatus.closed, '请先关闭考试'),
    line('publicity', '公示已结束', isTimely('exam.archive', { exam }, now), '公示尚未结束'),
    none('orders', '没有未了结的支付订单', open.orders, `还有 ${open.orders} 个支付订单待支付或异常，请先处理`),
    none('refunds', '没有未了结的退款', open.refunds, `还有 ${open.refunds} 笔退款未完成，请先处理`),
    none('appeals', '没有未答复的复核申请', open.appeals, `还有 ${open.appeals} 份复核申请未答复，请先处理`),
    none('export', '已导出全部资料', missing.length, `关闭并公示结束后尚未导出：${missing.join('、')}`),
  ]
}

/**
 * Archives a closed exam for good: 2 → 3. The list of what is missing is looked at inside the transaction that moves
 * the state, with the exam's row locked. Asked again by who has archived it, nothing happens.
 * @throws exams.notFound, row.wrongState with every missing line, also when somebody else was first
 */
export async function archive(db: Kysely<Database>, examId: string, { userId, now }: Actor): Promise<void> {
  await db.transaction().execute(async trx => {
    const exam = await trx
      .selectFrom('examination')
      .selectAll()
      .where('id', '=', examId)
      .where('isDeleted', '=', 0)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!exam) throw refuse('exams.notFound')
    if (isOwnRepeat({ updateUser: exam.archiveUser }, exam.examStatus === ExamStatus.archived, { userId })) return
    const missing = ((await archiveLines(trx, examId, now)) ?? []).filter(one => !one.ok)
    if (missing.length > 0) throw refuse('row.wrongState', {}, missing)
    const stamp = { archiveTime: now, archiveUser: userId, updateTime: now, updateUser: userId }
    const after = await trx
      .updateTable('examination')
      .set(eb => ({ ...stamp, examStatus: ExamStatus.archived, version: eb('version', '+', 1) }))
      .where('id', '=', examId)
      .where('examStatus', '=', ExamStatus.closed)
      .returningAll()
      .executeTakeFirst()
    if (after) await keepHistory(trx, Examination, [[exam, after]], { act: 'archive', userId, now })
  })
}
