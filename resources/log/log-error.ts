import { resource } from '#engine'
import { LogError } from '../../schemas/log/log-error.ts'

export const logError = resource(LogError, {
  path: '/blade-log/error',
  route: '/log/error',
  calls: { list: 'GET list' },
  can: ['view'],
  columns: ['serviceId', 'requestUri', 'exceptionName', 'message', 'remoteIp', 'createBy', 'createTime'],
  search: ['serviceId', 'requestUri', 'exceptionName', 'createBy', 'createTime'],
})
