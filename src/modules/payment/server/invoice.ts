import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { payrecordEvents } from '#resources/payment/events'
import { invoiceSheet } from '#resources/payment/invoice-sheet'
import type { payrecord } from '#resources/payment/payrecord'
import type { invoiceActions } from '#resources/payment/payrecord-invoice'
import { InvoiceStatus, PayState } from '#schemas/dictionaries'
import { Payrecord } from '#schemas/payment/payrecord'
import { emit } from '../../../crud/emit.ts'
import { type ExportKind, type Taker, workbookType } from '../../../crud/export-kind.ts'
import { type Deed, keepHistory } from '../../../crud/history.ts'
import { isId } from '../../../crud/input.ts'
import type { Handler, HandlerOf } from '../../../crud/rules.ts'
import { inScope } from '../../../crud/scope.ts'
import { noRows, sheetRules } from '../../../crud/sheet-rules.ts'
import { writeSheet } from '../../../crud/sheet-take.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import { type LiveTrx, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { takenBy } from '../../../platform/pdf/taken-by.ts'
import { type InvoiceTitle, invoiceProblems } from '../rules/invoice.ts'
import { type Actor, type PayContext, payContext, type RecordRow } from './context.ts'
import { idInScope } from './in-scope.ts'
import { lockRecord } from './ledger.ts'

/**
 * Asks for an invoice, or corrects the title while none is issued.
 * @throws payment.notFound, row.wrongState when nothing was paid or it goes back, payment.invoiceIssued when it is
 * issued, input.invalid with the fields that are wrong
 */
export async function applyInvoice(ctx: PayContext, actor: Actor, recordId: string, wanted: InvoiceTitle) {
  const problems = invoiceProblems(wanted)
  if (problems.length > 0) throw refuse('input.invalid', { 说明: problems.map(({ msg }) => msg).join('；') }, problems)
  const changes = {
    invoiceStatus: InvoiceStatus.asked,
    invoiceType: wanted.type,
    invoiceTitle: wanted.title,
    taxNo: wanted.taxNo || null,
    invoiceEmail: wanted.email || null,
  }
  await change(ctx, actor, recordId, 'applyInvoice', changes, record => {
    if (record.invoiceStatus === InvoiceStatus.issued) throw refuse('payment.invoiceIssued')
  })
}

/** Writes that an invoice was issued, with its number and file. */
export const confirmInvoice: HandlerOf<typeof payrecord, 'confirmInvoice'> = async ctx => {
  const { app, person, values } = ctx
  const id = await idInScope(ctx, 'payrecord', 'payment.notFound')
  const { invoiceNo, invoiceFile = null } = values
  const changes = { invoiceStatus: InvoiceStatus.issued, isInvoice: 1, invoiceNo, invoiceFile } as const
  await change(payContext(app), person, id, 'confirmInvoice', changes, record => {
    if (record.invoiceStatus === InvoiceStatus.issued) throw refuse('payment.invoiceIssued')
    if (record.invoiceStatus === InvoiceStatus.reversed) throw refuse('row.wrongState')
  })
}

/** Writes that an issued invoice was reversed; its number stays. */
export const redInvoice: Handler = async ctx => {
  const id = await idInScope(ctx, 'payrecord', 'payment.notFound')
  const changes = { invoiceStatus: InvoiceStatus.reversed, isInvoice: 0 } as const
  await change(payContext(ctx.app), ctx.person, id, 'redInvoice', changes, record => {
    if (record.invoiceStatus !== InvoiceStatus.issued) throw refuse('row.wrongState')
  })
}

type InvoiceChanges = Partial<
  Pick<
    RecordRow,
    | 'invoiceStatus'
    | 'isInvoice'
    | 'invoiceType'
    | 'invoiceTitle'
    | 'taxNo'
    | 'invoiceEmail'
    | 'invoiceNo'
    | 'invoiceFile'
  >
>

/** Whether a record is already what it is to become. */
const isLike = (record: RecordRow, changes: InvoiceChanges): boolean =>
  Object.entries(changes).every(([name, value]) => record[name as keyof InvoiceChanges] === value)

/** Tells finance that an invoice is asked for, and who asked that it is there. */
async function tellInvoice(
  trx: LiveTrx,
  records: readonly Pick<RecordRow, 'id' | 'examId' | 'invoiceNo' | 'invoiceStatus'>[],
): Promise<void> {
  const are = (state: number) => records.filter(one => one.invoiceStatus === state)
  await emit(trx, payrecordEvents.invoiceAsked, are(InvoiceStatus.asked))
  await emit(trx, payrecordEvents.invoiced, are(InvoiceStatus.issued))
}

