import { mailEvents, smsEvents } from '#resources/resource/events'
import { emit } from '../../../crud/emit.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'

/** Tells whoever looks after the accounts of channels that one was taken out of turn, in the transaction of it. */
export async function accountPaused(trx: LiveTrx, table: 'sms' | 'mail', id: string): Promise<void> {
  if (table === 'sms')
    await emit(
      trx,
      smsEvents.paused,
      await trx.selectFrom('sms').select(['id', 'smsCode', 'pauseReason']).where('id', '=', id).execute(),
    )
  else
    await emit(
      trx,
      mailEvents.paused,
      await trx.selectFrom('mail').select(['id', 'fromAddress', 'pauseReason']).where('id', '=', id).execute(),
    )
}
