import { resource } from '#engine'
import { LogUsual } from '../../schemas/log/log-usual.ts'

export const logUsual = resource(LogUsual, {
  path: '/blade-log/usual',
  route: '/log/usual',
  calls: { list: 'GET list' },
  can: ['view'],
  columns: ['serviceId', 'logLevel', 'logId', 'requestUri', 'remoteIp', 'method', 'createBy', 'createTime'],
  search: ['serviceId', 'logLevel', 'logId', 'createBy', 'createTime'],
  sort: '-createTime',
})
