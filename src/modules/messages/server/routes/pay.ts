import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PayBizType } from '#schemas/dictionaries'
import { scoped } from '../../../../crud/scope.ts'
import { withRemoved } from '../../../../platform/database/live.ts'
import { type Person, person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { idOf, textOf, type Values } from '../../../exams/server/routes/examination.ts'
import { type OpenOrder, payContext } from '../../../payment/server/context.ts'
import { queryOrder } from '../../../payment/server/order.ts'
import { payByCode, paymentState } from '../../contract.ts'
import { buyForSend, buyPackage, orderOfPurchase } from '../buy.ts'
import { balanceOf } from '../ledger.ts'
import { sendInScope } from '../rows.ts'

/** Paying for messages: the QR code of a package, and whether it was paid. */
export function payRoutes(app: FastifyInstance): void {
  serve(app, payByCode, async ({ values, request }) => {
    const { orderNo, codeUrl, amount, expireTime } = await orderFor(request, values)
    return { orderNo, codeUrl, amount, expireTime, serverTime: app.now() }
  })
  serve(app, paymentState, async ({ values, request }) => stateOf(app, person(request), textOf(values, 'orderNo')))
}

/** The order of a sending, of a package bought ahead, or of a purchase that is there. */
async function orderFor(request: FastifyRequest, values: Values): Promise<OpenOrder> {
  const app = request.server
  const buyer = { person: person(request), ip: request.ip }
  if (textOf(values, 'packageId')) return buyPackage(app, buyer, idOf(values, 'packageId'))
  if (textOf(values, 'sendPayId')) return orderOfPurchase(app, buyer, idOf(values, 'sendPayId'))
  const send = await sendInScope(app, buyer.person, idOf(values), 'change')
  return buyForSend(app, buyer, send.id)
}

async function stateOf(app: FastifyInstance, caller: Person, orderNo: string) {
  const order = await scoped(app, caller, 'payorder')
    .selectAll()
    .where('bizType', '=', PayBizType.smsPackage)
    .where('orderNo', '=', orderNo)
    .executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  const { orderStatus } = await queryOrder(payContext(app), order)
  const db = liveAs(app, caller)
  const row = await db
    .selectFrom(withRemoved('sendpay as p'))
    .leftJoin(withRemoved('send as s'), 's.id', 'p.sendId')
    .where('p.id', '=', order.bizId)
    .select('s.sendStatus')
    .executeTakeFirst()
  return { orderStatus, sendStatus: row?.sendStatus ?? null, balance: await balanceOf(db) }
}
