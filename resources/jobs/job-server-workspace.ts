import { workspace } from '#engine'
import { JobEnable, JobInstanceStatus } from '../../schemas/dictionaries.ts'
import { jobServer } from './job-server.ts'

/** The place around one job server: its jobs, and what became of their runs. */
export const jobServerWorkspace = workspace(jobServer, {
  route: '/job/server/:id',
  header: { state: 'serverState', facts: ['jobServerUrl', 'jobAppName', 'version'], main: ['test'] },
  today: {
    上次失败的任务: {
      of: 'job-info',
      where: { enable: JobEnable.enabled, lastStatus: JobInstanceStatus.failed },
      page: 'jobs',
      oldest: 'lastTime',
    },
  },
  pages: {
    任务: { jobs: { list: 'job-info' }, runs: { list: 'job-instance', by: 'jobInfo.jobServerId' } },
    设置: { edit: { form: true, title: '基本信息' } },
  },
})
