import type { FastifyPluginAsync } from 'fastify'
import { allotRoutes } from './allot.ts'
import { candidateTicketRoutes, ticketSheetRoutes } from './candidate.ts'
import { chosenRoutes } from './papers.ts'
import { registerRoutes } from './register.ts'
import { remarkRoutes } from './remark.ts'
import { roomRoutes } from './rooms.ts'

/** Rooms, seats and tickets, for staff and for candidates. */
const ticketRoutes: FastifyPluginAsync = async app => {
  await allotRoutes(app)
  await roomRoutes(app)
  await candidateTicketRoutes(app)
  await ticketSheetRoutes(app)
  chosenRoutes(app)
  await registerRoutes(app)
  await remarkRoutes(app)
}

export default ticketRoutes
