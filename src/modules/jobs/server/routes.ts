import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { JobServerType } from '#schemas/dictionaries'
import { readIds, wrongInput } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { person } from '../../../platform/http/server/access.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { aliveNodes } from '../../../platform/queue/nodes.ts'
import { jobProcessors, jobTimes, jobWorkers } from '../../../screens/contract.ts'
import { serverChoices } from '../contract.ts'
import { nextTimes, timingProblem } from '../rules/job-time.ts'
import { httpProcessor } from './http-processor.ts'
import { powerJobRoutes } from './powerjob/routes.ts'
import { allProcessors } from './processors.ts'
import { runJobs } from './scheduler.ts'

const mostChoices = 500
/** Times to come that are shown under an expression. */
const shownTimes = 5

/** Of which kind a server is that somebody meets; undefined for others. */
async function serverTypeOf(app: FastifyInstance, request: FastifyRequest, id: string): Promise<number | undefined> {
  const server = scoped(app, person(request), 'job_server').select('serverType').where('id', '=', id)
  return (await server.executeTakeFirst())?.serverType
}

/** What jobs have beyond their resources. */
export default async function jobRoutes(app: FastifyInstance): Promise<void> {
  runJobs(app)
  app.processors.add(httpProcessor(app))
  powerJobRoutes(app)
  serve(app, jobTimes, async ({ query: { type, expression } }) => {
    const problem = timingProblem(type, expression.trim())
    if (problem) throw wrongInput([{ field: 'expression', msg: problem }])
    const times = nextTimes(type, expression.trim(), app.now(), shownTimes)
    if (times.length === 0) throw wrongInput([{ field: 'expression', msg: '时间表达式没有下一次' }])
    return { times }
  })
  serve(app, jobProcessors, async ({ query: { jobServerId }, request }) => {
    const serverType = await serverTypeOf(app, request, jobServerId)
    return serverType === JobServerType.builtIn ? allProcessors(app) : []
  })
  serve(app, jobWorkers, async ({ query: { jobServerId }, request }) => {
    if (jobServerId && (await serverTypeOf(app, request, jobServerId)) === JobServerType.powerJob) return []
    return (await aliveNodes(app)).map(name => ({ name, isHere: name === app.queue.node }))
  })
  serve(app, serverChoices, async ({ request }) => {
    const { keyword, ids } = request.query as { keyword?: string; ids?: string }
    const rows = await scoped(app, person(request), 'job_server')
      .select(['id', 'jobServerName', 'jobAppName'])
      .$if(Boolean(ids), query => query.where('id', 'in', readIds(ids)))
      .$if(Boolean(keyword), query => query.where(sql<boolean>`position(${keyword} in "jobServerName") > 0`))
      .orderBy('id')
      .limit(mostChoices)
      .execute()
    return rows.map(row => ({ ...row, label: `${row.jobServerName}（${row.jobAppName}）` }))
  })
}
