import { count, endpoint, group, id, list, optional, text, truth } from '#engine'

/** There is no register of jobs elsewhere that could be synced with; older clients ask all the same. */
export const syncJobs = endpoint('jobs.sync', 'POST /blade-job/job-info/sync', {
  title: '任务：同步',
  access: ['job_info_edit'],
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

/** The processes that do work in the background now, by the names that a job can designate. */
export const jobWorkers = endpoint('jobs.workers', 'GET /blade-job/job-server/workers', {
  title: '任务服务：进程',
  access: ['job_info'],
  answer: list(group({ name: text('进程'), isHere: truth('应答此请求的进程') })),
})
