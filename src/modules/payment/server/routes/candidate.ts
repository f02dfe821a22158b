import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UserType } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { scoped } from '../../../../crud/scope.ts'
import { admit } from '../../../../crud/view.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { messageFor, ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../../platform/http/server/wire.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { orderOfPurchase } from '../../../messages/server/buy.ts'
import { type OrderRow, payContext } from '../context.ts'
import { createOrder, type OpenOrder } from '../create-order.ts'
import { applyInvoice } from '../invoice.ts'
import { myPayList, myUnpaid } from '../my-records.ts'
import { queryOrder } from '../query-order.ts'

/** What a candidate calls to pay, and what both sides call to see whether it worked. */
export async function candidateRoutes(app: FastifyInstance): Promise<void> {
  const candidate = { config: { access: 'candidate' as const } }

  app.post('/api/pay/wxpay/createOrder', { config: { access: 'signed-in' } }, async request => {
    const { orderNo, codeUrl, amount, body, expireTime } = await offer(request)
    return ok({
      orderNo,
      codeUrl,
      amount,
      body,
      expireTime: wireTime(expireTime),
      serverTime: wireTime(app.now()),
    })
  })

  app.post('/api/pay/wxpay/queryOrder', { config: { access: 'signed-in' } }, async request => {
    const { payTime, payState, ...state } = await queryOrder(payContext(app), await orderInScope(request))
    return ok({ ...state, payState: payState ?? '', payTime: wireTime(payTime), serverTime: wireTime(app.now()) })
  })

  app.post('/api/blade-payrecord/payrecord/applyInvoice', { config: { access: 'signed-in' } }, async request => {
    const values = valuesOf(request)
    await applyInvoice(payContext(app), person(request), await recordInScope(request), {
      type: Number(values.invoiceType) as 1 | 2,
      title: textOf(values, 'invoiceTitle'),
      taxNo: textOf(values, 'taxNo').toUpperCase(),
      email: textOf(values, 'invoiceEmail'),
    })
    return ok()
  })
  app.get('/api/blade-payrecord/payrecord/getMyPayList', candidate, async request =>
    ok(await myPayList(app.db, person(request).userId, app.now(), refusal => messageFor(request, refusal))),
  )
  app.get('/api/blade-signup/signup/getMyUnpaid', candidate, async request =>
    ok(await myUnpaid(app.db, person(request).userId, app.now())),
  )
}

/** The order for a candidate's own record, or for messages that staff buy. @throws 403, payment.notFound */
function offer(request: FastifyRequest): Promise<OpenOrder> {
  const [app, caller, values] = [request.server, person(request), valuesOf(request)]
  const sendPayId = textOf(values, 'sendPayId')
  const mayBuy = caller.permissions.has('sendpay_add')
  if (caller.userType !== UserType.candidate && !(sendPayId && mayBuy)) throw refuse('request.forbidden')
  if (caller.userType !== UserType.candidate)
    return orderOfPurchase(app, { person: caller, ip: request.ip }, idOf(values, 'sendPayId'))
  const id = textOf(values, 'payRecordId')
  if (!isId(id)) throw refuse('payment.notFound')
  return createOrder(payContext(app), { userId: caller.userId, ip: request.ip }, id)
}

/** The record of a call, if it is the caller's or his to invoice. @throws payment.notFound */
async function recordInScope(request: FastifyRequest): Promise<string> {
  const id = textOf(valuesOf(request), 'id')
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
async function orderInScope(request: FastifyRequest): Promise<OrderRow> {
  const caller = person(request)
  const orderNo = textOf(valuesOf(request), 'orderNo')
  if (caller.userType !== UserType.candidate && !caller.permissions.has('payorder')) throw refuse('payment.notFound')
  const order = await scoped(request.server, caller, 'payorder')
    .selectAll()
    .where('orderNo', '=', orderNo)
    .executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  return order
}
