import type { FastifyInstance } from 'fastify'
import { ReconStatus } from '#schemas/dictionaries'
import { isRefusal, Refusal } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { type ChannelNo, payContext } from './context.ts'
import type { DayKey } from './day-books.ts'
import { runReconciliation } from './reconciliation.ts'

/** Milliseconds after the start of a day at which yesterday is compared: 10:30. */
const hour = 10.5 * 3_600_000
const day = 86_400_000

/**
 * Compares yesterday for every tenant that took money then, once the bill is there and unless it was done.
 * @returns errors that only delayed something
 */
export async function reconcileYesterday(app: FastifyInstance): Promise<unknown[]> {
  const start = new Date(`${wireDay(app.now())}T00:00:00+08:00`)
  if (app.now().getTime() < start.getTime() + hour) return []
  const failures: unknown[] = []
  for (const channel of payContext(app).channels.keys())
    for (const key of await openDays(app, channel, start))
      await runReconciliation(app, key, '0').catch(error => {
        if (!(error instanceof Refusal) || isRefusal(error, 'payment.channelUnavailable')) failures.push(error)
      })
  return failures
}

/** The day before `start` of every tenant that took money at a channel then, unless it was compared. */
async function openDays({ db }: FastifyInstance, channel: ChannelNo, start: Date): Promise<DayKey[]> {
  const before = new Date(start.getTime() - day)
  const yesterday = wireDay(before)
  const tenants = await db
    .selectFrom('payorder as o')
    .select('o.tenantId')
    .distinct()
    .where('o.channel', '=', channel)
    .where('o.payTime', '>=', before)
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
  return tenants.map(({ tenantId }) => ({ tenantId, channel, day: yesterday }))
}
