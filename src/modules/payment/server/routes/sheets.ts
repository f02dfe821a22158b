import type { FastifyInstance } from 'fastify'
import { asFile } from '../../../../crud/export.ts'
import { isId } from '../../../../crud/input.ts'
import { hasDuty, inScope } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { oneSheet } from '../../../../platform/http/server/form.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { exemptTemplate, importExempt } from '../exempt-import.ts'
import { importInvoices, invoiceSheet } from '../invoice-sheet.ts'
import { compareBill } from '../reconcile.ts'
import { channelOf, dayOf } from './reconciliation.ts'
import { uploadOf } from './upload.ts'

const records = '/api/blade-payrecord/payrecord'
const allow = (permission: string) => ({ config: { access: { permission } } })
const takes = (permission: string) => ({ config: { access: { permission }, form: oneSheet } })
/** Also for whoever holds the view of invoices alone. */
const throughView = (permission: string) => ({ config: { access: { permission, views: true } } }) as const

/** Files that finance takes home and brings back: exemptions, invoices, bills. */
export async function sheetRoutes(app: FastifyInstance): Promise<void> {
  app.get(`${records}/exemptTemplate`, allow('payrecord_importExempt'), async (_request, reply) =>
    asFile(reply, '免缴名单模板.xlsx').send(await exemptTemplate()),
  )
  app.post(`${records}/importExempt`, takes('payrecord_importExempt'), async request => {
    const { bytes, fields, mode } = await uploadOf(request, '.xlsx')
    const itemId = idOf(fields, 'itemId')
    const stage = await app.db
      .selectFrom('examinationitem')
      .select('id')
      .where('id', '=', itemId)
      .where(inScope(app, person(request), 'examinationitem'))
      .where(hasDuty(app, person(request), 'payrecord', 'examinationitem.examId', 'change'))
      .executeTakeFirst()
    if (!stage) throw refuse('row.notFound')
    const proof = textOf(fields, 'exemptFile')
    if (!isId(proof))
      throw refuse('input.invalid', { 说明: '请上传免缴材料' }, [{ field: 'exemptFile', msg: '请上传免缴材料' }])
    return ok(await importExempt(app, person(request), { itemId, proof }, bytes, mode))
  })
  app.get(`${records}/exportInvoice`, throughView('payrecord_invoice'), async (request, reply) => {
    const values = valuesOf(request)
    const examId = textOf(values, 'examId') && idOf(values, 'examId')
    return asFile(reply, '待开票.xlsx').send(await invoiceSheet(app, person(request), examId))
  })
  app.post(
    `${records}/importInvoice`,
    { config: { ...throughView('payrecord_invoice').config, form: oneSheet } },
    async request => {
      const { bytes, mode } = await uploadOf(request, '.xlsx')
      return ok(await importInvoices(app, person(request), bytes, mode))
    },
  )
  app.post('/api/blade-reconciliation/reconciliation/importBill', takes('reconciliation_run'), async request => {
    const { bytes, fields } = await uploadOf(request, '.csv')
    const { tenantId, userId } = person(request)
    const key = { tenantId, day: dayOf(fields, app.now()), channel: channelOf(fields) }
    const { reconStatus, diffNum } = await compareBill(app, key, userId, bytes)
    return ok({ reconStatus, diffNum })
  })
}
