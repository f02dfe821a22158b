import type { FastifyInstance } from 'fastify'
import { person } from '../access.ts'
import { staffHome } from '../actions/desk/staff-home.ts'
import { ok } from '../plugins/envelope.ts'

/** What people meet first. */
export default async function deskRoutes(app: FastifyInstance): Promise<void> {
  app.get(
    '/api/blade-desk/home/staff',
    { config: { access: 'staff' }, schema: { summary: '工作人员首页：待办与进行中的考试' } },
    async request => ok(await staffHome(app, person(request))),
  )
}
