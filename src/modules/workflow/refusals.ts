import type { RefusalTable } from '#engine'

/** What the workflow refuses. */
export const workflowRefusals = {
  'workflow.taskNotFound': [
    29010,
    409,
    '任务不存在或已被他人签收',
    'The task does not exist or was claimed by somebody else',
  ],
  'workflow.taskDone': [29011, 409, '任务已办理', 'The task is done'],
  'workflow.suspended': [29012, 409, '流程已挂起', 'The process is suspended'],
} as const satisfies RefusalTable<'workflow'>

type WorkflowRefusals = typeof workflowRefusals

declare module '#engine' {
  interface Refusals extends WorkflowRefusals {}
}
