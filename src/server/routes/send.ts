import type { FastifyInstance } from 'fastify'
import { person } from '../access.ts'
import { expireBalance } from '../actions/send/ledger.ts'
import { startSend } from '../actions/send/order.ts'
import { runQueue } from '../actions/send/queue.ts'
import { sendInScope } from '../actions/send/rows.ts'
import { ok } from '../plugins/envelope.ts'
import { textOf, valuesOf } from './exam/examination.ts'
import { payRoutes } from './send/pay.ts'
import { readRoutes } from './send/read.ts'
import { receiverRoutes } from './send/receivers.ts'

/** Messages to candidates: `/blade-send/send`, and what is done by the clock. */
export default async function send(app: FastifyInstance): Promise<void> {
  await app.register(readRoutes)
  await app.register(receiverRoutes)
  await app.register(payRoutes)
  const access = { permission: 'send_sendMessage' }
  app.post('/api/blade-send/send/sendMessage', { config: { access } }, async request => {
    const values = valuesOf(request)
    const { id } = await sendInScope(app, person(request), textOf(values, 'sendId') || textOf(values, 'id'), 'change')
    const anyTime = textOf(values, 'confirm') === '1'
    return ok(await startSend(app, person(request), id, anyTime))
  })
  app.jobs.every(5, 'send-queue', () => runQueue(app))
  app.jobs.every(3600, 'send-expire', () => expireBalances(app))
}

async function expireBalances(app: FastifyInstance): Promise<void> {
  const now = app.now()
  const tenants = await app.db
    .selectFrom('sendledger')
    .select('tenantId')
    .distinct()
    .where('expireTime', '<=', now)
    .where('isDeleted', '=', 0)
    .execute()
  for (const { tenantId } of tenants) await app.db.transaction().execute(trx => expireBalance(trx, tenantId, now))
}
