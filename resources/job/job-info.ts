import { resource } from '#engine'
import { JobInfo } from '../../schemas/job/job-info.ts'

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

const form = {
  基础信息: [
    { field: 'jobServerId', readonly: 'edit' },
    'enable',
    'jobName',
    'jobDescription',
    'timeExpressionType',
    { field: 'timeExpression', when: { timeExpressionType: [2, 3, 4] } },
    'executeType',
    'dispatchStrategy',
    'processorType',
    'processorInfo',
    'jobParams',
  ],
  高级配置: [
    { field: 'lifecycle', as: 'timeSpan' },
    'maxInstanceNum',
    'concurrency',
    'instanceTimeLimit',
    'instanceRetryNum',
    { field: 'taskRetryNum', when: { executeType: [2, 3] } },
    ...(['minCpuCores', 'minMemorySpace', 'minDiskSpace', 'designatedWorkers', 'maxWorkerCount'] as const),
  ],
  其他配置: [
    ...(['notifyUserIds', 'alertThreshold'] as const),
    { field: 'statisticWindowLen', when: { alertThreshold: { not: [0, null] } } },
    { field: 'silenceWindowLen', when: { alertThreshold: { not: [0, null] } } },
    'logType',
    { field: 'logLevel', when: { logType: { not: 999 } } },
    'extra',
  ],
} as const

export const jobInfo = resource(JobInfo, {
  path: '/blade-job/job-info',
  route: '/job/info',
  calls: { list: 'GET list' },
  columns,
  search: ['jobServerId', 'jobName', 'enable', 'createTime'],
  form,
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
