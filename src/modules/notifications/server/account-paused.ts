import { mailEvents, smsEvents, wechatEvents } from '#resources/resource/events'
import { emit, emitOnce } from '../../../crud/emit.ts'
import type { ChannelTable } from '../../../platform/channels/pause.ts'
import type { SmsTrouble } from '../../../platform/channels/sms/trouble.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'

/** What is told of an account of each kind. */
const told: Readonly<Record<ChannelTable, (trx: LiveTrx, id: string) => Promise<void>>> = {
  sms: async (trx, id) =>
    emit(
      trx,
      smsEvents.paused,
      await trx.selectFrom('sms').select(['id', 'smsCode', 'pauseReason']).where('id', '=', id).execute(),
    ),
  mail: async (trx, id) =>
    emit(
      trx,
      mailEvents.paused,
      await trx.selectFrom('mail').select(['id', 'fromAddress', 'pauseReason']).where('id', '=', id).execute(),
    ),
  wechat: async (trx, id) =>
    emit(
      trx,
      wechatEvents.paused,
      await trx.selectFrom('wechat').select(['id', 'accountName', 'pauseReason']).where('id', '=', id).execute(),
    ),
}

/** Tells whoever looks after the accounts of channels that one was taken out of turn, in the transaction of it. */
export const accountPaused = (trx: LiveTrx, table: ChannelTable, id: string): Promise<void> => told[table](trx, id)

/** Tells whoever looks after text messages what has to be seen to, once a day each, in the transaction in which that is known. */
export async function smsTrouble(trx: LiveTrx, smsId: string, trouble: SmsTrouble, day: string): Promise<void> {
  const rows = await trx.selectFrom('sms').select(['id', 'smsCode']).where('id', '=', smsId).execute()
  await emitOnce(trx, smsEvents.trouble, rows, () => `sms.trouble:${trouble}:${day}`, { trouble })
}
