import { resource } from '#engine'
import { LogUsual } from '../../schemas/audit/log-usual.ts'

export const logUsual = resource(LogUsual, {
  path: '/blade-log/usual',
  route: '/log/usual',
  calls: { list: 'GET list' },
  can: ['view'],
  columns: ['logId', 'logLevel', 'serviceId', 'method', 'requestUri', 'remoteIp', 'createBy', 'createTime'],
  search: ['logId', 'logLevel', 'serviceId', 'createBy', 'createTime'],
  filters: ['serverHost', 'method', 'requestUri', 'remoteIp'],
})
