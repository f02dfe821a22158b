import type { FastifyInstance } from 'fastify'
import { purgeNonces } from '../../../../platform/channels/pay/wechat/nonces.ts'
import { purgeNotifies } from '../channels.ts'
import { payContext } from '../context.ts'
import { followWindows } from '../fee-windows.ts'
import { ledgerDiscrepancies } from '../ledger-check.ts'
import { expireOrders, pollOrders } from '../open-orders.ts'
import { reconcileYesterday } from '../reconciliation.ts'
import { pollRefunds } from '../refund.ts'
import { candidateRoutes } from './candidate.ts'
import { reconciliationRoutes } from './reconciliation.ts'
import { sheetRoutes } from './sheets.ts'
import { staffRoutes } from './staff.ts'

/** Payment: what candidates, finance and the channel call, and what is done by the clock. */
export default async function pay(app: FastifyInstance): Promise<void> {
  await app.register(candidateRoutes)
  await app.register(staffRoutes)
  await app.register(reconciliationRoutes)
  await app.register(sheetRoutes)
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
  app.jobs.every(
    60,
    'pay-refunds',
    reported(() => pollRefunds(ctx)),
  )
  app.jobs.every(600, 'pay-reconcile', async () => {
    const failures = await reconcileYesterday(app)
    if (failures.length > 0) app.log.warn({ err: failures[0], count: failures.length }, 'reconciliation is delayed')
  })
  app.jobs.every(86_400, 'pay-books', async () => {
    const gaps = await ledgerDiscrepancies(ctx.db)
    if (gaps.length > 0)
      app.log.error({ count: gaps.length, gaps: gaps.slice(0, 20) }, 'the books of payment do not add up')
  })
  app.jobs.every(3600, 'pay-purge', async () => {
    await purgeNonces(app.pool, app.now())
    await purgeNotifies(ctx.db, app.now())
  })
}
