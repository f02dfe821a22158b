import { stageEvents } from '#resources/exams/events'
import { examinationitem } from '#resources/exams/examinationitem'
import { ticketEvents, ticketPaperEvents } from '#resources/tickets/events'
import { examinationticket } from '#resources/tickets/examinationticket'
import { ticketnotice } from '#resources/tickets/ticketnotice'
import { SeatStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { guard, on } from '../../../crud/rules.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { ticketWindows } from '../rules/act-windows.ts'
import { factsOf, stageOf } from './stage.ts'

/**
 * Whether the tickets of a stage can be released.
 * @throws row.wrongState before the seats are locked, and when the stage is over
 */
async function checkTickets(trx: Live, itemId: string, now: Date): Promise<void> {
  const stage = await stageOf(trx, itemId)
  if (stage?.seatStatus !== SeatStatus.locked) throw refuse('row.wrongState')
  checkTimely(ticketWindows.release, factsOf(stage), now)
}

/** Tells the holders of a stage's tickets from when until when they can be downloaded. */
async function tellReleased(db: LiveTrx, itemId: string): Promise<void> {
  const stage = await stageOf(db, itemId)
  if (!stage) return
  const from = stage.ticketStartTime ?? stage.examTicketStart
  const until = stage.ticketEndTime ?? stage.examTicketEnd
  await emit(db, stageEvents.ticketsReleased, [stage], { from, until })
}

/** Until when papers for the ticket of a stage can be handed in again. */
async function paperEnd(db: Live, itemId: string): Promise<Date | null> {
  const stage = await stageOf(db, itemId)
  return stage?.ticketEndTime ?? stage?.examTicketEnd ?? null
}

/** When the tickets of a stage can be released, and what follows from their release, their recall and the end of one. */
export const releaseRules = [
  guard(examinationitem, 'releaseTicket', async ({ db, rows, now }) => {
    for (const stage of rows) await checkTickets(db, stage.id, now)
  }),
  on(examinationitem, 'releaseTicket', async ({ db, rows }) => {
    for (const stage of rows) await tellReleased(db, stage.id)
  }),
  on(examinationitem, 'recallTicket', ({ db, rows, reason }) =>
    emit(db, stageEvents.ticketsRecalled, rows, { reason }),
  ),
  on(examinationticket, 'void', ({ db, rows }) => emit(db, ticketEvents.voided, rows)),
  on(ticketnotice, 'picPass', ({ db, rows }) => emit(db, ticketPaperEvents.accepted, rows)),
  on(ticketnotice, 'picFail', async ({ db, rows }) => {
    for (const row of rows) await emit(db, ticketPaperEvents.refused, [row], { until: await paperEnd(db, row.itemId) })
  }),
]
