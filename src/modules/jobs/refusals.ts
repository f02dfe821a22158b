import type { RefusalTable } from '#engine'

/** What jobs refuse. */
export const jobsRefusals = {
  'jobs.serverUnreachable': [29013, 500, '任务服务器不可达', 'The job server cannot be reached'],
} as const satisfies RefusalTable<'jobs'>

type JobsRefusals = typeof jobsRefusals

declare module '#engine' {
  interface Refusals extends JobsRefusals {}
}
