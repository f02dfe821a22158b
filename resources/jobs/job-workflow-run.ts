import { decimal, dict, group, list, resource, sometimes, structured, text, through } from '#engine'
import { JobInstanceStatus, jobStepState, jobTrigger } from '../../schemas/dictionaries.ts'
import { JobWorkflowRun } from '../../schemas/jobs/job-workflow-run.ts'

export const jobWorkflowRun = resource(JobWorkflowRun, {
  path: '/blade-job/job-workflow-run',
  route: '/job/workflow-run',
  can: ['view'],
  derived: {
    trigger: dict('触发方式', jobTrigger),
    seconds: decimal('用时(秒)'),
    graph: structured(
      '节点',
      list(
        group({
          name: text('节点名称'),
          job: text('任务名称'),
          after: list(text('前置节点')),
          state: sometimes(dict('状态', jobStepState)),
        }),
      ),
    ),
  },
  columns: [
    { field: 'workflowId', width: 180 },
    { field: 'state', width: 120 },
    'planTime',
    { field: 'result', as: 'sentence', width: 240 },
    'seconds',
    'trigger',
    'endTime',
    { field: 'graph', as: 'jobGraph', width: 90 },
    'userId',
  ],
  search: ['workflowId', 'state', 'userId', 'planTime'],
  scope: through('workflowId'),
  children: { 'job-workflow-step': { label: '节点', by: 'runId' } },
  transitions: {
    stop: {
      label: '停止',
      call: 'POST stop?id',
      confirm: '正在运行的节点停止，后面的节点不再开始。确定停止?',
      when: { state: JobInstanceStatus.running },
      set: { state: JobInstanceStatus.stopped, endTime: '$now', result: '手动停止' },
      code: 'change',
      danger: true,
    },
    retry: {
      label: '重试',
      call: 'POST retry?id',
      confirm: '从失败或停止的节点开始重新运行，已经成功的节点不再运行。确定重试?',
      when: { state: [JobInstanceStatus.failed, JobInstanceStatus.stopped] },
      guard: '同时运行的次数没有达到上限',
      set: { state: JobInstanceStatus.running, endTime: null, result: null },
      code: 'change',
    },
  },
})