/** Changes the invoice of a record that is paid, under its lock; `check` refuses what its state does not allow. */
async function change(
  ctx: PayContext,
  actor: Actor,
  recordId: string,
  act: keyof typeof invoiceActions,
  changes: InvoiceChanges,
  check: (record: RecordRow) => void,
) {
  const { tenantId, userId } = actor
  await liveFor(ctx.db, { tenantId, userId, now: ctx.now })
    .transaction()
    .execute(async own => {
      const record = await lockRecord(own, recordId)
      if (!record) throw refuse('payment.notFound')
      if (isOwnRepeat(record, isLike(record, changes), actor)) return
      if (record.payState !== PayState.paid) throw refuse('row.wrongState')
      check(record)
      const isNew = changes.invoiceStatus === InvoiceStatus.asked && record.invoiceStatus !== InvoiceStatus.asked
      if (changes.invoiceFile) await tieFile(own, changes.invoiceFile, { tenantId, id: record.id })
      const changed = await own
        .updateTable(withRemoved('payrecord'))
        .set(eb => ({ ...changes, ...(isNew && { invoiceTime: ctx.now() }), version: eb('version', '+', 1) }))
        .where('id', '=', recordId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await keepHistory(own, Payrecord, [[record, changed]], { act, userId, now: ctx.now() })
      await tellInvoice(own, [changed])
    })
}

/**
 * Issues many invoices at once, by record and number, in one statement.
 * @param own of the person who issues them
 * @throws row.changed when one of them cannot be issued any more
 */
async function confirmMany(own: LiveTrx, numbers: ReadonlyMap<string, string>, who: Omit<Deed, 'act'>): Promise<void> {
  const before = await own
    .selectFrom('payrecord')
    .selectAll()
    .where('id', 'in', [...numbers.keys()])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const given = sql<{
    id: string
    no: string
  }>`unnest(${[...numbers.keys()]}::bigint[], ${[...numbers.values()]}::text[])`
  const done = await own
    .updateTable('payrecord as r')
    .from(given.as<'g'>(sql`g (id, no)`))
    .set(eb => ({
      invoiceStatus: InvoiceStatus.issued,
      isInvoice: 1,
      invoiceNo: eb.ref('g.no'),
      version: eb('r.version', '+', 1),
    }))
    .whereRef('r.id', '=', 'g.id')
    .where('r.payState', '=', PayState.paid)
    .where('r.invoiceStatus', 'in', [InvoiceStatus.none, InvoiceStatus.asked])
    .returningAll('r')
    .execute()
  if (done.length < numbers.size) throw refuse('row.changed')
  const old = new Map(before.map(row => [row.id, row]))
  await keepHistory(
    own,
    Payrecord,
    done.map(row => [old.get(row.id) ?? row, row] as const),
    { act: 'importInvoice', ...who },
  )
  await tellInvoice(own, done)
}

/** Rows of one sheet at most. */
const most = 5000

/** Which invoices are exported: of records that were chosen, or all that wait, of one exam where it is named. */
export interface InvoiceOrder {
  readonly examId?: string
  readonly ids?: readonly string[]
}

const askedInvoices = ({ app, person }: Taker, { examId, ids }: InvoiceOrder) =>
  liveAs(app, person)
    .selectFrom('payrecord as r')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .where(inScope(app, person, 'payrecord', 'r'))
    .where('r.payState', '=', PayState.paid)
    .where('r.invoiceStatus', '=', InvoiceStatus.asked)
    .where(eb =>
      eb.and([...(examId ? [eb('r.examId', '=', examId)] : []), ...(ids ? [eb('r.id', 'in', [...ids])] : [])]),
    )

/** Invoices that are asked for, as the sheet that comes back with their numbers. */
export const invoiceExport: ExportKind<InvoiceOrder> = {
  name: 'invoice',
  atOnce: most,
  access: () => ({ permission: 'payrecord_invoice', url: '/api/blade-payrecord/payrecord/exportInvoice' }),
  async count(taker, order) {
    const { n } = await askedInvoices(taker, order)
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    if (Number(n) > most) throw refuse('workbook.tooManyRows', { n: most })
    // Somebody has issued them since, or a chosen one is not the caller's.
    if (order.ids && Number(n) < order.ids.length) throw refuse('row.changed')
    return Number(n)
  },
  async make(taker, order, counted) {
    const found = await askedInvoices(taker, order)
      .select(['r.id', 'e.examName', 'r.name', 'r.payTime', 'r.amount', 'r.invoiceType', 'r.invoiceTitle', 'r.taxNo'])
      .select('r.invoiceEmail')
      .orderBy('r.id')
      .limit(most)
      .execute()
    const rows: typeof found = []
    for await (const row of counted(Readable.from(found) as AsyncIterable<(typeof found)[number]>)) rows.push(row)
    const foot = takenBy(taker.person, taker.app.now())
    const book = await writeSheet(taker, invoiceSheet, invoiceSheet.title, rows, foot)
    return { name: `${invoiceSheet.title}.xlsx`, contentType: workbookType, bytes: Readable.from([book]) }
  },
}

/** Why a record gets no invoice. */
function problemOf({ payState, invoiceStatus }: { payState: number; invoiceStatus: number }): string | null {
  if (payState !== PayState.paid) return '当前缴费状态不能开票'
  if (invoiceStatus === InvoiceStatus.issued) return '票据已开具'
  return invoiceStatus === InvoiceStatus.reversed ? '已红冲，须重新申请' : null
}

/** What comes back of the sheet of {@link invoiceExport}: each row with a number is issued. */
export const invoiceSheetRules = sheetRules(invoiceSheet, {
  business: 'payrecord',
  repeats: 'taken',
  empty: noRows,
  find: ({ app, db, person }, rows) => {
    const ids = rows.map(({ id }) => id).filter(isId)
    return db
      .selectFrom('payrecord')
      .select(['id', 'payState', 'invoiceStatus'])
      .where(inScope(app, person, 'payrecord'))
      .where('id', 'in', ids.length > 0 ? ids : ['0'])
      .execute()
  },
  absent: () => '缴费记录不存在',
  check: (_row, record) => {
    const msg = problemOf(record)
    return msg ? [{ field: 'id', msg }] : []
  },
  save: (rows, { app, trx, person, now }) => {
    const numbers = new Map(rows.map(({ values }) => [values.id, values.invoiceNo]))
    return confirmMany(liveAs(app, person, trx), numbers, { userId: person.userId, now })
  },
})
