import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PayBizType } from '#schemas/dictionaries'
import { scoped } from '../../../../crud/scope.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../../platform/http/server/wire.ts'
import { idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { payContext } from '../../../payment/server/context.ts'
import type { OpenOrder } from '../../../payment/server/create-order.ts'
import { queryOrder } from '../../../payment/server/query-order.ts'
import { buyForSend, buyPackage, orderOfPurchase } from '../buy.ts'
import { balanceOf } from '../ledger.ts'
import { sendInScope } from '../rows.ts'

const base = '/api/blade-send/send'
const either = ['GET', 'POST'] as ['GET', 'POST']
const config = { access: { permission: ['send_add', 'send_edit', 'sendpay_add'] } }

/** Paying for messages: the QR code of a package, and whether it was paid. */
export async function payRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    method: either,
    url: `${base}/getSendPayQrcode`,
    config,
    handler: async request => {
      const { orderNo, codeUrl, amount, expireTime } = await orderFor(app, request)
      const times = { expireTime: wireTime(expireTime), serverTime: wireTime(app.now()) }
      return ok({ orderNo, codeUrl, amount, ...times })
    },
  })
  app.route({
    method: either,
    url: `${base}/checkOrder`,
    config,
    handler: async request => ok(await stateOf(app, request)),
  })
}

/** The order of a sending, of a package bought ahead, or of a purchase that is there. */
async function orderFor(app: FastifyInstance, request: FastifyRequest): Promise<OpenOrder> {
  const values = valuesOf(request)
  const buyer = { person: person(request), ip: request.ip }
  if (textOf(values, 'packageId')) return buyPackage(app, buyer, idOf(values, 'packageId'))
  if (textOf(values, 'sendPayId')) return orderOfPurchase(app, buyer, idOf(values, 'sendPayId'))
  const send = await sendInScope(app, buyer.person, idOf(values), 'change')
  return buyForSend(app, buyer, send.id)
}

async function stateOf(app: FastifyInstance, request: FastifyRequest) {
  const caller = person(request)
  const { tenantId } = caller
  const order = await scoped(app, caller, 'payorder')
    .selectAll()
    .where('bizType', '=', PayBizType.smsPackage)
    .where('orderNo', '=', textOf(valuesOf(request), 'orderNo'))
    .executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  const { orderStatus } = await queryOrder(payContext(app), order)
  const row = await app.db
    .selectFrom('sendpay as p')
    .leftJoin('send as s', 's.id', 'p.sendId')
    .where('p.id', '=', order.bizId)
    .select('s.sendStatus')
    .executeTakeFirst()
  return { orderStatus, sendStatus: row?.sendStatus ?? '', balance: await balanceOf(app.db, tenantId) }
}
