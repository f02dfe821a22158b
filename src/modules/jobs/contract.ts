import { count, endpoint, group, id, list, optional, text, truth } from '#engine'

/**
 * Syncs the jobs of PowerJob servers in both directions, of one server or of all; with `ids` settles jobs that were changed on both
 * sides as somebody has chosen.
 */
export const syncJobs = endpoint('jobs.sync', 'POST /blade-job/job-info/sync', {
  title: '任务：同步',
  access: ['job_info_edit'],
  values: {
    jobServerId: optional(id('任务应用')),
    ids: optional(text('编号')),
    prefer: optional(text('以哪一方为准')),
  },
  answer: group({
    added: count('新增'),
    updated: count('更新'),
    removed: count('对方已删除'),
    pushed: count('已推送'),
    conflicts: list(group({ id: id('编号'), jobName: text('任务名称') })),
    failed: list(
      group({
        jobServerId: id('任务应用'),
        jobServerName: text('服务名称'),
        jobName: text('任务名称'),
        reason: text('原因'),
      }),
    ),
  }),
})

/** Both sides of a job of a PowerJob server, field by field. */
export const jobSides = endpoint('jobs.sides', 'GET /blade-job/job-info/sides', {
  title: '任务：对比',
  access: ['job_info_edit'],
  query: { id: id('编号') },
  answer: group({
    jobName: text('任务名称'),
    fields: list(group({ title: text('字段'), local: text('本地'), remote: text('对方'), isSame: truth('相同') })),
  }),
})

/** Signs in to every PowerJob server and notes what it is; those that could not be asked are named. */
export const syncServers = endpoint('jobs.syncServers', 'POST /blade-job/job-server/sync', {
  title: '任务服务：同步',
  access: ['job_server_edit'],
  answer: group({
    servers: count('检查的任务服务数'),
    failed: list(group({ id: id('编号'), jobServerName: text('服务名称'), reason: text('原因') })),
  }),
})

/** Servers of jobs to choose from. */
export const serverChoices = endpoint('jobs.servers', 'GET /blade-job/job-server/select', {
  title: '任务服务：选项',
  access: ['job_info'],
  values: { keyword: optional(text('关键词')), ids: optional(text('编号')) },
  answer: list(
    group({ id: id('编号'), label: text('名称'), jobServerName: text('服务名称'), jobAppName: text('应用名称') }),
  ),
})
