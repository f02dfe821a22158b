import { decimal, dict, integer, optional, refs, text } from '#engine'
import { JobLogLevel, JobLogType, jobLogLevel, jobLogType } from '../dictionaries.ts'

/** A limit where 0 means none. */
const limit = (title: string, preset = 0) =>
  optional(integer(title, { minimum: 0, default: preset, help: '0表示不限' }))

/** How much of what a job may take, and how often it is tried again. */
export const jobLimits = {
  maxInstanceNum: limit('最大实例数'),
  concurrency: limit('单机线程并发数', 5),
  instanceTimeLimit: limit('运行时间限制(ms)'),
  instanceRetryNum: optional(integer('实例重试次数', { minimum: 0, default: 0 })),
  taskRetryNum: optional(integer('任务重试次数', { minimum: 0, default: 0 })),
  minCpuCores: optional(decimal('最小CPU核数', { minimum: 0, default: '0' })),
  minMemorySpace: optional(decimal('最小内存(GB)', { minimum: 0, default: '0' })),
  minDiskSpace: optional(decimal('最小磁盘(GB)', { minimum: 0, default: '0' })),
  designatedWorkers: optional(text('指定机器', { help: '不填为全部；PowerJob的机器填 地址:端口' })),
  maxWorkerCount: limit('最大执行机器数'),
}

/** Who is told of errors from how many on, and what is logged. */
export const jobAlarms = {
  notifyUserIds: optional(refs('报警接收人', 'user')),
  alertThreshold: limit('错误阈值'),
  statisticWindowLen: limit('统计窗口(s)'),
  silenceWindowLen: limit('沉默窗口(s)'),
  logType: optional(dict('日志类型', jobLogType, { default: JobLogType.online })),
  logLevel: optional(dict('日志级别', jobLogLevel, { default: JobLogLevel.info })),
}
