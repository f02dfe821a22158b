import type { exportpaymain } from '#resources/payment/exportpaymain'
import type { payrecord } from '#resources/payment/payrecord'
import type { reconciliationitem } from '#resources/payment/reconciliationitem'
import type { ActionContext, Handler, HandlerOf } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { createBatch, verifyBatch } from './export-batch.ts'
import { confirmInvoice, redInvoice } from './invoice.ts'
import { handleDifference } from './reconciliation.ts'

type Caller = Pick<ActionContext, 'app' | 'person' | 'id'>
type Scoped = 'payrecord' | 'exportpaymain' | 'reconciliationitem'

/** The row of a call, if the caller may meet it. @throws `missing` */
async function inScopeId({ app, person, id }: Caller, table: Scoped, missing: 'payment.notFound' | 'row.notFound') {
  const found = await scoped(app, person, table).select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse(missing)
  return found.id
}

/** The invoice of a record is out. */
export const confirm: HandlerOf<typeof payrecord, 'confirmInvoice'> = async ctx => {
  const { app, person, values } = ctx
  const id = await inScopeId(ctx, 'payrecord', 'payment.notFound')
  const { invoiceNo, invoiceFile = null } = values
  await confirmInvoice(payContext(app), person, id, { invoiceNo, invoiceFile })
  return {}
}

/** Reverses the invoice of a record. */
export const reverse: Handler = async ctx => {
  const id = await inScopeId(ctx, 'payrecord', 'payment.notFound')
  await redInvoice(payContext(ctx.app), ctx.person, id)
  return {}
}

/** Makes a batch of records for the books. */
export const create: HandlerOf<typeof exportpaymain, 'create'> = async ctx => {
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
export const verify: Handler = async ctx => {
  const id = await inScopeId(ctx, 'exportpaymain', 'row.notFound')
  return verifyBatch(ctx.app, ctx.person, id)
}

/** Says how a difference of a reconciliation was handled. */
export const handleItem: HandlerOf<typeof reconciliationitem, 'handle'> = async ctx => {
  const id = await inScopeId(ctx, 'reconciliationitem', 'row.notFound')
  return handleDifference(ctx.app, ctx.person, id, ctx.values.handleWay)
}
