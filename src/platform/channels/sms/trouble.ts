import type { FastifyInstance } from 'fastify'
import { type LiveTrx, liveFor } from '../../database/live.ts'
import { countOf, countUp } from '../../database/throttle.ts'
import { dayOf } from './sms-ledger.ts'

/**
 * What somebody has to see to: the day's money is spent, or the part of it that messages may use which can be done without; the balance
 * does not reach; the provider does not answer; none of the receipts come.
 */
export type SmsTrouble = 'spent' | 'spareSpent' | 'balance' | 'down' | 'receipts'

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    /**
     * Hears of a trouble with text messages, in a transaction of the tenant.
     * @param day of several on the same day one is told
     */
    smsTrouble: (trx: LiveTrx, smsId: string, trouble: SmsTrouble, day: string) => Promise<void>
  }
}

/** The settings that a trouble was met with. */
interface Account {
  readonly id: string
  readonly tenantId: string
}

/** Tells whoever looks after text messages of a trouble, once a day each, within a transaction of the tenant. */
export const tellTroubleIn = (
  app: Pick<FastifyInstance, 'extensions' | 'now'>,
  trx: LiveTrx,
  { id }: Pick<Account, 'id'>,
  trouble: SmsTrouble,
): Promise<void> => app.extensions.smsTrouble(trx, id, trouble, dayOf(app.now()))

const ofMoney: readonly SmsTrouble[] = ['spent', 'spareSpent']

/** As {@link tellTroubleIn}, in a transaction of its own, with a line in the logs. */
export async function tellTrouble(
  app: Pick<FastifyInstance, 'db' | 'now' | 'log' | 'journal' | 'extensions'>,
  account: Account,
  trouble: SmsTrouble,
  more: Readonly<Record<string, number>> = {},
): Promise<void> {
  const { tenantId } = account
  const now = app.now()
  const key = `sms:${trouble}:${tenantId}:${dayOf(now)}`
  if ((await countOf(app.db, key, now)) > 0) return
  await liveFor(app, { tenantId, userId: null, now: app.now })
    .transaction()
    .execute(trx => tellTroubleIn(app, trx, account, trouble))
  if ((await countUp(app.db, key, 86_400, now)) > 1) return
  app.log.error({ tenantId, trouble, ...more }, 'text messages need attention')
  app.journal.note('error', ofMoney.includes(trouble) ? 'sms.dailyFen' : 'channel.trouble', {
    tenantId,
    trouble,
    ...more,
  })
}
