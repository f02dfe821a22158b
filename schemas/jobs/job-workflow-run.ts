import { dateTime, entity, filled, hidden, longText, optional, type Row, ref, state } from '#engine'
import { JobInstanceStatus, jobInstanceStatus } from '../dictionaries.ts'

/** One run of a workflow, planned by the clock or asked for by somebody. */
export const JobWorkflowRun = entity(
  'job-workflow-run',
  '工作流运行',
  {
    workflowId: filled(ref('任务工作流', 'job-workflow', { onRemove: 'with' })),
    state: state('运行状态', jobInstanceStatus, { default: JobInstanceStatus.running }),
    userId: filled(optional(ref('触发人', 'user'))),
    planTime: filled(dateTime('计划时间')),
    // The time that the clock had planned: a workflow has one run for each.
    scheduledTime: hidden(filled(optional(dateTime('定时时间')))),
    endTime: filled(optional(dateTime('实际结束'))),
    result: filled(optional(longText('运行结果', { maxLength: 500 }))),
  },
  { label: 'workflowId', uniques: [['workflowId', 'scheduledTime']] },
)
export type JobWorkflowRun = Row<typeof JobWorkflowRun>

declare module '#engine' {
  interface Entities {
    'job-workflow-run': typeof JobWorkflowRun
  }
}
