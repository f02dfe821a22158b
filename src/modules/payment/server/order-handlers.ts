import type { payorder } from '#resources/payment/payorder'
import type { HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { oneByOne } from './one-by-one.ts'
import { askAboutOrder } from './order.ts'
import { refundOrder } from './refund.ts'

const checkMany: HandlerOf<typeof payorder, 'checkMany'> = async ({ app, person, ids }) => {
  const rows = await scoped(app, person, 'payorder').selectAll().where('id', 'in', ids).execute()
  if (rows.length < ids.length) throw refuse('payment.notFound')
  const orders = new Map(rows.map(row => [row.id, row]))
  const ask = async (id: string) => {
    const order = orders.get(id)
    if (order) await askAboutOrder(payContext(app), order)
  }
  return oneByOne(ids, ask, refuse('payment.channelUnavailable').message)
}

/** What finance does with orders, beyond the routes written by hand. */
export const orderHandlers: HandlersOf<typeof payorder, 'check' | 'close'> = { checkMany, refund: refundOrder }
