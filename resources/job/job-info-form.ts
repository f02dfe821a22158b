/** The three groups of a job's form, with what is asked only when another answer calls for it. */
export const jobForm = {
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
