import type { FastifyInstance } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { leaveDetail, startLeave } from '../leave.ts'

const path = '/api/blade-desk/process/leave'

/** Leave, the example of a process: `blade-desk/process/leave`. */
export function leaveRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: { businessId?: string; id?: string } }>(
    `${path}/detail`,
    { config: { access: 'staff' } },
    async request => {
      const [id = ''] = readIds(request.query.businessId ?? request.query.id, 'businessId')
      return ok(await leaveDetail(app, person(request), id))
    },
  )
  app.post(
    `${path}/start-process`,
    { config: { access: { permission: 'work_start' } }, schema: { summary: '请假：发起' } },
    async request => ok(await startLeave(request)),
  )
}
