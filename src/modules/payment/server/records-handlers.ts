import type { FastifyInstance } from 'fastify'
import type { payrecord } from '#resources/payment/payrecord'
import type { ActionContext, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { confirmInvoice, redInvoice } from './invoice.ts'
import { exempt, type LeaveExemption } from './records.ts'
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

/** The records that a call names, all of which the caller meets. @throws payment.notFound */
async function recordsOf({ app, person, ids }: Pick<ActionContext, 'app' | 'person' | 'ids'>) {
  const rows = await scoped(app, person, 'payrecord').select('id').where('id', 'in', ids).execute()
  if (rows.length < ids.length) throw refuse('payment.notFound')
  return ids
}

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
  | 'importInvoice'

/** What finance does with fees that are owed, beyond the routes written by hand. */
export const recordHandlers: HandlersOf<typeof payrecord, Routed> = { exemptMany, remind, confirmInvoice, redInvoice }
