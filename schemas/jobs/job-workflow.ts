import { dateTime, dict, entity, filled, integer, optional, type Row, text } from '#engine'
import { JobEnable, JobTimeType, jobEnable, jobWorkflowTime } from '../dictionaries.ts'

/** Jobs that run one after another, by CRON or when somebody says so. */
export const JobWorkflow = entity(
  'job-workflow',
  '任务工作流',
  {
    workflowName: text('工作流名称', { maxLength: 50, unique: true }),
    workflowDescription: optional(text('工作流描述')),
    timeExpressionType: dict('定时信息', jobWorkflowTime, { default: JobTimeType.cron }),
    timeExpression: optional(text('时间表达式', { help: 'CRON：秒 分 时 日 月 周，例如 0 0 2 * * ?' })),
    enable: dict('是否开启', jobEnable, { default: JobEnable.enabled }),
    maxInstanceNum: optional(integer('最大实例数', { minimum: 0, default: 1, help: '同时运行的次数，0表示不限' })),
    nextTime: filled(optional(dateTime('下次执行时间'))),
  },
  {
    label: 'workflowName',
    version: true,
    requiredWhen: { timeExpression: { timeExpressionType: [JobTimeType.cron] } },
  },
)
export type JobWorkflow = Row<typeof JobWorkflow>

declare module '#engine' {
  interface Entities {
    'job-workflow': typeof JobWorkflow
  }
}
