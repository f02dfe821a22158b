import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invoiceSheet } from '#resources/payment/invoice-sheet'
import { answerExport } from '../../../../crud/export.ts'
import { isId, readIds } from '../../../../crud/input.ts'
import { hasDuty, inScope } from '../../../../crud/scope.ts'
import { answerSheet, asTotals, type SheetOutcome } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { idOf, textOf } from '../../../exams/server/routes/examination.ts'
import { exemptTemplate, exportAskedInvoices, exportInvoices, importExempt, importInvoices } from '../../contract.ts'
import { exemptSheetRules } from '../exempt-sheet.ts'
import { type InvoiceOrder, invoiceExport, invoiceSheetRules } from '../invoice.ts'

const answerOf = (outcome: SheetOutcome) => answerSheet(outcome, asTotals(outcome))

/** Answers with the invoices that are asked for, entered among the exports. */
const sendInvoices = (request: FastifyRequest, reply: FastifyReply, order: InvoiceOrder) =>
  answerExport(request, reply, invoiceExport, order, {
    bizType: 'payrecord',
    title: invoiceSheet.title,
    params: { ...order },
  })

/** Workbooks that finance takes home and brings back: exemptions and invoices. */
export async function sheetRoutes(app: FastifyInstance): Promise<void> {
  app.exports.add(invoiceExport)
  serve(app, exemptTemplate, ({ request, reply }) =>
    sendSheet(request, reply, exemptSheetRules, { itemId: '', exemptFile: '' }, { file: '免缴名单模板.xlsx' }),
  )
  serve(app, importExempt, async ({ values, request }) => {
    const itemId = idOf(values, 'itemId')
    const stage = await liveAs(app, person(request))
      .selectFrom('examinationitem')
      .select('id')
      .where('id', '=', itemId)
      .where(inScope(app, person(request), 'examinationitem'))
      .where(hasDuty(app, person(request), 'payrecord', 'examinationitem.examId', 'change'))
      .executeTakeFirst()
    if (!stage) throw refuse('row.notFound')
    const exemptFile = textOf(values, 'exemptFile')
    if (!isId(exemptFile))
      throw refuse('input.invalid', { 说明: '请上传免缴材料' }, [{ field: 'exemptFile', msg: '请上传免缴材料' }])
    return answerOf(await receiveSheet(request, exemptSheetRules, { itemId, exemptFile }))
  })
  serve(app, exportInvoices, async ({ values, request, reply }) => {
    const examId = textOf(values, 'examId') ? idOf(values, 'examId') : undefined
    return sendInvoices(request, reply, examId ? { examId } : {})
  })
  serve(app, exportAskedInvoices, ({ values, request, reply }) =>
    sendInvoices(request, reply, { ids: [...new Set(readIds(textOf(values, 'ids')))] }),
  )
  serve(app, importInvoices, async ({ request }) => answerOf(await receiveSheet(request, invoiceSheetRules, {})))
}
