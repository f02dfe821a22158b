import type { FastifyInstance } from 'fastify'
import type { QueryOf } from '#engine'
import { TicketStatus } from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import { anywhere } from '../../../platform/database/like.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import type { ticketList } from '../contract.ts'

/** A page of the stages that have tickets, with how many there are in each state, for staff; the latest exam first. */
export async function ticketExams(app: FastifyInstance, who: Person, query: QueryOf<typeof ticketList>) {
  const place = pageOf(query)
  const db = liveAs(app, who)
  const found = db
    .selectFrom('examinationticket as ticket')
    .innerJoin('examination as exam', 'exam.id', 'ticket.examId')
    .innerJoin('examinationitem as item', 'item.id', 'ticket.itemId')
    .where(inScope(app, who, 'examinationticket', 'ticket'))
    .$if(Boolean(query.examName), q => q.where('exam.examName', 'like', anywhere(query.examName ?? '')))
    .groupBy(['ticket.examId', 'ticket.itemId', 'exam.examName', 'item.itemName', 'item.startTime'])
    .select(['ticket.examId', 'ticket.itemId', 'exam.examName', 'item.itemName', 'item.startTime'])
  const [rows, n] = await Promise.all([
    found
      .select(eb => [
        eb.fn.countAll<string>().as('ticketNum'),
        eb.fn.countAll<string>().filterWhere('ticket.ticketStatus', '=', TicketStatus.draft).as('waitNum'),
        eb.fn.countAll<string>().filterWhere('ticket.ticketStatus', '=', TicketStatus.released).as('releasedNum'),
        eb.fn.countAll<string>().filterWhere('ticket.ticketStatus', '=', TicketStatus.voided).as('voidNum'),
      ])
      .orderBy('item.startTime', 'desc')
      .orderBy('ticket.itemId')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    db
      .selectFrom(found.as('stages'))
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow(),
  ])
  const counted = rows.map(({ ticketNum, waitNum, releasedNum, voidNum, ...row }) => ({
    ...row,
    ticketNum: Number(ticketNum),
    waitNum: Number(waitNum),
    releasedNum: Number(releasedNum),
    voidNum: Number(voidNum),
  }))
  return page(counted, Number(n.n), place)
}
