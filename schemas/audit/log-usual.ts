import { entity, filled, longText, optional, type Row, text } from '#engine'

export const LogUsual = entity(
  'log-usual',
  '通用日志',
  {
    logId: filled(optional(text('业务ID', { maxLength: 100 }))),
    logLevel: filled(optional(text('级别', { maxLength: 10 }))),
    serviceId: filled(optional(text('服务', { maxLength: 32 }))),
    serverHost: filled(optional(text('服务器', { maxLength: 64 }))),
    method: filled(optional(text('方法', { maxLength: 10 }))),
    requestUri: filled(optional(text('请求地址'))),
    remoteIp: filled(optional(text('IP', { maxLength: 64 }))),
    createBy: filled(optional(text('操作人', { maxLength: 64 }))),
    logData: filled(optional(longText('日志数据'))),
    params: filled(optional(longText('参数'))),
  },
  { label: 'logId', partition: 'month' },
)
export type LogUsual = Row<typeof LogUsual>

declare module '#engine' {
  interface Entities {
    'log-usual': typeof LogUsual
  }
}
