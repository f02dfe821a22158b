import type { FastifyInstance } from 'fastify'
import { readIds } from '../../../../crud/input.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { leaveDetail, startLeave } from '../../contract.ts'
import { beginLeave, detailOf } from '../leave.ts'

/** Leave, the example of a process. */
export function leaveRoutes(app: FastifyInstance): void {
  serve(app, leaveDetail, async ({ values, request }) => {
    const [id = ''] = readIds(values.businessId ?? values.id, 'businessId')
    return detailOf(app, person(request), id)
  })
  serve(app, startLeave, async ({ request }) => beginLeave(request))
}
