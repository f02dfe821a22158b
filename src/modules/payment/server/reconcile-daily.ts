import type { FastifyInstance } from 'fastify'
import { ReconStatus } from '#schemas/dictionaries'
import { isRefusal, Refusal } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { payContext } from './context.ts'
import { runReconciliation } from './reconcile.ts'

/** Milliseconds after the start of a day at which yesterday is compared: 10:30. */
const hour = 10.5 * 3_600_000
const day = 86_400_000

/**
 * Compares yesterday for every tenant that took money then, once the bill is there and unless it was done.
 * @returns errors that only delayed something
 */
export async function reconcileYesterday(app: FastifyInstance): Promise<unknown[]> {
  const now = app.now()
  const { channelNo: channel } = payContext(app)
  const start = new Date(`${wireDay(now)}T00:00:00+08:00`)
  if (now.getTime() < start.getTime() + hour) return []
  const yesterday = wireDay(new Date(start.getTime() - day))
  const tenants = await app.db
    .selectFrom('payorder as o')
    .select('o.tenantId')
    .distinct()
    .where('o.channel', '=', channel)
    .where('o.payTime', '>=', new Date(start.getTime() - day))
    .where('o.payTime', '<', start)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('reconciliation as r')
            .select('r.id')
            .whereRef('r.tenantId', '=', 'o.tenantId')
            .where('r.channel', '=', channel)
            .where('r.billDate', '=', yesterday)
            .where('r.reconStatus', '<>', ReconStatus.pending)
            .where('r.isDeleted', '=', 0),
        ),
      ),
    )
    .execute()
  const failures: unknown[] = []
  for (const { tenantId } of tenants)
    await runReconciliation(app, { tenantId, channel, day: yesterday }, '0').catch(error => {
      if (!(error instanceof Refusal) || isRefusal(error, 'payment.channelUnavailable')) failures.push(error)
    })
  return failures
}
