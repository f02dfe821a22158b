import { dict, entity, filled, integer, longText, optional, type Row, text } from '#engine'
import { logType } from '../dictionaries.ts'

export const LogApi = entity(
  'log-api',
  '接口日志',
  {
    title: filled(optional(text('标题'))),
    type: filled(optional(dict('类型', logType))),
    serviceId: filled(optional(text('服务', { maxLength: 32 }))),
    serverHost: filled(optional(text('服务器', { maxLength: 64 }))),
    method: filled(optional(text('方法', { maxLength: 10 }))),
    requestUri: filled(optional(text('请求地址'))),
    httpStatus: filled(optional(integer('状态码'))),
    userAgent: filled(optional(text('用户代理', { maxLength: 1000 }))),
    remoteIp: filled(optional(text('IP', { maxLength: 64 }))),
    time: filled(optional(integer('耗时(ms)', { minimum: 0 }))),
    createBy: filled(optional(text('操作人', { maxLength: 64 }))),
    traceId: filled(optional(text('追踪号', { maxLength: 32 }))),
    params: filled(optional(longText('参数'))),
  },
  { label: 'title', indexes: [['traceId']], partition: 'month' },
)
export type LogApi = Row<typeof LogApi>

declare module '#engine' {
  interface Entities {
    'log-api': typeof LogApi
  }
}
