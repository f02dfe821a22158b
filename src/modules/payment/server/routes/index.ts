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
  const { every } = app.jobs
  every({ name: 'pay-poll', title: '查询支付结果', seconds: 10, work: reported(() => pollOrders(ctx)) })
  every({ name: 'pay-expire', title: '关闭超时订单', seconds: 60, work: reported(() => expireOrders(ctx)) })
  every({ name: 'pay-windows', title: '按缴费时间更新缴费', seconds: 60, work: reported(() => followWindows(ctx)) })
  every({ name: 'pay-refunds', title: '查询退款结果', seconds: 60, work: reported(() => pollRefunds(ctx)) })
  every({
    name: 'pay-reconcile',
    title: '渠道对账',
    seconds: 600,
    work: async () => {
      const failures = await reconcileYesterday(app)
      if (failures.length > 0) app.log.warn({ err: failures[0], count: failures.length }, 'reconciliation is delayed')
    },
  })
  every({
    name: 'pay-books',
    title: '核对缴费账目',
    seconds: 86_400,
    harmlessToPause: true,
    work: async () => {
      const gaps = await ledgerDiscrepancies(ctx.db)
      if (gaps.length > 0)
        app.log.error({ count: gaps.length, gaps: gaps.slice(0, 20) }, 'the books of payment do not add up')
    },
  })
  every({
    name: 'pay-purge',
    title: '清理支付通知',
    seconds: 3600,
    work: async () => {
      await purgeNonces(app.pool, app.now())
      await purgeNotifies(ctx.db, app.now())
    },
  })
}
