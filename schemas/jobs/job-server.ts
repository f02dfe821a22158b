import { dateTime, dict, entity, filled, hidden, optional, type Row, secret, text } from '#engine'
import { JobServerType, jobServerState, jobServerType } from '../dictionaries.ts'

export const JobServer = entity(
  'job-server',
  '任务服务',
  {
    jobServerName: text('任务服务名称', { maxLength: 50, unique: true }),
    serverType: dict('服务类型', jobServerType, {
      default: JobServerType.powerJob,
      help: 'PowerJob：由PowerJob服务器定时和执行；Webhook：由本系统定时，执行时通知地址',
    }),
    jobServerUrl: text('任务服务器地址', {
      maxLength: 500,
      help: 'PowerJob填服务器的地址，多个用逗号分隔；Webhook填接收POST通知的地址；只能是系统参数 job.hosts 中允许的主机',
    }),
    jobAppName: text('任务应用名称', { maxLength: 20 }),
    jobAppPassword: secret('任务应用密码', { maxLength: 100 }),
    jobRemark: optional(text('任务备注')),
    serverState: filled(optional(dict('连接状态', jobServerState))),
    version: filled(optional(text('服务器版本', { maxLength: 10 }))),
    appId: filled(optional(text('应用编号', { maxLength: 20 }))),
    stateTime: filled(optional(dateTime('检查时间'))),
    // One process at a time syncs the jobs of a server.
    syncBy: hidden(filled(optional(text('同步进程', { maxLength: 40 })))),
    syncUntil: hidden(filled(optional(dateTime('同步占用至')))),
    // Runs that changed there before are known here.
    runsUntil: hidden(filled(optional(dateTime('运行记录截至')))),
  },
  { label: 'jobServerName' },
)
export type JobServer = Row<typeof JobServer>

declare module '#engine' {
  interface Entities {
    'job-server': typeof JobServer
  }
}
