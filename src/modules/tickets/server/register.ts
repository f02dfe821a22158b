import { PicState } from '#schemas/dictionaries'
import type { TicketPicture } from '#schemas/tickets/ticket-pictures'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { TicketFacts } from './download-rules.ts'

/** 1 downloaded as a file, 2 printed, 3 shown on the screen. */
export type DownType = 1 | 2 | 3

/** What a row of the register begins with. */
const rowOf = (ticket: TicketFacts) => ({
  examId: ticket.examId,
  itemId: ticket.itemId,
  signupId: ticket.signupId,
  ticketId: ticket.id,
  userId: ticket.userId,
  name: ticket.name,
  ticketNo: ticket.ticketNo,
})

/** How soon the same ticket counts again, so that a double click is one download. */
const again = 10_000

/** Counts a download in the register: one row per person and stage, first and last time kept. @returns the count */
export async function registerDownload(
  db: Live,
  ticket: TicketFacts,
  type: DownType,
  ip: string,
  now: Date,
): Promise<number> {
  const recently = new Date(now.getTime() - again)
  const row = await db
    .insertInto('ticketnotice')
    .values({ ...rowOf(ticket), type, downNum: 1, firstDownTime: now, lastDownTime: now, lastDownIp: ip })
    .onConflict(on =>
      on.columns(['itemId', 'signupId']).doUpdateSet(eb => ({
        type,
        ticketId: ticket.id,
        ticketNo: ticket.ticketNo,
        lastDownTime: now,
        lastDownIp: ip,
        firstDownTime: eb.fn.coalesce('ticketnotice.firstDownTime', eb.val(now)),
        downNum: eb
          .case()
          .when(eb.and([eb('ticketnotice.lastDownTime', '>', recently), eb('ticketnotice.type', '=', type)]))
          .then(eb.ref('ticketnotice.downNum'))
          .else(eb(eb.fn.coalesce('ticketnotice.downNum', eb.lit(0)), '+', 1))
          .end(),
      })),
    )
    .returning('downNum')
    .executeTakeFirstOrThrow()
  return row.downNum ?? 0
}

/**
 * Keeps the pictures a candidate hands in before the download, with the time of the consent; they wait to be looked at
 * (2).
 * @throws row.wrongState once they have been checked and found good
 */
export async function savePictures(
  db: Live,
  ticket: TicketFacts,
  pictures: Partial<Record<TicketPicture, string>>,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const row = await trx
      .insertInto('ticketnotice')
      .values({ ...rowOf(ticket), ...pictures, picState: PicState.uploaded, sureTime: now, downNum: 0 })
      .onConflict(on =>
        on
          .columns(['itemId', 'signupId'])
          .doUpdateSet({ ...pictures, picState: PicState.uploaded, picRemark: null, sureTime: now })
          .where('ticketnotice.picState', '<>', PicState.verified),
      )
      .returning('id')
      .executeTakeFirst()
    if (!row) throw refuse('row.wrongState')
    // A file with an owner is in use: it can be neither removed nor counted as left lying about.
    await trx
      .updateTable('attach')
      .set({ ownerId: row.id })
      .where('id', 'in', Object.values(pictures))
      .where('ownerId', 'is', null)
      .execute()
  })
}
