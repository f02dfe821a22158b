import { entity, filled, longText, optional, type Row, text } from '#engine'

export const LogError = entity(
  'log-error',
  '错误日志',
  {
    exceptionName: filled(optional(text('异常名'))),
    message: filled(optional(longText('信息'))),
    serviceId: filled(optional(text('服务', { maxLength: 32 }))),
    serverHost: filled(optional(text('服务器', { maxLength: 64 }))),
    method: filled(optional(text('方法', { maxLength: 10 }))),
    requestUri: filled(optional(text('请求地址'))),
    remoteIp: filled(optional(text('IP', { maxLength: 64 }))),
    createBy: filled(optional(text('操作人', { maxLength: 64 }))),
    traceId: filled(optional(text('追踪号', { maxLength: 32 }))),
    params: filled(optional(longText('参数'))),
    stackTrace: filled(optional(longText('堆栈'))),
  },
  { label: 'exceptionName', indexes: [['traceId']], partition: 'month' },
)
export type LogError = Row<typeof LogError>

declare module '#engine' {
  interface Entities {
    'log-error': typeof LogError
  }
}
