import { dateTime, entity, filled, hidden, integer, longText, optional, type Row, ref, state } from '#engine'
import { jobInstanceStatus } from '../dictionaries.ts'

/** One run of a job, planned by the clock or asked for by somebody. */
export const JobInstance = entity(
  'job-instance',
  '运行记录',
  {
    // A run that still waits ends when its turn comes.
    jobInfoId: filled(ref('所属任务', 'job-info', { onRemove: 'with' })),
    state: state('运行状态', jobInstanceStatus),
    userId: filled(optional(ref('触发人', 'user'))),
    planTime: filled(dateTime('计划时间')),
    // The time that the clock had planned: a job has one run for each.
    scheduledTime: hidden(filled(optional(dateTime('定时时间')))),
    startTime: filled(optional(dateTime('实际开始'))),
    endTime: filled(optional(dateTime('实际结束'))),
    tries: filled(integer('执行次数', { default: 0 })),
    params: filled(optional(longText('任务参数'))),
    result: filled(optional(longText('运行结果', { maxLength: 500 }))),
  },
  { label: 'jobInfoId', uniques: [['jobInfoId', 'scheduledTime']] },
)
export type JobInstance = Row<typeof JobInstance>

declare module '#engine' {
  interface Entities {
    'job-instance': typeof JobInstance
  }
}
