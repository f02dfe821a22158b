import { sql } from 'kysely'
import { InvoiceStatus, PayState } from '#schemas/dictionaries'
import { tieFile } from '../../../crud/stored-file.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { type InvoiceTitle, invoiceProblems } from '../rules/invoice.ts'
import { type Actor, actingAs, type PayContext, type RecordRow } from './context.ts'
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
  await change(ctx, actor, recordId, changes, record => {
    if (record.invoiceStatus === InvoiceStatus.issued) throw refuse('payment.invoiceIssued')
  })
}

/**
 * Writes that an invoice was issued, with its number and file.
 * @throws payment.notFound, payment.invoiceIssued when one was, row.wrongState when nothing was paid or it goes back
 */
export async function confirmInvoice(
  ctx: PayContext,
  actor: Actor,
  recordId: string,
  { invoiceNo, invoiceFile }: { invoiceNo: string; invoiceFile: string | null },
): Promise<void> {
  const changes = { invoiceStatus: InvoiceStatus.issued, isInvoice: 1, invoiceNo, invoiceFile } as const
  await change(ctx, actor, recordId, changes, record => {
    if (record.invoiceStatus === InvoiceStatus.issued) throw refuse('payment.invoiceIssued')
    if (record.invoiceStatus === InvoiceStatus.reversed) throw refuse('row.wrongState')
  })
}

/** Writes that an issued invoice was reversed; its number stays. @throws payment.notFound, row.wrongState */
export async function redInvoice(ctx: PayContext, actor: Actor, recordId: string): Promise<void> {
  await change(ctx, actor, recordId, { invoiceStatus: InvoiceStatus.reversed, isInvoice: 0 }, record => {
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

/** Changes the invoice of a record that is paid, under its lock; `check` refuses what its state does not allow. */
async function change(
  ctx: PayContext,
  actor: Actor,
  recordId: string,
  changes: InvoiceChanges,
  check: (record: RecordRow) => void,
) {
  const now = ctx.now()
  await ctx.db.transaction().execute(async trx => {
    const own = actingAs(trx, actor, now)
    const record = await lockRecord(own, recordId)
    if (!record) throw refuse('payment.notFound')
    if (isOwnRepeat(record, isLike(record, changes), actor)) return
    if (record.payState !== PayState.paid) throw refuse('row.wrongState')
    check(record)
    if (changes.invoiceFile) await tieFile(trx, changes.invoiceFile, { tenantId: actor.tenantId, id: record.id })
    await own
      .updateTable(withRemoved('payrecord'))
      .set(eb => ({ ...changes, version: eb('version', '+', 1) }))
      .where('id', '=', recordId)
      .execute()
  })
}

/**
 * Issues many invoices at once, by record and number, in one statement.
 * @throws row.changed when one of them cannot be issued any more
 */
export async function confirmMany(trx: Trx, numbers: ReadonlyMap<string, string>, actor: Actor, now: Date) {
  const done = await sql`
    UPDATE payrecord r SET "invoiceStatus" = ${InvoiceStatus.issued}, "isInvoice" = 1, "invoiceNo" = g.no,
      version = r.version + 1, "updateUser" = ${actor.userId}, "updateTime" = ${now}
    FROM unnest(${[...numbers.keys()]}::bigint[], ${[...numbers.values()]}::text[]) AS g (id, no)
    WHERE r.id = g.id AND r."payState" = ${PayState.paid} AND r."isDeleted" = 0
      AND r."invoiceStatus" IN (${InvoiceStatus.none}, ${InvoiceStatus.asked})`.execute(trx)
  if (Number(done.numAffectedRows) < numbers.size) throw refuse('row.changed')
}
