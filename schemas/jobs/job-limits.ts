import { decimal, dict, integer, optional, refs, text } from '#engine'
import { JobLogLevel, JobLogType, jobLogLevel, jobLogType } from '../dictionaries.ts'

/** A limit where 0 means none, unless it says otherwise. */
const limit = (title: string, help = '0表示不限', preset = 0) =>
  optional(integer(title, { minimum: 0, default: preset, help }))

/** What the built-in server does not choose its processes by. */
const machine = (title: string) =>
  optional(decimal(title, { minimum: 0, default: '0', help: '仅用于PowerJob，内置任务服务填0' }))

/** How much of what a job may take, and how often it is tried again. */
export const jobLimits = {
  maxInstanceNum: limit('最大实例数'),
  concurrency: limit('单机线程并发数', '一个进程同时执行的子任务数，内置任务服务为1到20', 5),
  instanceTimeLimit: limit('运行时间限制(ms)'),
  instanceRetryNum: optional(integer('实例重试次数', { minimum: 0, default: 0 })),
  taskRetryNum: optional(integer('任务重试次数', { minimum: 0, default: 0 })),
  minCpuCores: machine('最小CPU核数'),
  minMemorySpace: machine('最小内存(GB)'),
  minDiskSpace: machine('最小磁盘(GB)'),
  designatedWorkers: optional(text('指定机器', { help: '不填为全部；PowerJob的机器填 地址:端口' })),
  maxWorkerCount: limit('最大执行机器数', '0表示不限，内置任务服务填0'),
}

/** Who is told of errors from how many on, and what is logged. */
export const jobAlarms = {
  notifyUserIds: optional(refs('报警接收人', 'user')),
  alertThreshold: limit('错误阈值', '统计窗口内失败达到该次数时报警，0表示每次失败'),
  statisticWindowLen: limit('统计窗口(s)', '0表示从上次报警算起'),
  silenceWindowLen: limit('沉默窗口(s)', '报警后在该时间内不再报警，0表示不沉默'),
  logType: optional(dict('日志类型', jobLogType, { default: JobLogType.online })),
  logLevel: optional(dict('日志级别', jobLogLevel, { default: JobLogLevel.info })),
}
