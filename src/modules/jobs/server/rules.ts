import { jobInfo } from '#resources/jobs/job-info'
import { jobInstance } from '#resources/jobs/job-instance'
import { jobServer } from '#resources/jobs/job-server'
import type { JobInfo } from '#schemas/jobs/job-info'
import { type EventContext, on, rules } from '../../../crud/rules.ts'
import { liveAcross } from '../../../platform/database/live.ts'
import { nextTimeOf } from '../rules/job-time.ts'
import { deriveRun, jobInfoHooks } from './hooks.ts'
import { planJobs } from './instances.ts'
import { aroundRuns } from './powerjob/runs.ts'
import { jobServerHooks, testServer } from './powerjob/server-rules.ts'
import { runJob } from './run.ts'
import { workItemRules } from './work-items.ts'

/** Jobs that are switched on have their next time from now on, others none. */
const replan = ({ app, trx, rows, now }: EventContext<typeof JobInfo>) =>
  planJobs(
    liveAcross(trx, app),
    rows.map(job => job.id),
    rows.map(job => nextTimeOf(job, null, now)),
  )

/** Rules of jobs beyond their definitions. */
export const jobRules = [
  rules(jobInfo, { hooks: jobInfoHooks, handlers: { run: runJob, runPaused: runJob } }),
  on(jobInfo, 'start', replan),
  on(jobInfo, 'pause', replan),
  rules(jobInstance, { hooks: { derive: deriveRun, around: aroundRuns } }),
  rules(jobServer, { hooks: jobServerHooks, handlers: { test: testServer } }),
  ...workItemRules,
]
