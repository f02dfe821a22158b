import { entity, filled, longText, optional, type Row, text } from '#engine'

export const LogError = entity(
  'log-error',
  '错误日志',
  {
    serviceId: filled(optional(text('服务', { maxLength: 32 }))),
    requestUri: filled(optional(text('请求地址'))),
    exceptionName: filled(optional(text('异常名'))),
    message: filled(optional(longText('信息'))),
    stackTrace: filled(optional(longText('堆栈'))),
    remoteIp: filled(optional(text('IP', { maxLength: 64 }))),
    createBy: filled(optional(text('操作人', { maxLength: 64 }))),
  },
  { label: 'exceptionName' },
)
export type LogError = Row<typeof LogError>
