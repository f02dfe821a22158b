import { PayState, PicState, ReleaseStatus, TicketStatus } from '#schemas/dictionaries'
import type { Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { listOf } from '../../exams/rules/sign-item.ts'
import { unconfirmedNotice } from '../../tickets/server/download-rules.ts'
import type { Around } from './next-step.ts'

const duesOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('payrecord')
    .innerJoin('exampay', join =>
      join.onRef('exampay.examId', '=', 'payrecord.examId').onRef('exampay.itemId', '=', 'payrecord.itemId'),
    )
    .select(['payrecord.signupId', 'exampay.startTime', 'exampay.endTime'])
    .where('payrecord.signupId', 'in', ids)
    .where('payrecord.payState', '=', PayState.due)
    .execute()

const ticketsOf = (db: Db, ids: readonly string[]) =>
  db
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
    .where('ticket.signupId', 'in', ids)
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .execute()

const scoresOf = (db: Db, ids: readonly string[]) =>
  db
    .selectFrom('result')
    .select('signupId')
    .where('signupId', 'in', ids)
    .where('resultStatus', '=', ReleaseStatus.released)
    .execute()

/** What surrounds sign-ups, in three queries for all of them together. */
export async function summariesOf(
  db: Db,
  rows: readonly SignupRow[],
  exams: ReadonlyMap<string, ExamRow>,
  now: Date,
): Promise<Map<string, Around>> {
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return new Map()
  const [dues, tickets, scores] = await Promise.all([duesOf(db, ids), ticketsOf(db, ids), scoresOf(db, ids)])
  return new Map(
    rows.map(row => {
      const exam = exams.get(row.examId)!
      const open = dues.filter(due => due.signupId === row.id && isTimely('pay', { exam, fee: due }, now))
      const ticket = tickets.find(one => one.signupId === row.id && one.endTime > now)
      const canDownload = ticket !== undefined && isTimely('ticket.download', { exam: ticket }, now)
      const uploaded = ticket?.picState === PicState.uploaded || ticket?.picState === PicState.verified
      const around: Around = {
        payUntil: open.map(due => due.endTime).sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
        hasTicket: canDownload,
        mustSure: exam.ticketNeedSure === 1 && Boolean(ticket?.unconfirmedNotice),
        mustUpload: listOf(exam.ticketNeedPic).length > 0 && !uploaded,
        hasScore: scores.some(one => one.signupId === row.id) && isTimely('result.view', { exam }, now),
      }
      return [row.id, around]
    }),
  )
}
