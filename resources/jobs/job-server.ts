import { group, resource, text } from '#engine'
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
    { field: 'serverState', as: 'tag', width: 110 },
    'version',
    'stateTime',
    { field: 'appId', folded: true },
    'jobRemark',
    'createTime',
  ],
  search: ['jobServerName', 'serverType', 'jobAppName', 'serverState', 'createTime'],
  form: [
    'jobServerName',
    { field: 'serverType', readonly: 'edit' },
    { field: 'jobServerUrl', span: 24 },
    'jobAppName',
    { field: 'jobAppPassword' },
    { field: 'jobRemark', span: 24 },
  ],
  sealed: { serverType: JobServerType.builtIn },
  actions: {
    test: {
      label: '测试连接',
      call: 'POST test?id',
      when: { serverType: JobServerType.powerJob },
      answer: group({ version: text('服务器版本'), appId: text('应用编号') }),
      code: 'test',
    },
  },
})
