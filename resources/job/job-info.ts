import { resource } from '#engine'
import { JobInfo } from '../../schemas/job/job-info.ts'

export const jobInfo = resource(JobInfo, {
  path: '/blade-job/job-info',
  route: '/job/info',
  calls: { list: 'GET list' },
  columns: [
    'jobServerId',
    'jobId',
    'jobName',
    'timeExpressionType',
    'timeExpression',
    'executeType',
    'dispatchStrategy',
    'processorType',
    'processorInfo',
    'enable',
    'lastStatus',
    'lastTime',
    'nextTime',
  ],
  search: ['jobServerId', 'jobName', 'enable', 'createTime'],
})
