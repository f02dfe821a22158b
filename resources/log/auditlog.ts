import { resource } from '#engine'
import { Auditlog } from '../../schemas/log/auditlog.ts'

export const auditlog = resource(Auditlog, {
  path: '/blade-log/audit',
  route: '/log/audit',
  can: ['view'],
  columns: ['event', 'userId', 'targetType', 'targetId', 'outcome', 'ip', 'time'],
  search: ['event', 'userId', 'targetType', 'targetId', 'outcome', 'ip', 'time', 'createTime'],
  sort: '-time',
})
