import { dateTime, dict, entity, filled, flag, hidden, json, longText, optional, type Row, ref, text } from '#engine'
import {
  JobDispatch,
  JobEnable,
  JobExecuteType,
  JobProcessor,
  JobTimeType,
  jobDispatch,
  jobEnable,
  jobExecuteType,
  jobInstanceStatus,
  jobProcessor,
  jobSyncState,
  jobTimeType,
} from '../dictionaries.ts'
import { jobAlarms, jobLimits } from './job-limits.ts'

export const JobInfo = entity(
  'job-info',
  '任务信息',
  {
    jobServerId: ref('任务应用', 'job-server'),
    jobId: filled(optional(text('任务ID', { maxLength: 20 }))),
    jobName: text('任务名称', { maxLength: 50 }),
    jobDescription: optional(text('任务描述')),
    lifecycle: optional(json('生命周期')),
    timeExpressionType: dict('定时信息', jobTimeType, {
      default: JobTimeType.cron,
      help: 'API：只手动运行；工作流：只作为任务工作流的节点运行',
    }),
    timeExpression: optional(
      text('时间表达式', { help: 'CRON：秒 分 时 日 月 周，例如 0 0 2 * * ?；固定频率和固定延迟填毫秒数，至少1000' }),
    ),
    executeType: dict('执行器类型', jobExecuteType, { default: JobExecuteType.standalone }),
    dispatchStrategy: dict('运行时配置', jobDispatch, {
      default: JobDispatch.healthFirst,
      help: '内置任务服务由空闲的进程自取',
    }),
    processorType: dict('处理器类型', jobProcessor, { default: JobProcessor.builtIn }),
    processorInfo: text('处理器参数', { help: '任务应用中处理器的名称；内置任务服务填本系统处理器的名称' }),
    jobParams: optional(longText('任务参数')),
    enable: dict('是否开启', jobEnable, { default: JobEnable.enabled }),
    ...jobLimits,
    ...jobAlarms,
    extra: optional(text('扩展字段')),
    lastStatus: filled(optional(dict('最近执行结果', jobInstanceStatus))),
    lastTime: filled(optional(dateTime('最近执行时间'))),
    nextTime: filled(optional(dateTime('下次执行时间'))),
    // Work of the server itself: its timing may be chosen, and it may be paused where that does no harm.
    builtin: filled(flag('系统任务')),
    pausable: filled(flag('可以暂停', { default: 1 })),
    lastAlarmTime: hidden(filled(optional(dateTime('最近报警时间')))),
    syncState: filled(optional(dict('同步状态', jobSyncState))),
    // What the job server said last of when it was changed there, and a digest of what both sides agreed on.
    remoteModified: hidden(filled(optional(dateTime('服务器修改时间')))),
    syncHash: hidden(filled(optional(text('同步摘要', { maxLength: 64 })))),
  },
  {
    label: 'jobName',
    version: true,
    uniques: [{ fields: ['processorInfo'], where: { builtin: 1 } }, { fields: ['jobServerId', 'jobId'] }],
    requiredWhen: {
      timeExpression: {
        timeExpressionType: [
          JobTimeType.cron,
          JobTimeType.fixedRate,
          JobTimeType.fixedDelay,
          JobTimeType.dailyInterval,
        ],
      },
    },
  },
)
export type JobInfo = Row<typeof JobInfo>

declare module '#engine' {
  interface Entities {
    'job-info': typeof JobInfo
  }
}
