import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../../access.ts'
import { type OrderRow, payContext } from '../../actions/pay/context.ts'
import { createOrder } from '../../actions/pay/create-order.ts'
import { myPayList, myUnpaid } from '../../actions/pay/my-records.ts'
import { queryOrder } from '../../actions/pay/query-order.ts'
import { scoped } from '../../crud/scope.ts'
import { refuse } from '../../domain/refusal.ts'
import { wireTime } from '../../domain/wire.ts'
import { ok } from '../../plugins/envelope.ts'
import { textOf, valuesOf } from '../exam/examination.ts'

/** What a candidate calls to pay, and what both sides call to see whether it worked. */
export async function candidateRoutes(app: FastifyInstance): Promise<void> {
  const candidate = { config: { access: 'candidate' as const } }

  app.post('/api/pay/wxpay/createOrder', candidate, async request => {
    const id = textOf(valuesOf(request), 'payRecordId')
    if (!/^\d{1,20}$/.test(id)) throw refuse(24001)
    const payer = { userId: person(request).userId, ip: request.ip }
    const order = await createOrder(payContext(app), payer, id)
    const { orderNo, codeUrl, amount, body, expireTime } = order
    return ok({
      ...{ orderNo, codeUrl, amount, body },
      expireTime: wireTime(expireTime),
      serverTime: wireTime(app.now()),
    })
  })

  app.post('/api/pay/wxpay/queryOrder', { config: { access: 'signed-in' } }, async request => {
    const { payTime, payState, ...state } = await queryOrder(payContext(app), await orderInScope(request))
    return ok({ ...state, payState: payState ?? '', payTime: wireTime(payTime), serverTime: wireTime(app.now()) })
  })

  app.get('/api/blade-payrecord/payrecord/getMyPayList', candidate, async request =>
    ok(await myPayList(app.db, person(request).userId, app.now())),
  )
  app.get('/api/blade-signup/signup/getMyUnpaid', candidate, async request =>
    ok(await myUnpaid(app.db, person(request).userId, app.now())),
  )
}

/** The order of a call by its number, if it is the caller's or staff may see it. */
async function orderInScope(request: FastifyRequest): Promise<OrderRow> {
  const caller = person(request)
  const orderNo = textOf(valuesOf(request), 'orderNo')
  if (caller.userType !== 2 && !caller.permissions.has('payorder')) throw refuse(24001)
  const order = await scoped(request.server, caller, 'payorder')
    .selectAll()
    .where('orderNo', '=', orderNo)
    .executeTakeFirst()
  if (!order) throw refuse(24001)
  return order
}
