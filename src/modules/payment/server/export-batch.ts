import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { mediaTypes } from '#engine'
import type { exportpaymain } from '#resources/payment/exportpaymain'
import { TaskStatus } from '#schemas/dictionaries'
import type { HandlerOf } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import { storeFile } from '../../../crud/stored-file.ts'
import { type Live, type LiveTrx, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs, programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { takenBy } from '../../../platform/pdf/taken-by.ts'
import { streamWorkbook } from '../../../platform/workbook/workbook.ts'
import { newPayNumber } from '../rules/pay-order.ts'
import { paidStates } from '../rules/pay-record.ts'
import { idInScope } from './in-scope.ts'

/** What a batch is made of: payments of an exam, or of one stage, in a span that includes its start and not its end. */
interface BatchOf {
  examId: string
  itemId: string | null
  startTime: Date
  endTime: Date
}

/** Payments of one batch at most. */
const most = 100_000

/**
 * Freezes the payments of a span: rows as they stand now, and their workbook with its digest. Nothing in it changes any
 * more.
 * @returns the number of the batch, and the numbers of those whose span overlaps
 * @throws input.invalid for a span that is none, or without payments; workbook.tooManyRows
 */
async function createBatch(app: FastifyInstance, person: Person, of: BatchOf) {
  if (of.startTime >= of.endTime) throw refuse('input.invalid', { 说明: '缴费起必须早于缴费止' })
  const now = app.now()
  return liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const batchNo = newPayNumber('TZ', now)
      const overlapping = await overlaps(trx, of)
      const { id } = await trx
        .insertInto('exportpaymain')
        .values({
          batchNo,
          ...of,
          totalNum: 0,
          totalAmount: 0,
          refundAmount: 0,
          exportStatus: TaskStatus.running,
          exportUser: person.userId,
          exportTime: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await freeze(programOf(trx, person, now), id, of)
      const rowsDigest = await sealRows(trx, id)
      const totals = await totalsOf(trx, id)
      if (totals.totalNum === 0) throw refuse('input.invalid', { 说明: '该时段没有缴费' })
      if (totals.totalNum > most) throw refuse('workbook.tooManyRows', { n: most })
      const bytes = await workbook(trx, id, { batchNo, foot: takenBy(person, now) })
      const contentType = mediaTypes.xlsx
      const owner = { tenantId: person.tenantId, userId: person.userId, ownerType: 'bill', ownerId: id } as const
      const made = { ...owner, bytes, name: `缴费台账-${batchNo}.xlsx`, contentType }
      const file = await storeFile(app, trx, made, now)
      await trx
        .updateTable('exportpaymain')
        .set({ ...totals, rowsDigest, file: file.id, sha256: file.sha256, exportStatus: TaskStatus.done })
        .where('id', '=', id)
        .execute()
      return { batchNo, overlapping }
    })
}

async function overlaps(db: Live, { examId, itemId, startTime, endTime }: BatchOf) {
  const rows = await db
    .selectFrom('exportpaymain')
    .select('batchNo')
    .where('examId', '=', examId)
    .where('startTime', '<', endTime)
    .where('endTime', '>', startTime)
    .$if(itemId !== null, query => query.where(eb => eb.or([eb('itemId', 'is', null), eb('itemId', '=', itemId)])))
    .orderBy('id')
    .execute()
  return rows.map(row => row.batchNo)
}

/** Copies the payments as they stand now. */
async function freeze(trx: LiveTrx, mainId: string, { examId, itemId, startTime, endTime }: BatchOf): Promise<void> {
  const rows = trx
    .selectFrom('payrecord as r')
    .innerJoin(withRemoved('payorder as o'), 'o.id', 'r.payOrderId')
    .where('r.examId', '=', examId)
    .$if(itemId !== null, query => query.where('r.itemId', '=', itemId ?? ''))
    .where('r.payState', 'in', paidStates)
    .where('r.payTime', '>=', startTime)
    .where('r.payTime', '<', endTime)
    .select(eb => [
      eb.cast<string>(eb.val(mainId), 'bigint').as('mainId'),
      'r.id as payRecordId',
      'o.orderNo',
      'o.transactionId',
      'r.name',
      'r.unit',
      'r.amount',
      eb.fn.coalesce('o.refundAmount', eb.lit(0)).as('refundAmount'),
      'r.payTime',
      'r.isInvoice',
    ])
    .orderBy('r.payTime')
    .orderBy('r.id')
  await trx
    .insertInto('exportpay')
    .columns([
      'mainId',
      'payRecordId',
      'orderNo',
      'transactionId',
      'name',
      'unit',
      'amount',
      'refundAmount',
      'payTime',
      'isInvoice',
    ])
    .expression(rows)
    .execute()
}

async function totalsOf(db: Live, mainId: string) {
  const row = await db
    .selectFrom(withRemoved('exportpay'))
    .where('mainId', '=', mainId)
    .select(eb => [
      eb.fn.countAll<string>().as('n'),
      eb.fn.sum<string | null>('amount').as('amount'),
      eb.fn.sum<string | null>('refundAmount').as('back'),
    ])
    .executeTakeFirstOrThrow()
  return { totalNum: Number(row.n), totalAmount: Number(row.amount ?? 0), refundAmount: Number(row.back ?? 0) }
}

async function workbook(
  db: Live,
  mainId: string,
  { batchNo, foot }: { batchNo: string; foot: string },
): Promise<Buffer> {
  const rows = await db
    .selectFrom(withRemoved('exportpay as x'))
    .leftJoin('dict_biz as d', join => join.onRef('d.dictKey', '=', 'x.unit').on('d.code', '=', 'recruit_unit'))
    .where('x.mainId', '=', mainId)
    .select(['x.orderNo', 'x.transactionId', 'x.name', 'x.amount', 'x.refundAmount', 'x.payTime', 'x.isInvoice'])
    .select(eb => eb.fn.coalesce('d.dictValue', 'x.unit').as('unit'))
    .orderBy('x.payTime')
    .orderBy('x.id')
    .execute()
  const stream = streamWorkbook({
    sheet: batchNo,
    foot,
    columns: [
      { title: '订单号', width: 30 },
      { title: '渠道订单号', width: 32 },
      { title: '姓名', width: 12 },
      { title: '单位', width: 28 },
      { title: '金额(元)', width: 12, type: 'number' },
      { title: '退款(元)', width: 12, type: 'number' },
      { title: '缴费时间', width: 20 },
      { title: '已开票', width: 10 },
    ],
    rows: rows.map(row => [
      row.orderNo,
      row.transactionId,
      row.name,
      row.unit,
      row.amount / 100,
      row.refundAmount / 100,
      wireTime(row.payTime),
      row.isInvoice ? '是' : '否',
    ]),
  })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}

/** The digest of a row of a batch, computed by the database from what the row says now. */
const rowDigest = (row: 'x' | 'exportpay') => sql<string>`exportpay_digest(${sql.table(row)})`

/** Writes the digest of every row of a batch. @returns that of all together */
async function sealRows(trx: LiveTrx, mainId: string): Promise<string> {
  await updateUnstamped(trx, 'exportpay')
    .set({ digest: rowDigest('exportpay') })
    .where('mainId', '=', mainId)
    .execute()
  return (await rowsDigestOf(trx, mainId)).digest
}

/** The digest of all rows of a batch, from what each row says now, and the orders whose row says something else than it did. */
async function rowsDigestOf(db: Live, mainId: string): Promise<{ digest: string; changed: string[] }> {
  const { digest, changed } = await db
    .selectFrom(withRemoved('exportpay as x'))
    .where('x.mainId', '=', mainId)
    .select(({ cast, fn }) => {
      const now = rowDigest('x')
      const all = fn
        .agg<string>('string_agg', [now, sql.lit('')])
        .orderBy('x.payTime')
        .orderBy('x.id')
      const orders = fn.agg<string[] | null>('array_agg', [cast<string>('x.orderNo', 'text')])
      return [
        sql<string>`encode(sha256(convert_to(coalesce(${all}, ''), 'UTF8')), 'hex')`.as('digest'),
        orders.orderBy('x.payTime').orderBy('x.id').filterWhere('x.digest', 'is distinct from', now).as('changed'),
      ]
    })
    .executeTakeFirstOrThrow()
  return { digest, changed: changed ?? [] }
}

/** The batches of a tenant that are no longer what they were when they were made. @returns their ids */
export async function changedBatches(db: Live): Promise<string[]> {
  const batches = await db.selectFrom('exportpaymain').select(['id', 'rowsDigest']).orderBy('id').execute()
  const changed: string[] = []
  for (const { id, rowsDigest } of batches) {
    const found = await rowsDigestOf(db, id)
    if (found.changed.length > 0 || found.digest !== rowsDigest) changed.push(id)
  }
  return changed
}

/** Orders named at most in one answer. */
const mostNamed = 20

/**
 * Whether a batch still is what it was when it was made: its file, every one of its rows, and their sums.
 * @returns what was found, in a sentence
 * @throws row.notFound, file.notFound
 */
async function verifyBatch(app: FastifyInstance, person: Person, batchId: string): Promise<{ message: string }> {
  const db = liveAs(app, person)
  const row = await db
    .selectFrom('exportpaymain as m')
    .innerJoin(withRemoved('attach as a'), 'a.id', 'm.file')
    .select(['a.name', 'm.sha256', 'm.rowsDigest', 'm.totalNum', 'm.totalAmount', 'm.refundAmount'])
    .where('m.id', '=', batchId)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const bytes = await app.storage.get(row.name).catch(() => {
    throw refuse('file.notFound')
  })
  if (createHash('sha256').update(bytes).digest('hex') !== row.sha256)
    return { message: '文件与摘要不一致，文件可能被改动' }
  const { digest, changed } = await rowsDigestOf(db, batchId)
  if (changed.length > 0) return { message: `明细与摘要不一致，订单：${changed.slice(0, mostNamed).join('、')}` }
  if (digest !== row.rowsDigest) return { message: '明细有增减，与冻结时不一致' }
  const totals = await totalsOf(db, batchId)
  const sums = ['totalNum', 'totalAmount', 'refundAmount'] as const
  if (sums.some(name => totals[name] !== row[name])) return { message: '批次合计与明细不一致' }
  return { message: `文件、${totals.totalNum} 条明细与合计均与摘要一致` }
}

/** Makes a batch of records for the books. */
export const createExport: HandlerOf<typeof exportpaymain, 'create'> = async ctx => {
  const { app, person, values } = ctx
  const exam = await scoped(app, person, 'examination')
    .select('id')
    .where('id', '=', values.examId)
    .where(hasDuty(app, person, 'exportpaymain', 'examination.id', 'change'))
    .executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  const examId = exam.id
  const { batchNo, overlapping } = await createBatch(app, person, {
    examId,
    itemId: values.itemId ?? null,
    startTime: values.startTime,
    endTime: values.endTime,
  })
  return { batchNo, message: overlapping.length > 0 ? `时段与批次 ${overlapping.join('、')} 重叠` : '' }
}

/** Compares a batch with the records that it holds. */
export const verifyExport: HandlerOf<typeof exportpaymain, 'verify'> = async ctx => {
  const id = await idInScope(ctx, 'exportpaymain', 'row.notFound')
  return verifyBatch(ctx.app, ctx.person, id)
}
