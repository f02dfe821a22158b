import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { readIds } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { person } from '../../../platform/http/server/access.ts'
import { ok } from '../../../platform/http/server/envelope.ts'
import { notImplemented } from '../../../platform/http/server/refusal.ts'
import { planUnplanned } from './instances.ts'
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
    return app.db.deleteFrom('job_instance').where('endTime', '<', long).execute()
  })
}

/** Service `blade-job` beyond its resources. There is no register of jobs elsewhere that could be synced with. */
export default async function jobRoutes(app: FastifyInstance): Promise<void> {
  runJobs(app)
  const may = (permission: string) => ({ config: { access: { permission } } })

  for (const [resource, code] of [
    ['job-info', 'job_info_edit'],
    ['job-server', 'job_server_edit'],
  ] as const)
    app.post(`/api/blade-job/${resource}/sync`, may(code), async () => {
      throw notImplemented()
    })

  app.get<{ Querystring: { keyword?: string; ids?: string } }>(
    '/api/blade-job/job-server/select',
    may('job_info'),
    async request => {
      const { keyword, ids } = request.query
      const rows = await scoped(app, person(request), 'job_server')
        .select(['id', 'jobServerName', 'jobAppName'])
        .$if(Boolean(ids), query => query.where('id', 'in', readIds(ids)))
        .$if(Boolean(keyword), query => query.where(sql<boolean>`position(${keyword} in "jobServerName") > 0`))
        .orderBy('id')
        .limit(mostChoices)
        .execute()
      return ok(rows.map(row => ({ ...row, label: `${row.jobServerName}（${row.jobAppName}）` })))
    },
  )
}
