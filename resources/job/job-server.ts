import { resource } from '#engine'
import { JobServer } from '../../schemas/job/job-server.ts'

export const jobServer = resource(JobServer, {
  path: '/blade-job/job-server',
  route: '/job/server',
  calls: { list: 'GET list' },
  columns: ['jobServerName', 'jobServerUrl', 'jobAppName', 'jobRemark'],
  search: ['jobServerName', 'jobAppName', 'createTime'],
})
