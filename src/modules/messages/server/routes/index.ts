import type { FastifyInstance } from 'fastify'
import { liveAcross, liveFor } from '../../../../platform/database/live.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { eachAlone } from '../../../../platform/queue/each-alone.ts'
import { textOf } from '../../../exams/server/routes/examination.ts'
import { startSending } from '../../contract.ts'
import { againKind } from '../again.ts'
import { expireBalance } from '../ledger.ts'
import { startSend } from '../order.ts'
import { sendKind } from '../queue.ts'
import { sendInScope } from '../rows.ts'
import { payRoutes } from './pay.ts'
import { readRoutes } from './read.ts'
import { receiverRoutes } from './receivers.ts'

/** Messages to candidates: `/blade-send/send`, and what is done by the clock. */
export default async function send(app: FastifyInstance): Promise<void> {
  readRoutes(app)
  receiverRoutes(app)
  payRoutes(app)
  serve(app, startSending, async ({ values, request }) => {
    const { id } = await sendInScope(app, person(request), textOf(values, 'sendId') || textOf(values, 'id'), 'change')
    const anyTime = textOf(values, 'confirm') === '1'
    return startSend(app, person(request), id, anyTime)
  })
  app.queue.add(sendKind(app))
  app.queue.add(againKind(app))
  app.jobs.every({ name: 'send-expire', title: '结清到期的消息套餐', seconds: 3600, work: () => expireBalances(app) })
}

/** Whose packages have ended is asked over all tenants; what has ended is taken off tenant by tenant. */
async function expireBalances(app: FastifyInstance): Promise<number> {
  const now = app.now()
  const tenants = await liveAcross(app, app)
    .selectFrom('sendledger')
    .select('tenantId')
    .distinct()
    .where('expireTime', '<=', now)
    .execute()
  return eachAlone(app, tenants, async ({ tenantId }) => {
    const db = liveFor(app, { tenantId, userId: '0', now: () => now })
    await db.transaction().execute(trx => expireBalance(trx, tenantId, now))
    return 1
  })
}
