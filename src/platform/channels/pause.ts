import type { FastifyInstance } from 'fastify'
import { EnableStatus } from '#schemas/dictionaries'
import { type LiveTrx, liveFor } from '../database/live.ts'

/** A row of the settings of a channel. */
export interface ChannelAccount {
  readonly id: string
  readonly tenantId: string
}

/** Tables whose rows are accounts of channels. */
export type ChannelTable = 'sms' | 'mail' | 'wechat'

declare module '../http/server/extensions.ts' {
  interface Extensions {
    /** Hears, in the transaction of it, that an account of a channel was taken out of turn. */
    accountPaused: (trx: LiveTrx, table: ChannelTable, id: string) => Promise<void>
  }
}

/**
 * Takes an account out of turn until somebody has looked at its settings, and tells so, once.
 * @param table where the account is a row
 * @param reason what the provider said, in words
 * @param more what else the log says of it
 */
export async function pauseAccount(
  app: Pick<FastifyInstance, 'db' | 'now' | 'log' | 'journal' | 'extensions'>,
  table: ChannelTable,
  { id, tenantId }: ChannelAccount,
  reason: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const isPaused = await liveFor(app, { tenantId, userId: null, now: app.now })
    .transaction()
    .execute(async trx => {
      const paused = await trx
        .updateTable(table)
        .set({ pausedTime: app.now(), pauseReason: reason.slice(0, 255) })
        .where('id', '=', id)
        .where('pausedTime', 'is', null)
        .where(`${table}Status` as const, '=', EnableStatus.enabled)
        .executeTakeFirstOrThrow()
      if (paused.numUpdatedRows === 0n) return false
      await app.extensions.accountPaused(trx, table, id)
      return true
    })
  if (!isPaused) return
  const note = { tenantId, [`${table}Id`]: id, ...more, reason }
  app.log.error(note, 'an account of a channel is paused')
  app.journal.note('error', 'channel.trouble', note)
}
