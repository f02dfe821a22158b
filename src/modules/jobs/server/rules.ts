import { jobInfo } from '#resources/jobs/job-info'
import { jobInstance } from '#resources/jobs/job-instance'
import { jobServer } from '#resources/jobs/job-server'
import { jobWorkflow } from '#resources/jobs/job-workflow'
import { jobWorkflowNode } from '#resources/jobs/job-workflow-node'
import { jobWorkflowRun } from '#resources/jobs/job-workflow-run'
import type { JobInfo } from '#schemas/jobs/job-info'
import { type EventContext, guard, on, rules } from '../../../crud/rules.ts'
import { liveAcross } from '../../../platform/database/live.ts'
import { nextTimeOf } from '../rules/job-time.ts'
import { deriveRun, deriveTiming, jobInfoHooks } from './hooks.ts'
import { planJobs } from './instances.ts'
import { aroundRuns } from './powerjob/runs.ts'
import { jobServerHooks, testServer } from './powerjob/server-rules.ts'
import { runJob } from './run.ts'
import { workItemRules } from './work-items.ts'
import { deriveWorkflowRun, mayRunAgain, replanWorkflows, retrySteps, runWorkflow, stopSteps } from './workflow-acts.ts'
import { deriveWorkflow, nodeHooks, workflowHooks } from './workflow-hooks.ts'

/** Jobs that are switched on have their next time from now on, others none. */
const replan = ({ app, trx, rows, now }: EventContext<typeof JobInfo>) =>
  planJobs(
    liveAcross(trx, app),
    rows.map(job => job.id),
    rows.map(job => nextTimeOf(job, null, now)),
  )

/** Rules of jobs beyond their definitions. */
export const jobRules = [
  rules(jobInfo, { hooks: { ...jobInfoHooks, derive: deriveTiming }, handlers: { run: runJob, runPaused: runJob } }),
  on(jobInfo, 'start', replan),
  on(jobInfo, 'pause', replan),
  rules(jobInstance, { hooks: { derive: deriveRun, around: aroundRuns } }),
  rules(jobServer, { hooks: jobServerHooks, handlers: { test: testServer } }),
  ...workItemRules,
  rules(jobWorkflow, { hooks: { ...workflowHooks, derive: deriveWorkflow }, handlers: { run: runWorkflow } }),
  on(jobWorkflow, 'start', replanWorkflows),
  on(jobWorkflow, 'pause', replanWorkflows),
  rules(jobWorkflowNode, { hooks: nodeHooks }),
  rules(jobWorkflowRun, { hooks: { derive: deriveWorkflowRun } }),
  guard(jobWorkflowRun, 'retry', mayRunAgain),
  on(jobWorkflowRun, 'stop', stopSteps),
  on(jobWorkflowRun, 'retry', retrySteps),
]
