import { dateTime, entity, filled, flag, hidden, longText, optional, type Row, ref, state, text } from '#engine'
import { jobStepState } from '../dictionaries.ts'

/** A node in one run of its workflow, as it was when the run began: who changes the workflow meanwhile changes later runs. */
export const JobWorkflowStep = entity(
  'job-workflow-step',
  '节点运行',
  {
    runId: filled(ref('工作流运行', 'job-workflow-run', { onRemove: 'with' })),
    nodeName: filled(text('节点名称', { maxLength: 50 })),
    jobName: filled(text('任务名称', { maxLength: 50 })),
    jobInfoId: hidden(filled(text('任务编号', { maxLength: 20, pattern: '^[0-9]+$' }))),
    afterNodes: filled(optional(text('前置节点', { maxLength: 2000 }))),
    jobParams: filled(optional(longText('任务参数'))),
    enable: filled(flag('启用', { default: 1 })),
    skipWhenFailed: filled(flag('失败时继续')),
    state: state('状态', jobStepState),
    // The run of the job that counts; those of before, when it was tried again, name this row, too. No references: neither a job
    // nor a workflow stays because of what was run once.
    instanceId: filled(optional(text('运行编号', { maxLength: 20, pattern: '^[0-9]+$' }))),
    startTime: filled(optional(dateTime('实际开始'))),
    endTime: filled(optional(dateTime('实际结束'))),
    result: filled(optional(longText('运行结果', { maxLength: 500 }))),
  },
  { label: 'nodeName', uniques: [['runId', 'nodeName']] },
)
export type JobWorkflowStep = Row<typeof JobWorkflowStep>

declare module '#engine' {
  interface Entities {
    'job-workflow-step': typeof JobWorkflowStep
  }
}
