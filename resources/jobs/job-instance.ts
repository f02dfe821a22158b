import { decimal, dict, resource, through } from '#engine'
import { jobTrigger } from '../../schemas/dictionaries.ts'
import { JobInstance } from '../../schemas/jobs/job-instance.ts'

export const jobInstance = resource(JobInstance, {
  path: '/blade-job/job-instance',
  route: '/job/instance',
  can: ['view'],
  derived: { trigger: dict('触发方式', jobTrigger), seconds: decimal('用时(秒)') },
  columns: [
    { field: 'jobInfoId', width: 180 },
    { field: 'state', width: 120 },
    'planTime',
    'startTime',
    'seconds',
    'trigger',
    { field: 'result', width: 260 },
    'endTime',
    'userId',
    'tries',
    { field: 'params', folded: true },
    { field: 'instanceId', folded: true },
  ],
  search: ['jobInfoId', 'state', 'userId', 'planTime'],
  scope: through('jobInfoId'),
  children: { 'job-log': { label: '日志', by: 'instanceId' } },
})
