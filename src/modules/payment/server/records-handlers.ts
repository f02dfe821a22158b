import type { FastifyInstance } from 'fastify'
import type { payrecord } from '#resources/payment/payrecord'
import type { ActionContext, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { payContext } from './context.ts'
import { idsInScope } from './in-scope.ts'
import { confirmInvoice, redInvoice } from './invoice.ts'
import { exempt, type LeaveExemption } from './records.ts'
import { refundRecord } from './refund.ts'
import { remindOwing } from './remind-owing.ts'

/** The process of the tenant decides on exemptions, where there is one. */
export const leaveExemption =
  (app: FastifyInstance, me: Person): LeaveExemption =>
  async (trx, { id, name, amount, reason, file }) => {
    await app.extensions.approvals.requireFree(trx, 'exempt', [id])
    const facts = { name, amount: (amount / 100).toFixed(2), reason, proof: file }
    const row = { kind: 'exempt', id, title: `免缴 ${name}`, facts } as const
    return app.extensions.approvals.begin(app, trx, { ...me, now: app.now() }, row)
  }

/** The records that a call names. @throws payment.notFound */
const recordsOf = (ctx: ActionContext) => idsInScope(ctx, 'payrecord', 'payment.notFound')

const exemptMany: HandlerOf<typeof payrecord, 'exemptMany'> = async ctx => {
  const { app, person, values } = ctx
  const given = { reason: values.exemptReason, file: values.exemptFile }
  await exempt(payContext(app), person, await recordsOf(ctx), given, leaveExemption(app, person))
}

const remind: HandlerOf<typeof payrecord, 'remind'> = async ctx => remindOwing(ctx.db, await recordsOf(ctx), ctx.now)

type Routed =
  | 'exempt'
  | 'exemptTemplate'
  | 'importExempt'
  | 'offlinePay'
  | 'reopen'
  | 'applyInvoice'
  | 'exportInvoice'
  | 'exportAsked'
  | 'importInvoice'

/** What finance does with fees that are owed, beyond the routes written by hand. */
export const recordHandlers: HandlersOf<typeof payrecord, Routed> = {
  exemptMany,
  remind,
  confirmInvoice,
  redInvoice,
  refund: refundRecord,
}
