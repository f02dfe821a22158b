import type { FastifyInstance } from 'fastify'
import { payContext } from '../actions/pay/context.ts'
import { purgeNotifies } from '../actions/pay/notify.ts'
import { expireOrders, pollOrders } from '../actions/pay/open-orders.ts'
import { followWindows } from '../actions/pay/windows.ts'
import { purgeNonces } from '../channels/pay/wechat/nonces.ts'
import { candidateRoutes } from './pay/candidate.ts'
import { notifyRoutes } from './pay/notify.ts'
import { staffRoutes } from './pay/staff.ts'

/** Payment: what candidates, finance and the channel call, and what is done by the clock. */
export default async function pay(app: FastifyInstance): Promise<void> {
  await app.register(notifyRoutes)
  await app.register(candidateRoutes)
  await app.register(staffRoutes)
  payJobs(app)
}

function payJobs(app: FastifyInstance): void {
  const ctx = payContext(app)
  // The channel being away is news, not a failure of the job: the next run asks again.
  const reported = (work: () => Promise<unknown[]>) => async () => {
    const failures = await work()
    if (failures.length > 0)
      app.log.warn({ err: failures[0], count: failures.length }, 'payment channel did not answer')
  }
  app.jobs.every(
    10,
    'pay-poll',
    reported(() => pollOrders(ctx)),
  )
  app.jobs.every(
    60,
    'pay-expire',
    reported(() => expireOrders(ctx)),
  )
  app.jobs.every(
    60,
    'pay-windows',
    reported(() => followWindows(ctx)),
  )
  app.jobs.every(3600, 'pay-purge', async () => {
    await purgeNonces(app.pool, app.now())
    await purgeNotifies(app.db, app.now())
  })
}
