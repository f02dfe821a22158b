import type { ActionContext, Handler, Handlers } from '../../../crud/rule-types.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { createBatch, verifyBatch } from './export-batch.ts'
import { confirmInvoice, redInvoice } from './invoice.ts'
import { handleDifference } from './reconcile.ts'
import { refundHandlers, refundOrder } from './refund-handlers.ts'

type Scoped = 'payrecord' | 'exportpaymain' | 'reconciliationitem'

/** The row of a call, if the caller may meet it. @throws `missing` */
async function inScopeId({ app, person }: ActionContext, table: Scoped, id: string, missing: 24001 | 29001) {
  const found = await scoped(app, person, table).select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse(missing)
  return found.id
}

const confirm: Handler = async ctx => {
  const { app, person, ids, values } = ctx
  const id = await inScopeId(ctx, 'payrecord', ids[0] ?? '', 24001)
  const invoiceFile = typeof values.invoiceFile === 'string' ? values.invoiceFile : null
  await confirmInvoice(payContext(app), person, id, { invoiceNo: String(values.invoiceNo), invoiceFile })
  return {}
}

const reverse: Handler = async ctx => {
  const id = await inScopeId(ctx, 'payrecord', ctx.ids[0] ?? '', 24001)
  await redInvoice(payContext(ctx.app), ctx.person, id)
  return {}
}

const create: Handler = async ctx => {
  const { app, person, values } = ctx
  const exam = await scoped(app, person, 'examination')
    .select('id')
    .where('id', '=', String(values.examId))
    .where(hasDuty(app, person, 'exportpaymain', 'examination.id', 'change'))
    .executeTakeFirst()
  if (!exam) throw refuse(21001)
  const examId = exam.id
  const { batchNo, overlapping } = await createBatch(app, person, {
    examId,
    itemId: values.itemId ? String(values.itemId) : null,
    startTime: values.startTime as Date,
    endTime: values.endTime as Date,
  })
  return { batchNo, message: overlapping.length > 0 ? `时段与批次 ${overlapping.join('、')} 重叠` : '' }
}

const verify: Handler = async ctx => {
  const id = await inScopeId(ctx, 'exportpaymain', ctx.ids[0] ?? '', 29001)
  return verifyBatch(ctx.app, id)
}

const handleItem: Handler = async ctx => {
  const id = await inScopeId(ctx, 'reconciliationitem', ctx.ids[0] ?? '', 29001)
  return handleDifference(ctx.app, ctx.person.userId, id, String(ctx.values.handleWay))
}

/** What finance does, by resource and action. */
export const payHandlers = {
  payrefund: refundHandlers,
  payorder: { refund: refundOrder },
  payrecord: { confirmInvoice: confirm, redInvoice: reverse },
  exportpaymain: { create, verify },
  reconciliationitem: { handle: handleItem },
} satisfies Handlers
