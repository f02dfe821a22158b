import { resource, through } from '#engine'
import { JobWorkflowStep } from '../../schemas/jobs/job-workflow-step.ts'

export const jobWorkflowStep = resource(JobWorkflowStep, {
  path: '/blade-job/job-workflow-step',
  route: '/job/workflow-step',
  can: ['view'],
  columns: [
    { field: 'nodeName', width: 160 },
    { field: 'state', as: 'tag', width: 100 },
    { field: 'jobName', width: 160 },
    'startTime',
    'endTime',
    { field: 'result', as: 'sentence', width: 260 },
    { field: 'afterNodes', width: 160 },
    { field: 'jobParams', folded: true },
    { field: 'enable', folded: true },
    { field: 'skipWhenFailed', folded: true },
    { field: 'instanceId', folded: true },
    { field: 'runId', folded: true },
  ],
  search: ['runId', 'nodeName', 'state', 'startTime'],
  sort: 'createTime',
  scope: through('runId'),
  actions: {
    instance: {
      label: '运行记录',
      call: 'GET instance?id',
      open: '/job/instance?id=:instanceId',
      when: { instanceId: { not: null } },
      code: 'view',
    },
  },
})
