import { JobExecuteType } from '../../schemas/dictionaries.ts'

/** The three groups of a job's form, with what is asked only when another answer calls for it. */
export const jobForm = {
  基础信息: [
    { field: 'jobServerId', readonly: 'edit' },
    'enable',
    'jobName',
    'jobDescription',
    'timeExpressionType',
    { field: 'timeExpression', as: 'jobTiming', span: 24 },
    'executeType',
    'dispatchStrategy',
    'processorType',
    { field: 'processorInfo', as: 'jobProcessor' },
    'jobParams',
  ],
  高级配置: [
    { field: 'lifecycle', as: 'timeSpan' },
    'maxInstanceNum',
    'concurrency',
    'instanceTimeLimit',
    'instanceRetryNum',
    {
      field: 'taskRetryNum',
      when: { executeType: [JobExecuteType.broadcast, JobExecuteType.mapReduce, JobExecuteType.map] },
    },
    'minCpuCores',
    'minMemorySpace',
    'minDiskSpace',
    { field: 'designatedWorkers', as: 'jobWorkers' },
    'maxWorkerCount',
  ],
  其他配置: [
    'notifyUserIds',
    'alertThreshold',
    { field: 'statisticWindowLen', when: { alertThreshold: { not: [0, null] } } },
    { field: 'silenceWindowLen', when: { alertThreshold: { not: [0, null] } } },
    'logType',
    { field: 'logLevel', when: { logType: { not: 999 } } },
    'extra',
  ],
} as const
