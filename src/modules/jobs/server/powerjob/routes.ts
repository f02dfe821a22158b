import type { FastifyInstance } from 'fastify'
import { isId, readIds } from '../../../../crud/input.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { jobSides, syncJobs, syncServers } from '../../contract.ts'
import { fetchAllRuns } from './runs.ts'
import { checkServers } from './server-rules.ts'
import { sidesOf } from './sides.ts'
import { choose, syncAll } from './sync.ts'

/** What jobs of PowerJob servers have beyond their resources: they are synced, and their runs are fetched. */
export function powerJobRoutes(app: FastifyInstance): void {
  app.jobs.every({
    name: 'powerjob-runs',
    title: '取回PowerJob运行记录',
    seconds: 30,
    harmlessToPause: true,
    work: () => fetchAllRuns(app),
  })
  serve(app, syncServers, async ({ request }) => checkServers(app, person(request)))
  serve(app, syncJobs, async ({ values: { jobServerId, ids, prefer }, request }) => {
    if (prefer === 'local' || prefer === 'remote') return choose(app, person(request), readIds(ids), prefer)
    if (prefer) throw refuse('input.invalid', { 说明: '请选择以本地或对方为准' })
    const server = jobServerId ? String(jobServerId) : undefined
    if (server !== undefined && !isId(server)) throw refuse('row.notFound')
    return syncAll(app, person(request), server)
  })
  serve(app, jobSides, async ({ query, request }) => sidesOf(app, person(request), query.id))
}
