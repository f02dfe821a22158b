import { jobInfo } from '#resources/jobs/job-info'
import { jobInstance } from '#resources/jobs/job-instance'
import { jobServer } from '#resources/jobs/job-server'
import { rules } from '../../../crud/rules.ts'
import { changeJob } from './change.ts'
import { deriveRun, jobInfoHooks, jobServerHooks } from './hooks.ts'
import { runJob } from './run.ts'

/** Rules of jobs beyond their definitions. */
export const jobRules = [
  rules(jobInfo, { hooks: jobInfoHooks, handlers: { start: changeJob, pause: changeJob, run: runJob } }),
  rules(jobInstance, { hooks: { derive: deriveRun } }),
  rules(jobServer, { hooks: jobServerHooks }),
]
