import { resource } from '#engine'
import { LogApi } from '../../schemas/audit/log-api.ts'

const columns = [
  { field: 'title', width: 260 },
  'type',
  'createBy',
  'method',
  { field: 'requestUri', width: 280 },
  'httpStatus',
  'time',
  'remoteIp',
  'createTime',
  { field: 'traceId', folded: true },
  { field: 'serviceId', folded: true },
] as const

export const logApi = resource(LogApi, {
  path: '/blade-log/api',
  route: '/log/api',
  calls: { list: 'GET list' },
  can: ['view'],
  columns,
  search: ['title', 'type', 'createBy', 'requestUri', 'httpStatus', 'remoteIp', 'traceId', 'serviceId', 'createTime'],
  filters: ['serverHost', 'method', 'userAgent', 'time'],
})
