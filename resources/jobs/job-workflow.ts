import { dateTime, dict, group, id, list, maybe, resource, structured, text } from '#engine'
import { JobEnable, jobInstanceStatus } from '../../schemas/dictionaries.ts'
import { JobWorkflow } from '../../schemas/jobs/job-workflow.ts'

export const jobWorkflow = resource(JobWorkflow, {
  path: '/blade-job/job-workflow',
  route: '/job/workflow',
  calls: { list: 'GET list' },
  derived: {
    lastStatus: dict('最近执行结果', jobInstanceStatus),
    lastTime: dateTime('最近执行时间'),
    graph: structured(
      '节点',
      list(group({ name: text('节点名称'), job: text('任务名称'), after: list(text('前置节点')) })),
    ),
  },
  columns: [
    'workflowName',
    { field: 'enable', as: 'tag', width: 100 },
    { field: 'lastStatus', as: 'tag', width: 130 },
    'lastTime',
    'nextTime',
    'timeExpressionType',
    'timeExpression',
    { field: 'graph', as: 'jobGraph', width: 90 },
    { field: 'workflowDescription', folded: true },
    { field: 'maxInstanceNum', folded: true },
  ],
  search: ['workflowName', 'enable', 'createTime'],
  form: [
    'workflowName',
    'enable',
    { field: 'workflowDescription', span: 24 },
    'timeExpressionType',
    'maxInstanceNum',
    { field: 'timeExpression', as: 'jobTiming', span: 24 },
  ],
  children: {
    'job-workflow-node': { label: '节点', by: 'workflowId', in: 'form' },
    'job-workflow-run': { label: '运行记录', by: 'workflowId' },
  },
  actions: {
    run: {
      label: '运行',
      call: 'POST run?id',
      confirm: '不等定时立即运行一次，确定运行?',
      when: { enable: JobEnable.enabled },
      answer: group({ runId: maybe(id('运行编号')) }),
      code: 'change',
    },
    runs: {
      label: '运行记录',
      call: 'GET runs?id',
      open: '/job/workflow-run?workflowId=:id',
      code: 'view',
    },
  },
  transitions: {
    start: {
      label: '启用',
      call: 'POST change?id,enable=1',
      when: { enable: JobEnable.paused },
      set: { enable: JobEnable.enabled },
      code: 'change',
    },
    pause: {
      label: '暂停',
      call: 'POST change?id,enable=0',
      confirm: '暂停后不再按时运行，已经开始的运行继续。确定暂停该工作流?',
      when: { enable: JobEnable.enabled },
      set: { enable: JobEnable.paused },
      code: 'change',
    },
  },
})
