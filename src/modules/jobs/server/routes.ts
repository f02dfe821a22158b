import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { readIds } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { person } from '../../../platform/http/server/access.ts'
import { notImplemented } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { serverChoices, syncJobs, syncServers } from '../contract.ts'
import { everyRun, planUnplanned } from './instances.ts'
import { jobWorker } from './worker.ts'

const mostChoices = 500

/** Milliseconds between two looks at what is due. */
const look = 2000
/** Days for which it is known what became of a run; the notes of the log stay longer. */
const known = 30

/** Jobs run by the clock, in any process. With `jobs: false` in the configuration nothing does. */
function runJobs(app: FastifyInstance): void {
  const worker = jobWorker(app)
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  const turn = (): void => {
    looking ??= worker
      .look()
      .catch(error => app.log.error({ err: error }, 'jobs'))
      .finally(() => {
        looking = undefined
      })
  }
  app.addHook('onReady', async () => {
    if (!app.config.jobs) return
    await planUnplanned(app)
    timer = setInterval(turn, look)
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    worker.close()
    await looking
    await worker.rest()
  })
  app.jobs.every(3600, 'job-runs', () => {
    const long = new Date(app.now().getTime() - known * 86_400_000)
    return everyRun(app).deleteFrom('job_instance').where('endTime', '<', long).execute()
  })
}

/** What jobs have beyond their resources. */
export default async function jobRoutes(app: FastifyInstance): Promise<void> {
  runJobs(app)
  const refuseSync = async (): Promise<never> => {
    throw notImplemented()
  }
  serve(app, syncJobs, refuseSync)
  serve(app, syncServers, refuseSync)
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
