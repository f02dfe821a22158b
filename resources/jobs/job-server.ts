import { resource } from '#engine'
import { JobServerType } from '../../schemas/dictionaries.ts'
import { JobServer } from '../../schemas/jobs/job-server.ts'

export const jobServer = resource(JobServer, {
  path: '/blade-job/job-server',
  route: '/job/server',
  calls: { list: 'GET list' },
  columns: [
    'jobServerName',
    { field: 'serverType', as: 'tag', width: 110 },
    { field: 'jobServerUrl', width: 240 },
    'jobAppName',
    'jobRemark',
    'createTime',
  ],
  search: ['jobServerName', 'serverType', 'jobAppName', 'createTime'],
  sealed: { serverType: JobServerType.builtIn },
  removable: { when: { serverType: { not: JobServerType.builtIn } }, refusal: 'row.builtIn' },
  form: ['jobServerName', 'jobServerUrl', 'jobAppName', { field: 'jobAppPassword' }, { field: 'jobRemark', span: 24 }],
})
