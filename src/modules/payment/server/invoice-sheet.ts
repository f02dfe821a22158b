import { invoiceSheet } from '#resources/payment/invoice-sheet'
import { InvoiceStatus, PayState } from '#schemas/dictionaries'
import { isId } from '../../../crud/input.ts'
import { inScope } from '../../../crud/scope.ts'
import { sheetRules } from '../../../crud/sheet-rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { textOf, valuesOf } from '../../exams/server/routes/examination.ts'
import { confirmMany } from './invoice.ts'
import { noRows } from './no-rows.ts'

/** Rows of one sheet at most. */
const most = 5000

/** Why a record gets no invoice. */
function problemOf({ payState, invoiceStatus }: { payState: number; invoiceStatus: number }): string | null {
  if (payState !== PayState.paid) return '当前缴费状态不能开票'
  if (invoiceStatus === InvoiceStatus.issued) return '票据已开具'
  return invoiceStatus === InvoiceStatus.reversed ? '已红冲，须重新申请' : null
}

/** Invoices that are asked for, of one exam where the call names it; each row with a number that comes back is issued. */
export const invoiceSheetRules = sheetRules(invoiceSheet, {
  business: 'payrecord',
  repeats: 'taken',
  empty: noRows,
  prefill: async ({ app, db, person, request }) => {
    const examId = textOf(valuesOf(request), 'examId')
    const rows = await db
      .selectFrom('payrecord as r')
      .innerJoin('examination as e', 'e.id', 'r.examId')
      .where(inScope(app, person, 'payrecord', 'r'))
      .where('r.payState', '=', PayState.paid)
      .where('r.invoiceStatus', '=', InvoiceStatus.asked)
      .$if(examId !== '', query => query.where('r.examId', '=', examId))
      .select(['r.id', 'e.examName', 'r.name', 'r.payTime', 'r.amount', 'r.invoiceType', 'r.invoiceTitle', 'r.taxNo'])
      .select('r.invoiceEmail')
      .orderBy('r.id')
      .limit(most + 1)
      .execute()
    if (rows.length > most) throw refuse('workbook.tooManyRows', { n: most })
    return rows
  },
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
  save: (rows, { trx, person, now }) =>
    confirmMany(trx, new Map(rows.map(({ values }) => [values.id, values.invoiceNo])), person, now),
})
