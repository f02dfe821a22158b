import { commaList } from '#engine'
import { PicState, TicketStatus } from '#schemas/dictionaries'
import { isTimely } from '../../exams/rules/act-windows.ts'
import type { FactsReader } from '../../sign-up/server/sign-up-summary.ts'
import { ticketWindows } from '../rules/act-windows.ts'
import { unconfirmedNotice } from './download-rules.ts'

/** Whether a candidate can download a ticket now, and what has to be done before. */
export const ticketReader: FactsReader<'hasTicket' | 'mustSure' | 'mustUpload'> = async ({ db, rows, exams, now }) => {
  const tickets = await db
    .selectFrom('examinationticket as ticket')
    .leftJoin('ticketnotice as n', join =>
      join.onRef('n.itemId', '=', 'ticket.itemId').onRef('n.signupId', '=', 'ticket.signupId'),
    )
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .innerJoin('examination as e', 'e.id', 'ticket.examId')
    .select(['ticket.signupId', 'ticket.endTime', 'n.picState'])
    .select(unconfirmedNotice(db).as('unconfirmedNotice'))
    .select(eb => [
      eb.fn.coalesce('item.ticketStartTime', 'e.ticketStartTime').as('ticketStartTime'),
      eb.fn.coalesce('item.ticketEndTime', 'e.ticketEndTime').as('ticketEndTime'),
    ])
    .where(
      'ticket.signupId',
      'in',
      rows.map(row => row.id),
    )
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .execute()
  return ({ id, examId }) => {
    const { ticketNeedSure, ticketNeedPic } = exams.get(examId)!
    const ticket = tickets.find(one => one.signupId === id && one.endTime > now)
    const isUploaded = ticket?.picState === PicState.uploaded || ticket?.picState === PicState.verified
    return {
      hasTicket: ticket !== undefined && isTimely(ticketWindows.download, { exam: ticket }, now),
      mustSure: ticketNeedSure === 1 && Boolean(ticket?.unconfirmedNotice),
      mustUpload: commaList(ticketNeedPic).length > 0 && !isUploaded,
    }
  }
}
