import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { readIds, wrongInput } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { person } from '../../../platform/http/server/access.ts'
import { notImplemented } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import { jobTimes } from '../../../screens/contract.ts'
import { serverChoices, syncJobs, syncServers } from '../contract.ts'
import { nextTimes, timingProblem } from '../rules/job-time.ts'
import { enterDue, everyRun, planUnplanned } from './instances.ts'
import { keepOwnWork } from './own-work.ts'
import { checkServers } from './powerjob/server-rules.ts'
import { runKind } from './worker.ts'

const mostChoices = 500
/** Times to come that are shown under an expression. */
const shownTimes = 5

/** Milliseconds between two looks at what is due. */
const look = 2000
/** Days for which it is known what became of a run; the notes of the log stay longer. */
const known = 30

/** Jobs become runs by the clock, in any process. With `jobs: false` in the configuration nothing does. */
function runJobs(app: FastifyInstance): void {
  app.queue.add(runKind(app))
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  const turn = (): void => {
    looking ??= enterDue(app)
      .then(count => {
        if (count > 0) app.queue.nudge()
      })
      .catch(error => app.log.error({ err: error }, 'jobs'))
      .finally(() => {
        looking = undefined
      })
  }
  app.addHook('onReady', async () => {
    if (!app.config.jobs) return
    await keepOwnWork(app)
    await planUnplanned(app)
    timer = setInterval(turn, look)
  })
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await looking
  })
  app.jobs.every({
    name: 'job-runs',
    title: '清理任务运行记录',
    seconds: 3600,
    harmlessToPause: true,
    work: () => {
      const long = new Date(app.now().getTime() - known * 86_400_000)
      return everyRun(app).deleteFrom('job_instance').where('endTime', '<', long).execute()
    },
  })
}

/** What jobs have beyond their resources. */
export default async function jobRoutes(app: FastifyInstance): Promise<void> {
  runJobs(app)
  const refuseSync = async (): Promise<never> => {
    throw notImplemented()
  }
  serve(app, syncJobs, refuseSync)
  serve(app, syncServers, async ({ request }) => checkServers(app, person(request)))
  serve(app, jobTimes, async ({ query: { type, expression } }) => {
    const problem = timingProblem(type, expression.trim())
    if (problem) throw wrongInput([{ field: 'expression', msg: problem }])
    const times = nextTimes(type, expression.trim(), app.now(), shownTimes)
    if (times.length === 0) throw wrongInput([{ field: 'expression', msg: '时间表达式没有下一次' }])
    return { times }
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
