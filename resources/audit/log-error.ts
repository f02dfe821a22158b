import { resource } from '#engine'
import { LogError } from '../../schemas/audit/log-error.ts'

const columns = [
  'exceptionName',
  { field: 'message', width: 320 },
  'serviceId',
  { field: 'requestUri', width: 280 },
  'createBy',
  'remoteIp',
  'createTime',
  { field: 'traceId', folded: true },
] as const

export const logError = resource(LogError, {
  path: '/blade-log/error',
  route: '/log/error',
  calls: { list: 'GET list' },
  can: ['view'],
  columns,
  search: ['exceptionName', 'serviceId', 'requestUri', 'createBy', 'traceId', 'createTime'],
  filters: ['serverHost', 'method', 'remoteIp', 'message'],
})
