import { resource, through } from '#engine'
import { JobWorkflowNode } from '../../schemas/jobs/job-workflow-node.ts'

export const jobWorkflowNode = resource(JobWorkflowNode, {
  path: '/blade-job/job-workflow-node',
  route: '/job/workflow-node',
  columns: [
    { field: 'nodeName', width: 160 },
    { field: 'jobInfoId', width: 180 },
    { field: 'afterNodes', width: 200 },
    { field: 'enable', as: 'tag', width: 90 },
    { field: 'skipWhenFailed', as: 'tag', width: 110 },
    { field: 'jobParams', folded: true },
    'workflowId',
  ],
  search: ['workflowId', 'jobInfoId', 'nodeName', 'createTime'],
  form: [
    { field: 'workflowId', readonly: 'edit' },
    'nodeName',
    { field: 'jobInfoId', as: 'nodeJob' },
    { field: 'afterNodes', as: 'nodesBefore' },
    'jobParams',
    'enable',
    'skipWhenFailed',
  ],
  sort: 'createTime',
  scope: through('workflowId'),
})
