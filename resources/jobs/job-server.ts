import { resource } from '#engine'
import { JobServer } from '../../schemas/jobs/job-server.ts'

export const jobServer = resource(JobServer, {
  path: '/blade-job/job-server',
  route: '/job/server',
  calls: { list: 'GET list' },
  columns: ['jobServerName', { field: 'jobServerUrl', width: 240 }, 'jobAppName', 'jobRemark', 'createTime'],
  search: ['jobServerName', 'jobAppName', 'createTime'],
  form: ['jobServerName', 'jobServerUrl', 'jobAppName', { field: 'jobAppPassword' }, { field: 'jobRemark', span: 24 }],
})
