import {
  dateTime,
  decimal,
  dict,
  entity,
  filled,
  integer,
  json,
  longText,
  optional,
  type Row,
  ref,
  refs,
  text,
} from '#engine'
import {
  jobDispatch,
  jobEnable,
  jobExecuteType,
  jobInstanceStatus,
  jobLogLevel,
  jobLogType,
  jobProcessor,
  jobTimeType,
} from '../dictionaries.ts'

/** A limit where 0 means none. */
const limit = (title: string, preset = 0) =>
  optional(integer(title, { minimum: 0, default: preset, help: '0表示不限' }))

export const JobInfo = entity(
  'job-info',
  '任务信息',
  {
    jobServerId: ref('任务应用', 'job-server'),
    jobId: filled(optional(text('任务ID', { maxLength: 20 }))),
    jobName: text('任务名称', { maxLength: 50 }),
    jobDescription: optional(text('任务描述')),
    lifecycle: optional(json('生命周期')),
    timeExpressionType: dict('定时信息', jobTimeType, { default: 2 }),
    timeExpression: optional(
      text('时间表达式', { help: 'CRON：秒 分 时 日 月 周，例如 0 0 2 * * ?；固定频率和固定延迟填毫秒数' }),
    ),
    executeType: dict('执行器类型', jobExecuteType, { default: 1 }),
    dispatchStrategy: dict('运行时配置', jobDispatch, { default: 1 }),
    processorType: dict('处理器类型', jobProcessor, { default: 1 }),
    processorInfo: text('处理器参数', { help: '处理器的全类名或Bean名称' }),
    jobParams: optional(longText('任务参数')),
    enable: dict('是否开启', jobEnable, { default: 1 }),
    maxInstanceNum: limit('最大实例数'),
    concurrency: limit('单机线程并发数', 5),
    instanceTimeLimit: limit('运行时间限制(ms)'),
    instanceRetryNum: optional(integer('实例重试次数', { minimum: 0, default: 0 })),
    taskRetryNum: optional(integer('任务重试次数', { minimum: 0, default: 0 })),
    minCpuCores: optional(decimal('最小CPU核数', { minimum: 0, default: '0' })),
    minMemorySpace: optional(decimal('最小内存(GB)', { minimum: 0, default: '0' })),
    minDiskSpace: optional(decimal('最小磁盘(GB)', { minimum: 0, default: '0' })),
    designatedWorkers: optional(text('指定机器', { help: '地址:端口，多个用逗号分隔；不填为全部机器' })),
    maxWorkerCount: limit('最大执行机器数'),
    notifyUserIds: optional(refs('报警接收人', 'user')),
    alertThreshold: limit('错误阈值'),
    statisticWindowLen: limit('统计窗口(s)'),
    silenceWindowLen: limit('沉默窗口(s)'),
    logType: optional(dict('日志类型', jobLogType, { default: 1 })),
    logLevel: optional(dict('日志级别', jobLogLevel, { default: 2 })),
    extra: optional(text('扩展字段')),
    lastStatus: filled(optional(dict('最近执行结果', jobInstanceStatus))),
    lastTime: filled(optional(dateTime('最近执行时间'))),
    nextTime: filled(optional(dateTime('下次执行时间'))),
  },
  { label: 'jobName' },
)
export type JobInfo = Row<typeof JobInfo>
