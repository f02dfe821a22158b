import type { FastifyPluginAsync } from 'fastify'
import { allotRoutes } from './ticket/allot.ts'
import { candidateTicketRoutes, ticketSheetRoutes } from './ticket/candidate.ts'
import { registerRoutes } from './ticket/register.ts'
import { remarkRoutes } from './ticket/remark.ts'
import { roomRoutes } from './ticket/rooms.ts'

/** Rooms, seats and tickets, for staff and for candidates. */
const ticketRoutes: FastifyPluginAsync = async app => {
  await allotRoutes(app)
  await roomRoutes(app)
  await candidateTicketRoutes(app)
  await ticketSheetRoutes(app)
  await registerRoutes(app)
  await remarkRoutes(app)
}

export default ticketRoutes
