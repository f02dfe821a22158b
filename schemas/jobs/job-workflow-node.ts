import { entity, flag, optional, type Row, ref, text } from '#engine'

/** One job of a workflow, and the nodes that it waits for. */
export const JobWorkflowNode = entity(
  'job-workflow-node',
  '工作流节点',
  {
    workflowId: ref('任务工作流', 'job-workflow', { onRemove: 'with' }),
    nodeName: text('节点名称', { maxLength: 50, pattern: '^[^,，]+$', help: '不能有逗号' }),
    jobInfoId: ref('运行任务', 'job-info'),
    // Names of nodes of the same workflow, joined by commas: a form saves nodes together that have no id yet.
    afterNodes: optional(text('前置节点', { maxLength: 2000, help: '这些节点都成功后开始；不填为立即开始' })),
    jobParams: optional(text('任务参数', { maxLength: 4000, help: '不填用任务自己的参数' })),
    enable: flag('启用', { default: 1, help: '停用的节点跳过' }),
    skipWhenFailed: flag('失败时继续', { help: '失败后后面的节点照常运行' }),
  },
  { label: 'nodeName' },
)
export type JobWorkflowNode = Row<typeof JobWorkflowNode>

declare module '#engine' {
  interface Entities {
    'job-workflow-node': typeof JobWorkflowNode
  }
}
