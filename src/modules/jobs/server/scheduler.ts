import type { FastifyInstance } from 'fastify'
import { enterDue, everyRun, nextDue, planUnplanned } from './instances.ts'
import { keepOwnWork, ownWorkAges } from './own-work.ts'
import { sweepGone, taskKind } from './tasks.ts'
import { runKind } from './worker.ts'
import { beginDueWorkflows, forgetWorkflowRuns, nextWorkflowDue } from './workflow-run.ts'

/** Milliseconds between two looks at what is due: at most, and at least where a job is due earlier. */
const look = { most: 2000, least: 50 }
/** Milliseconds between two looks for what processes have left that are gone. */
const sweep = 5000
/** Days for which it is known what became of a run; the notes of the log stay longer. */
const known = 30

/** Jobs become runs by the clock, in any process. With `jobs: false` in the configuration nothing does. */
export function runJobs(app: FastifyInstance): void {
  app.queue.add(runKind(app))
  app.queue.add(taskKind(app))
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let swept = 0
  let isClosing = false
  const turn = async (): Promise<number> => {
    const begun = (await enterDue(app)) + (await beginDueWorkflows(app))
    if (begun > 0) app.queue.nudge()
    if (performance.now() - swept > sweep) {
      swept = performance.now()
      await sweepGone(app)
    }
    const due = [await nextDue(app), await nextWorkflowDue(app)].flatMap(time => time?.getTime() ?? [])
    return due.length > 0 ? Math.min(...due) - app.now().getTime() : look.most
  }
  const plan = (milliseconds: number): void => {
    if (isClosing) return
    timer = setTimeout(
      () => {
        looking = turn()
          .catch(error => {
            app.log.error({ err: error }, 'jobs')
            return look.most
          })
          .then(plan)
      },
      Math.min(look.most, Math.max(look.least, milliseconds)),
    )
  }
  app.meter.gauge('own_work_age_periods', () => ownWorkAges(app))
  app.addHook('onReady', async () => {
    if (!app.config.jobs) return
    await keepOwnWork(app)
    await planUnplanned(app)
    plan(look.most)
  })
  app.addHook('preClose', async () => {
    isClosing = true
    clearTimeout(timer)
    if (looking) await app.finish('the planning of jobs', looking)
  })
  app.jobs.every({
    name: 'job-runs',
    title: '清理任务运行记录',
    seconds: 3600,
    harmlessToPause: true,
    work: async () => {
      const long = new Date(app.now().getTime() - known * 86_400_000)
      await everyRun(app).deleteFrom('job_log').where('logTime', '<', long).execute()
      await everyRun(app).deleteFrom('job_instance').where('endTime', '<', long).execute()
      await forgetWorkflowRuns(app, long)
    },
  })
}
