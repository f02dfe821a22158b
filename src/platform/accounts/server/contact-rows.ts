import type { messageChannel } from '#schemas/dictionaries'
import type { Live, LiveTrx } from '../../database/live.ts'

/** A way to be reached beside the inbox. */
export type ContactChannel = keyof typeof messageChannel.entries & string

/** What is known of a person's channel. */
export const contactOf = (db: Live, userId: string, channel: ContactChannel) =>
  db.selectFrom('contact').selectAll().where('userId', '=', userId).where('channel', '=', channel).executeTakeFirst()

/** Changes what is known of a person's channel; there is one row of each. */
export async function writeContact(trx: LiveTrx, userId: string, channel: ContactChannel, set: object): Promise<void> {
  await trx
    .insertInto('contact')
    .values({ userId, channel, isOff: 0 })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await trx.updateTable('contact').set(set).where('userId', '=', userId).where('channel', '=', channel).execute()
}
