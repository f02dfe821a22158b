import { group, id, resource, text } from '#engine'
import { JobEnable, JobInstanceStatus, JobSyncState, JobTimeType } from '../../schemas/dictionaries.ts'
import { JobInfo } from '../../schemas/jobs/job-info.ts'
import { jobForm } from './job-info-form.ts'

const columns = [
  { field: 'jobName', as: 'sentence', width: 180 },
  { field: 'enable', as: 'tag', width: 100 },
  { field: 'lastStatus', as: 'tag', with: ['lastTime'], card: true, width: 130 },
  { field: 'nextTime', card: true, width: 130 },
  { field: 'timing', as: 'sentence', with: ['timeExpressionType'], width: 170 },
  { field: 'syncState', as: 'tag', with: ['jobServerId'], width: 140 },
  { field: 'timeExpression', folded: true },
  { field: 'jobId', folded: true },
  { field: 'processorInfo', folded: true },
  { field: 'builtin', as: 'tag', folded: true },
  { field: 'executeType', folded: true },
  { field: 'dispatchStrategy', folded: true },
  { field: 'processorType', folded: true },
] as const

export const jobInfo = resource(JobInfo, {
  path: '/blade-job/job-info',
  route: '/job/info',
  calls: { list: 'GET list' },
  derived: { timing: text('何时') },
  columns,
  search: ['jobServerId', 'jobName', 'builtin', 'enable', 'lastStatus', 'syncState', 'createTime'],
  find: ['jobName'],
  views: {
    全部: {},
    失败: { lastStatus: JobInstanceStatus.failed },
    已暂停: { enable: JobEnable.paused },
  },
  main: 'all',
  form: jobForm,
  removable: { when: { builtin: 0 }, refusal: 'row.builtIn' },
  children: { 'job-instance': { label: '运行记录', by: 'jobInfoId' } },
  actions: {
    runPaused: {
      label: '运行',
      call: 'POST run-paused?id',
      confirm: '任务已暂停，不再按时运行。仍要立即运行一次?',
      when: { enable: JobEnable.paused, timeExpressionType: { not: JobTimeType.workflow } },
      answer: group({ instanceId: id('运行编号') }),
      code: 'change',
    },
    run: {
      label: '运行',
      call: 'POST run?id',
      confirm: '不等定时立即运行一次，确定运行?',
      when: { enable: JobEnable.enabled, timeExpressionType: { not: JobTimeType.workflow } },
      answer: group({ instanceId: id('运行编号') }),
      code: 'change',
    },
    resolve: {
      label: '处理冲突',
      call: 'GET sides?id',
      open: '/job/info/sync?id=:id',
      when: { syncState: JobSyncState.conflict },
      code: 'edit',
    },
    sync: { label: '同步', on: 'toolbar', call: 'POST sync', open: '/job/info/sync', code: 'edit' },
    runs: { label: '运行记录', call: 'GET runs?id', open: '/job/instance?jobInfoId=:id', code: 'view' },
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
      confirm: '暂停后不再调度，确定暂停该任务?',
      when: { enable: JobEnable.enabled, pausable: 1 },
      set: { enable: JobEnable.paused },
      code: 'change',
    },
  },
})
