import { dict, entity, filled, optional, type Row, secret, text } from '#engine'
import { JobServerType, jobServerType } from '../dictionaries.ts'

export const JobServer = entity(
  'job-server',
  '任务服务',
  {
    serverType: filled(dict('服务类型', jobServerType, { default: JobServerType.webhook })),
    jobServerName: text('任务服务名称', { maxLength: 50, unique: true }),
    jobServerUrl: text('任务服务器地址', {
      format: 'uri',
      help: '运行任务时以POST方式通知此地址，应用做完后应答；只能是系统参数 job.hosts 中允许的主机',
    }),
    jobAppName: text('任务应用名称', { maxLength: 20 }),
    jobAppPassword: secret('任务应用密码', { maxLength: 100 }),
    jobRemark: optional(text('任务备注')),
  },
  { label: 'jobServerName' },
)
export type JobServer = Row<typeof JobServer>

declare module '#engine' {
  interface Entities {
    'job-server': typeof JobServer
  }
}
