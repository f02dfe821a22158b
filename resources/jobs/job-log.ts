import { resource, through } from '#engine'
import { JobLog } from '../../schemas/jobs/job-log.ts'

export const jobLog = resource(JobLog, {
  path: '/blade-job/job-log',
  route: '/job/log',
  can: ['view'],
  columns: [
    { field: 'logTime', width: 170 },
    { field: 'logLevel', as: 'tag', width: 90 },
    { field: 'text', as: 'sentence', width: 420 },
    { field: 'node', width: 160 },
    { field: 'instanceId', folded: true },
  ],
  search: ['instanceId', 'logLevel', 'logTime'],
  scope: through('instanceId'),
})
