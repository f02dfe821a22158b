import type { FastifyInstance } from 'fastify'
import { isId } from '../../../../crud/input.ts'
import { hasDuty, inScope } from '../../../../crud/scope.ts'
import { answerSheet, asTotals, type SheetOutcome } from '../../../../crud/sheet-take.ts'
import { receiveSheet, sendSheet } from '../../../../crud/sheet-work.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { oneSheet } from '../../../../platform/http/server/form.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { exemptSheetRules } from '../exempt-import.ts'
import { invoiceSheetRules } from '../invoice-sheet.ts'
import { compareBill } from '../reconcile.ts'
import { channelOf, dayOf } from './reconciliation.ts'
import { uploadOf } from './upload.ts'

const records = '/api/blade-payrecord/payrecord'
const allow = (permission: string) => ({ config: { access: { permission } } })
const takes = (permission: string) => ({ config: { access: { permission }, form: oneSheet } })
/** Also for whoever holds the view of invoices alone. */
const throughView = (permission: string) => ({ config: { access: { permission, views: true } } }) as const

const answerOf = (outcome: SheetOutcome) => ok(answerSheet(outcome, asTotals(outcome)))

/** Files that finance takes home and brings back: exemptions, invoices, bills. */
export async function sheetRoutes(app: FastifyInstance): Promise<void> {
  app.get(`${records}/exemptTemplate`, allow('payrecord_importExempt'), async (request, reply) =>
    sendSheet(request, reply, exemptSheetRules, { itemId: '', exemptFile: '' }, { file: '免缴名单模板.xlsx' }),
  )
  app.post(`${records}/importExempt`, takes('payrecord_importExempt'), async request => {
    const fields = valuesOf(request)
    const itemId = idOf(fields, 'itemId')
    const stage = await app.db
      .selectFrom('examinationitem')
      .select('id')
      .where('id', '=', itemId)
      .where(inScope(app, person(request), 'examinationitem'))
      .where(hasDuty(app, person(request), 'payrecord', 'examinationitem.examId', 'change'))
      .executeTakeFirst()
    if (!stage) throw refuse('row.notFound')
    const exemptFile = textOf(fields, 'exemptFile')
    if (!isId(exemptFile))
      throw refuse('input.invalid', { 说明: '请上传免缴材料' }, [{ field: 'exemptFile', msg: '请上传免缴材料' }])
    return answerOf(await receiveSheet(request, exemptSheetRules, { itemId, exemptFile }))
  })
  app.get(`${records}/exportInvoice`, throughView('payrecord_invoice'), async (request, reply) => {
    const values = valuesOf(request)
    if (textOf(values, 'examId')) idOf(values, 'examId')
    return sendSheet(request, reply, invoiceSheetRules, {}, { file: '待开票.xlsx' })
  })
  app.post(
    `${records}/importInvoice`,
    { config: { ...throughView('payrecord_invoice').config, form: oneSheet } },
    async request => answerOf(await receiveSheet(request, invoiceSheetRules, {})),
  )
  app.post('/api/blade-reconciliation/reconciliation/importBill', takes('reconciliation_run'), async request => {
    const { bytes, fields } = await uploadOf(request, '.csv')
    const { tenantId, userId } = person(request)
    const key = { tenantId, day: dayOf(fields, app.now()), channel: channelOf(fields) }
    const { reconStatus, diffNum } = await compareBill(app, key, userId, bytes)
    return ok({ reconStatus, diffNum })
  })
}
