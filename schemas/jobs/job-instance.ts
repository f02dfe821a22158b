import { dateTime, entity, filled, hidden, integer, longText, optional, type Row, ref, state, text } from '#engine'
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
    // Of a run that a node of a workflow makes.
    stepId: hidden(filled(optional(text('节点运行', { maxLength: 20, pattern: '^[0-9]+$' })))),
    // Of a run that a job server of its own makes: the server, and the id of the run there.
    serverId: filled(optional(ref('任务服务', 'job-server', { enforced: false }))),
    instanceId: filled(optional(text('服务器运行编号', { maxLength: 20 }))),
  },
  {
    label: 'jobInfoId',
    retired: ['leaseBy', 'leaseUntil'],
    uniques: [
      ['jobInfoId', 'scheduledTime'],
      ['serverId', 'instanceId'],
    ],
  },
)
export type JobInstance = Row<typeof JobInstance>

declare module '#engine' {
  interface Entities {
    'job-instance': typeof JobInstance
  }
}
