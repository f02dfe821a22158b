import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PayBizType, UserType } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import { admit } from '../../../../crud/view.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { messageFor } from '../../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { idOf, textOf, type Values } from '../../../exams/server/routes/examination.ts'
import { askForInvoice, followPayment, myPayments, myUnpaid, startPayment } from '../../contract.ts'
import { channelOf, type OpenOrder, type OrderRow, payContext } from '../context.ts'
import { applyInvoice } from '../invoice.ts'
import { paymentsOf, unpaidOf } from '../my-records.ts'
import { createOrder, queryOrder } from '../order.ts'

/** What a candidate calls to pay, and what both sides call to see whether it worked. */
export async function candidateRoutes(app: FastifyInstance): Promise<void> {
  serve(app, startPayment, async ({ values, request }) => {
    const order = await offer(request, values)
    const { orderNo, codeUrl, amount, body, expireTime } = order
    const instructions = await channelOf(payContext(app), order).channel.instructions?.(order)
    return { orderNo, codeUrl, amount, body, expireTime, ...(instructions && { instructions }), serverTime: app.now() }
  })
  serve(app, followPayment, async ({ values, request }) => {
    const standing = await queryOrder(payContext(app), await orderInScope(request, values))
    return { ...standing, serverTime: app.now() }
  })
  serve(app, askForInvoice, async ({ values, request }) =>
    applyInvoice(payContext(app), person(request), await recordInScope(request, values), {
      type: Number(values.invoiceType) as 1 | 2,
      title: textOf(values, 'invoiceTitle'),
      taxNo: textOf(values, 'taxNo').toUpperCase(),
      email: textOf(values, 'invoiceEmail'),
    }),
  )
  serve(app, myPayments, ({ request }) =>
    paymentsOf(app.extensions.approvals, liveAs(app, person(request)), person(request).userId, app.now(), refusal =>
      messageFor(request, refusal),
    ),
  )
  serve(app, myUnpaid, ({ request }) =>
    unpaidOf(app.extensions.approvals, liveAs(app, person(request)), person(request).userId, app.now()),
  )
}

/** The order for a candidate's own record, or for messages that staff buy. @throws request.forbidden, payment.notFound */
function offer(request: FastifyRequest, values: Values): Promise<OpenOrder> {
  const [app, caller] = [request.server, person(request)]
  const sendPayId = textOf(values, 'sendPayId')
  if (caller.userType !== UserType.candidate) {
    const messages = app.extensions.products[PayBizType.smsPackage]
    if (!sendPayId || !caller.permissions.has(messages.permission)) throw refuse('request.forbidden')
    return messages.order(app, { person: caller, ip: request.ip }, idOf(values, 'sendPayId'))
  }
  const id = textOf(values, 'payRecordId')
  if (!isId(id)) throw refuse('payment.notFound')
  return createOrder(payContext(app), { tenantId: caller.tenantId, userId: caller.userId, ip: request.ip }, id)
}

/** The record of a call, if it is the caller's own, or the caller may invoice it. @throws payment.notFound */
async function recordInScope(request: FastifyRequest, values: Values): Promise<string> {
  const id = textOf(values, 'id')
  if (!isId(id)) throw refuse('payment.notFound')
  if (person(request).userType !== UserType.candidate) admit(request, ['payrecord_invoice'])
  const found = await scoped(request.server, person(request), 'payrecord')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!found) throw refuse('payment.notFound')
  return found.id
}

/** The order of a call by its number, if it is the caller's or staff may see it. */
async function orderInScope(request: FastifyRequest, values: Values): Promise<OrderRow> {
  const caller = person(request)
  const orderNo = textOf(values, 'orderNo')
  if (caller.userType !== UserType.candidate && !caller.permissions.has('payorder')) throw refuse('payment.notFound')
  const order = await scoped(request.server, caller, 'payorder')
    .selectAll()
    .where('orderNo', '=', orderNo)
    .executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  return order
}
