import { resource } from '#engine'
import { JobInfo } from '../../schemas/job/job-info.ts'
import { jobForm } from './job-info-form.ts'

const columns = [
  'jobName',
  'jobServerId',
  { field: 'jobId', folded: true },
  { field: 'enable', as: 'tag' },
  'timeExpressionType',
  'timeExpression',
  'executeType',
  { field: 'dispatchStrategy', folded: true },
  'processorType',
  'processorInfo',
  'lastStatus',
  'lastTime',
  'nextTime',
] as const

export const jobInfo = resource(JobInfo, {
  path: '/blade-job/job-info',
  route: '/job/info',
  calls: { list: 'GET list' },
  columns,
  search: ['jobServerId', 'jobName', 'enable', 'createTime'],
  form: jobForm,
  actions: {
    start: { label: '启用', call: 'POST change?id,enable=1', when: { enable: 0 }, code: 'change' },
    pause: {
      label: '暂停',
      call: 'POST change?id,enable=0',
      confirm: '暂停后不再调度，确定暂停该任务?',
      when: { enable: 1 },
      code: 'change',
    },
  },
})
