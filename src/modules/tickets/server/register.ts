import type { FastifyInstance } from 'fastify'
import { stageEvents } from '#resources/exams/events'
import { ticketEvents, ticketPaperEvents } from '#resources/tickets/events'
import { ticketReminders } from '#resources/tickets/reminders'
import { PicState } from '#schemas/dictionaries'
import type { TicketPicture } from '#schemas/tickets/ticket-pictures'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { TicketFacts } from './download-rules.ts'

/** 1 downloaded as a file, 2 printed, 3 shown on the screen. */
export type DownType = 1 | 2 | 3

/** Messages of one person, by the rows that they are about. */
export interface OwnMessages {
  tenantId: string
  userId: string
  subjectIds: readonly string[]
  /** Names of their events. */
  codes: readonly string[]
}

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Marks messages of somebody who has done what they ask for. */
    settleOwn: (app: Pick<FastifyInstance, 'now'>, trx: LiveTrx, messages: OwnMessages) => Promise<void>
  }
}

type Around = Pick<FastifyInstance, 'now' | 'extensions'>

/** What asks a candidate to download the ticket. */
const askingToDownload = [
  stageEvents.ticketsReleased.name,
  stageEvents.placeChanged.name,
  ticketEvents.reissued.name,
  ticketReminders.notDownloaded.name,
]

/** What asks a candidate for the papers that the ticket needs. */
const askingForPapers = [ticketPaperEvents.refused.name, ticketReminders.picturesMissing.name]

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
export const registerDownload = (
  app: Around,
  db: Live,
  ticket: TicketFacts,
  { type, ip, tenantId }: { type: DownType; ip: string; tenantId: string },
): Promise<number> =>
  db.transaction().execute(async trx => {
    const count = await countDownload(trx, ticket, type, ip, app.now())
    const subjectIds = [ticket.itemId, ticket.id]
    if (ticket.userId)
      await app.extensions.settleOwn(app, trx, { tenantId, userId: ticket.userId, subjectIds, codes: askingToDownload })
    return count
  })

async function countDownload(db: Live, ticket: TicketFacts, type: DownType, ip: string, now: Date): Promise<number> {
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
  app: Around,
  db: Live,
  ticket: TicketFacts,
  { pictures, tenantId }: { pictures: Partial<Record<TicketPicture, string>>; tenantId: string },
): Promise<void> {
  const now = app.now()
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
    const subjectIds = [row.id, ticket.id]
    if (ticket.userId)
      await app.extensions.settleOwn(app, trx, { tenantId, userId: ticket.userId, subjectIds, codes: askingForPapers })
  })
}
