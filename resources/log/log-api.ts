import { resource } from '#engine'
import { LogApi } from '../../schemas/log/log-api.ts'

export const logApi = resource(LogApi, {
  path: '/blade-log/api',
  route: '/log/api',
  calls: { list: 'GET list' },
  can: ['view'],
  columns: [
    'serviceId',
    'title',
    'type',
    'method',
    'requestUri',
    'remoteIp',
    'time',
    'createBy',
    'createTime',
    'traceId',
  ],
  search: ['serviceId', 'title', 'type', 'requestUri', 'remoteIp', 'createBy', 'createTime', 'traceId'],
})
